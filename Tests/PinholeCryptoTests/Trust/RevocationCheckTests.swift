import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

/// Lists and staples about a chain of three.
@Suite("RevocationCheck")
struct RevocationCheckTests {
    private let forge = ChainForge(now: .noon)
    private let chain: [Certificate]
    private let verifier = ChainVerifier()

    init() throws { chain = try forge.chain(1) }

    private func question(_ revocation: ChainQuestion.Revocation) -> ChainQuestion {
        var question = ChainQuestion(
            Evidence(
                host: nil,
                presented: PresentedChain(chain.prefix(2).map(\.facts)),
                anchors: [chain[2].facts],
                time: .noon
            ),
            by: .opensslStrict
        )
        question.revocation = revocation
        return question
    }

    private func serial(_ certificate: Certificate) -> [UInt8] {
        let digits = Array(certificate.serial.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    /// A list by the authority at `place`.
    private func list(
        by place: Int = 1,
        revoked: [Certificate] = [],
        ends: Timestamp = .noon + .days(1),
        signer: PrivateKey? = nil
    ) throws -> [UInt8] {
        let own = try forge.key(place == 2 ? "root" : "authority \(place)")
        let algorithm = CraftedCertificate.algorithm(own, .sha256)
        let entries = revoked.map { ASN1.sequence(ASN1.integer(serial($0)), ASN1.time(.noon - .days(2))) }
        let name = place == 2 ? "Family p256 root" : "Family p256 authority \(place)"
        let number = ASN1.sequence(ASN1.identifier("2.5.29.20"), ASN1.octets(ASN1.integer(1)))
        let body = ASN1.sequence(
            ASN1.integer(1),
            algorithm,
            ASN1.name(name),
            ASN1.time(.noon - .days(1)),
            ASN1.time(ends),
            entries.isEmpty ? [] : ASN1.sequence(of: entries),
            ASN1.context(0, holding: ASN1.sequence(number))
        )
        let signature = try (signer ?? own).signature(over: body, digest: .sha256)
        return ASN1.sequence(body, algorithm, ASN1.bits(signature))
    }

    /// A response about the leaf.
    private func response(
        _ status: CraftedStatusResponse.Status,
        ends: Timestamp? = .noon + .days(1),
        signer: PrivateKey? = nil,
        about certificate: Certificate? = nil,
        timestamps: [UInt8]? = nil
    ) throws -> [UInt8] {
        var response = CraftedStatusResponse(thisUpdate: .noon - .days(1), nextUpdate: ends)
        response.status = status
        response.timestamps = timestamps
        return try response.signed(
            about: certificate ?? chain[0],
            by: chain[1],
            try signer ?? forge.key("authority 1")
        )
    }

    @Test("without lists and staples nothing is known; only `required` minds")
    func nothing() {
        #expect(verifier.evaluate(question(.ignored)).revocation == [])
        let known = verifier.evaluate(question(.knownOnly))
        #expect(known.isValid)
        #expect(known.revocation.map(\.status) == [.unknown, .unknown])
        #expect(verifier.evaluate(question(.required)).fault?.kind == .revocationUnknown)
    }

    @Test("a revocation list names the revoked certificates, with their times")
    func lists() throws {
        var asked = question(.required)
        asked.revocationLists = [try list()]
        #expect(verifier.evaluate(asked).isValid)
        asked.revocationLists = [try list(revoked: [chain[0]])]
        let answer = verifier.evaluate(asked)
        #expect(answer.fault?.kind == .revoked)
        #expect(answer.fault?.depth == 0)
        #expect(answer.fault?.detail.contains("2026-11-19T12:00:00Z") == true)
        #expect(answer.built.count == 3)
        asked.revocation = .ignored
        #expect(verifier.evaluate(asked).isValid)
    }

    @Test(
        "a response without nextUpdate says that a certificate was revoked, and for some profiles that it was not"
    )
    func endlessResponses() throws {
        var asked = question(.required)
        asked.stapledResponse = try response(.good, ends: nil)
        #expect(verifier.evaluate(asked).fault?.kind == .revocationUnknown)
        asked.verifier = .rfc5280
        #expect(verifier.evaluate(asked).isValid)
        asked.stapledResponse = try response(.revoked(.noon - .days(2)), ends: nil)
        #expect(verifier.evaluate(asked).fault?.kind == .revoked)
        asked.verifier = .opensslStrict
        #expect(verifier.evaluate(asked).fault?.kind == .revoked)
    }

    @Test("an intermediate authority can be revoked too")
    func intermediate() throws {
        var asked = question(.knownOnly)
        asked.revocationLists = [try list(), try list(by: 2, revoked: [chain[1]])]
        #expect(verifier.evaluate(asked).fault?.depth == 1)
    }

    @Test("an expired list, and a list of another issuer, are ignored")
    func uselessLists() throws {
        for useless in [
            try list(ends: .noon - .seconds(1)), try list(signer: try forge.key("fake")),
            [0x30, 0x03, 1, 2, 3], [],
        ] {
            var asked = question(.required)
            asked.revocationLists = [useless]
            #expect(verifier.evaluate(asked).fault?.kind == .revocationUnknown)
            asked.revocation = .knownOnly
            #expect(verifier.evaluate(asked).isValid)
        }
    }

    @Test("the certificate timestamps of a staple are read (RFC 6962 §3.3)")
    func stapledTimestamps() throws {
        let entry = [0] + [UInt8](repeating: 7, count: 32) + [0, 0, 0, 0, 0, 0, 3, 0xe8, 0, 0, 4, 3, 0, 1, 9]
        let list = [0, UInt8(entry.count + 2), 0, UInt8(entry.count)] + entry
        var evidence = Evidence(host: nil, presented: PresentedChain([]), anchors: [], time: .noon)
        evidence.staple(try response(.good, timestamps: list))
        #expect(evidence.stapledTimestamps?.map(\.time) == [Timestamp(seconds: 1)])
        #expect(TimestampCollection(evidence).entries.map(\.source) == [.staple])
        evidence.staple(try response(.good, timestamps: Array(list.dropLast())))
        #expect(evidence.stapledTimestamps == nil)
        #expect(TimestampCollection(evidence).malformed == [.staple])
        for none in [try response(.good), [1, 2, 3]] {
            evidence.staple(none)
            #expect(evidence.stapledTimestamps == [])
            #expect(evidence.stapledResponse == none)
        }
        evidence.staple(nil)
        #expect(evidence.stapledResponse == nil)
    }

    @Test("a staple says it for the leaf")
    func staples() throws {
        var asked = question(.required)
        asked.stapledResponse = try response(.good)
        let good = verifier.evaluate(asked)
        #expect(good.isValid, "\(good.fault?.detail ?? "")")
        #expect(good.revocation.first?.source == .staple)
        asked.stapledResponse = try response(.revoked(.noon - .days(2)))
        #expect(verifier.evaluate(asked).fault?.kind == .revoked)
        // A staple that says good does not outvote the list of the authority above.
        asked.stapledResponse = try response(.good)
        asked.revocationLists = [try list(by: 2, revoked: [chain[1]])]
        #expect(verifier.evaluate(asked).fault?.depth == 1)
    }

    @Test("the source that is asked first decides if a staple and a list disagree")
    func preference() throws {
        var asked = question(.knownOnly)
        asked.stapledResponse = try response(.good)
        asked.revocationLists = [try list(revoked: [chain[0]])]
        #expect(verifier.evaluate(asked).isValid)
        asked.prefersRevocationLists = true
        let answer = verifier.evaluate(asked)
        #expect(answer.fault?.kind == .revoked)
        #expect(answer.revocation.first?.source == .list)
        // A list that knows nothing leaves it to the staple.
        asked.revocationLists = [try list(ends: .noon - .seconds(1))]
        asked.stapledResponse = try response(.revoked(.noon - .days(2)))
        #expect(verifier.evaluate(asked).revocation.first?.source == .staple)
    }

    @Test("a staple that is over, unsigned, endless, about another or cut says nothing")
    func uselessStaples() throws {
        let whole = try response(.good)
        for (useless, word) in [
            (try response(.good, ends: .noon), "holds from"),
            (try response(.good, signer: try forge.key("fake")), "signature"),
            (try response(.good, ends: nil), "how long"),
            (try response(.good, about: chain[1]), "another certificate"),
            (try response(.unknown), "does not know"), (Array(whole.dropLast()), "malformed"),
            ([], "malformed"),
            (ASN1.sequence(ASN1.enumerated(6)), "unauthorized"),
        ] {
            var asked = question(.required)
            asked.stapledResponse = useless
            let answer = verifier.evaluate(asked)
            #expect(answer.fault?.kind == .revocationUnknown)
            #expect(answer.fault?.detail.contains(word) == true, "\(answer.fault?.detail ?? "")")
        }
    }

    @Test("files of lists are read in PEM and in DER")
    func files() throws {
        let der = try list()
        #expect(try RevocationList.parse(der) == [der])
        let text = "a list\n" + PEM.encode(der, label: "X509 CRL") + PEM.encode(der, label: "X509 CRL")
        #expect(try RevocationList.parse(Array(text.utf8)) == [der, der])
        for bad in [[], Array("text".utf8), Array(der.dropLast()), der + [0]] {
            #expect(throws: CryptoFailure.self) { try RevocationList.parse(bad) }
        }
    }
}
