import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

/// The family, and bad input, before our own verifier.
@Suite("ChainVerifier")
struct ChainVerifierTests {
    private let forge = ChainForge(now: .noon)
    private let verifier = ChainVerifier()

    private func question(
        _ presented: [Certificate],
        _ anchors: [Certificate],
        host: Host? = .name(ChainForge.host),
        at time: Timestamp = .noon
    ) -> ChainQuestion {
        ChainQuestion(
            Evidence(
                host: host,
                presented: PresentedChain(presented.map(\.facts)),
                anchors: anchors.map(\.facts),
                time: time
            ),
            by: .opensslStrict
        )
    }

    @Test("each chain of the family is judged as its factors say")
    func family() throws {
        let family = try ChainFamily(now: .noon)
        #expect(family.chains.count >= 300)
        #expect(Set(family.chains.map(\.name)).count == family.chains.count)
        for chain in family.chains {
            let answer = verifier.evaluate(chain.question(at: .noon))
            #expect(answer.fault?.kind == chain.fault, "\(chain.name): \(answer.fault?.detail ?? "trusted")")
            // The second time it is known.
            #expect(verifier.evaluate(chain.question(at: .noon)) == answer)
        }
    }

    @Test("dates hold from notBefore on, and until the second before notAfter")
    func boundaries() throws {
        let chain = try forge.chain(0)
        let (start, end) = (chain[0].notBefore, chain[0].notAfter)
        for (time, fault) in [
            (start - .seconds(1), ChainFault.Kind.notYetValid), (start, nil), (end - .seconds(1), nil),
            (end, .expired), (end + .seconds(1), .expired),
        ] {
            let asked = question([chain[0]], [chain[1]], at: time)
            // The same verifier for all: an answer is kept for a span of time, never beyond.
            #expect(verifier.evaluate(asked).fault?.kind == fault, "\(time.iso8601)")
            #expect(ChainVerifier().evaluate(asked).fault?.kind == fault, "\(time.iso8601)")
        }
    }

    @Test("the built path is there also after a failure, with the root that was sent or is known")
    func built() throws {
        let chain = try forge.chain(1)
        let stranger = try forge.chain(0, .p384)
        let sent = verifier.evaluate(question(chain, [stranger[1]]))
        #expect(sent.fault?.kind == .untrusted)
        #expect(sent.built == chain.map(\.facts))
        let notSent = verifier.evaluate(question(Array(chain.dropLast()), [stranger[1]]))
        #expect(notSent.built == chain.prefix(2).map(\.facts))
        let misnamed = verifier.evaluate(
            question(Array(chain.prefix(2)), [chain[2]], host: .name("other.test"))
        )
        #expect(misnamed.fault?.kind == .wrongName)
        #expect(misnamed.built == chain.map(\.facts))
    }

    @Test("the path ends before an issuer whose key did not make the signature")
    func builtIsSigned() throws {
        let real = try forge.chain(2)
        for place in 0...2 {
            let forged = try forge.chain(2, .p256, [place: { $0.breaksSignature = true }])
            let answer = verifier.evaluate(question(forged, [real[3]]))
            #expect(!answer.isValid)
            #expect(answer.built == forged.prefix(place + 1).map(\.facts), "\(place)")
        }
    }

    @Test(
        "a raw key that signed the topmost sent certificate is an anchor; another key is not",
        arguments: VerifierProfile.Name.allCases.filter { $0 != .nss }
    )
    func anchorKeys(name: VerifierProfile.Name) throws {
        let question = { (chain: [Certificate], time: Timestamp) in
            var asked = self.question(chain, [], at: time)
            asked.verifier = .named(name)
            return asked
        }
        let chain = try forge.chain(1)
        let keys = try chain.map { try PublicKey(der: $0.spki).spki }
        let sent = Array(chain.prefix(2))
        var asked = question(sent, .noon)
        asked.anchorKeys = [keys[2]]
        #expect(verifier.evaluate(asked).path?.certificates == sent.map(\.facts))
        asked.host = .name("other.test")
        #expect(verifier.evaluate(asked).fault?.kind == .wrongName)
        asked = question(sent, .noon + .days(200))
        asked.anchorKeys = [keys[2]]
        #expect(verifier.evaluate(asked).fault?.kind == .expired)
        for keys in [[], [keys[0]], [keys[1]], [[0x30, 0]], [[]]] as [[[UInt8]]] {
            asked = question(sent, .noon)
            asked.anchorKeys = keys
            #expect(verifier.evaluate(asked).fault?.kind == .untrusted)
        }
        // The leaf alone, signed by the key.
        asked = question([chain[0]], .noon)
        asked.anchorKeys = [keys[1]]
        #expect(verifier.evaluate(asked).isValid)
        // A leaf that the owner of the key did not sign.
        asked = question(try forge.chain(1, .p256, [1: { $0.breaksSignature = true }]).dropLast(), .noon)
        asked.anchorKeys = [keys[2]]
        #expect(!verifier.evaluate(asked).isValid)
    }

    @Test("a path to an anchor that is refused gets no second chance below a bare key")
    func refusedAnchor() throws {
        let chain = try forge.chain(
            1,
            .p256,
            [2: { $0.setConstraints(permitted: [], excluded: [.dns("family.test")]) }]
        )
        var asked = question(Array(chain.prefix(2)), [chain[2]])
        asked.verifier = .rfc5280
        asked.anchorKeys = [try PublicKey(der: chain[2].spki).spki]
        #expect(verifier.evaluate(asked).fault?.kind == .nameConstraints)
    }

    @Test("sentences hold names and dates")
    func sentences() throws {
        let chain = try forge.chain(0)
        let misnamed = verifier.evaluate(question([chain[0]], [chain[1]], host: .name("other.test")))
        #expect(misnamed.fault?.detail == "the certificate is for www.family.test, not for other.test")
        let late = verifier.evaluate(question([chain[0]], [chain[1]], at: .noon + .days(100)))
        #expect(late.fault?.detail == "“CN=Family p256 root” expired on 2027-02-09T12:00:00Z")
        #expect(late.fault?.depth == 1)
    }

    @Test("a malformed authority is named, not the leaf below it")
    func malformedAuthority() throws {
        let broken: [[UInt8]] = [ASN1.sequence(ASN1.isTrue, ASN1.integer([0xff])), [0x30, 0x7f]]
        for value in broken {
            let chain = try forge.chain(
                1,
                .p256,
                [1: { $0.set(CraftedCertificate.basicConstraints, isCritical: true, value) }]
            )
            let fault = verifier.evaluate(question(Array(chain.dropLast()), [chain[2]])).fault
            #expect(fault?.kind == .malformed)
            #expect(fault?.depth == 1)
            #expect(
                fault?.detail.hasPrefix("“\(chain[1].facts.subject)” does not") == true,
                "\(fault as Any)"
            )
        }
    }

    @Test("an authority without keyUsage, as plain openssl makes them, is refused with the remedy")
    func unusableAuthority() throws {
        let chain = try forge.chain(0, .p256, [1: { $0.setKeyUsage(nil) }])
        let fault = verifier.evaluate(question([chain[0]], [chain[1]])).fault
        #expect(fault?.kind == .malformed && fault?.depth == 1)
        #expect(
            fault?.detail.contains("-addext keyUsage=critical,keyCertSign,cRLSign") == true,
            "\(fault as Any)"
        )
    }

    @Test("a chain in the wrong order is reported")
    func order() throws {
        let chain = try forge.chain(1)
        let turned = verifier.evaluate(question([chain[1], chain[0]], [chain[2]], host: nil)).fault
        #expect(turned?.kind == .wrongPurpose || turned?.kind == .wrongName, "\(turned as Any)")
        #expect(
            turned?.detail.hasSuffix("; the first certificate is a CA: servers send the leaf first") == true,
            "\(turned as Any)"
        )
        let other = try forge.chain(1, .p256, [0: { $0.setNames(nil) }])
        let second = verifier.evaluate(question([other[0], chain[0], chain[1]], [chain[2]])).fault
        #expect(second?.kind == .wrongName)
        #expect(second?.detail.hasSuffix("is for that host: servers send the leaf first") == true)
        let alone = verifier.evaluate(question([chain[1]], [chain[2]], host: nil)).fault
        #expect(alone?.detail.contains("first") == false)
    }

    @Test("without a host names do not matter, without a purpose purposes do not")
    func optional() throws {
        let chain = try forge.chain(
            0,
            .p256,
            [
                0: { template in
                    template.setNames(nil)
                    template.setPurposes([ChainForge.Purpose.client])
                }
            ]
        )
        var asked = question([chain[0]], [chain[1]], host: nil)
        #expect(verifier.evaluate(asked).fault?.kind == .wrongPurpose)
        asked.requiresServerPurpose = false
        #expect(verifier.evaluate(asked).isValid)
    }

    @Test("nothing, too much and nonsense are faults")
    func nonsense() throws {
        let chain = try forge.chain(0)
        #expect(verifier.evaluate(question([], [chain[1]])).fault?.kind == .empty)
        #expect(verifier.evaluate(question([chain[0]], [])).fault?.kind == .untrusted)
        let many = [Certificate](repeating: chain[0], count: ChainVerifier.mostPresented + 1)
        #expect(verifier.evaluate(question(many, [chain[1]])).fault?.kind == .malformed)
        #expect(verifier.evaluate(question(many.dropLast(), [chain[1]])).isValid)
        for level in [-7, 99] {
            var asked = question([chain[0]], [chain[1]])
            asked.securityLevel = level
            _ = verifier.evaluate(asked)
        }
    }

    @Test("bytes that are not a certificate are a fault at their position in the chain")
    func damaged() throws {
        let chain = try forge.chain(1)
        for count in [0, 1, 100, chain[1].der.count - 1] {
            let bad = chain[1].facts.replacing(der: Array(chain[1].der.prefix(count)))
            var asked = question([chain[0]], [chain[2]])
            asked.presented = PresentedChain([chain[0].facts, bad])
            let answer = verifier.evaluate(asked)
            #expect(answer.fault?.kind == .malformed)
            #expect(answer.fault?.depth == 1)
            asked = question([chain[0], chain[1]], [])
            asked.anchors = [bad]
            #expect(verifier.evaluate(asked).fault?.kind == .malformed)
        }
    }

    @Test("several threads may ask at once")
    func threads() async throws {
        let family = try ChainFamily(now: .noon)
        let questions = family.chains.prefix(60).map { $0.question(at: .noon) }
        let expected = questions.map { ChainVerifier().evaluate($0).fault }
        let verifier = verifier
        await withTaskGroup(of: [ChainFault?].self) { group in
            for _ in 0..<4 { group.addTask { questions.map { verifier.evaluate($0).fault } } }
            for await found in group { #expect(found == expected) }
        }
    }
}

extension CertificateFacts {
    /// The same facts with other bytes, as no parser would give them.
    fileprivate func replacing(der: [UInt8]) -> CertificateFacts {
        CertificateFacts(
            der: der,
            spki: spki,
            key: key,
            keyKind: keyKind,
            sha256: Digest.sha256(der),
            sha512: sha512,
            spkiSHA1: spkiSHA1,
            spkiSHA256: spkiSHA256,
            spkiSHA512: spkiSHA512,
            rawKeySHA256: rawKeySHA256,
            subject: subject,
            issuer: issuer,
            names: names,
            notBefore: notBefore,
            notAfter: notAfter,
            isAuthority: isAuthority,
            pathLength: pathLength,
            isSelfSigned: isSelfSigned
        )
    }
}
