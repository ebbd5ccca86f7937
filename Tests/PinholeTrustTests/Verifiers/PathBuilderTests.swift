import PinholeModel
import Testing

@testable import PinholeTrust

/// Paths of certificates that no authority would issue, with signatures by agreement.
@Suite("PathBuilder")
struct PathBuilderTests {
    /// A root, which is the anchor, and a leaf.
    private struct Chain {
        var root = SyntheticCertificate(
            issuer: "root",
            subject: "root",
            extensions: SyntheticCertificate.authority
        )
        var leaf = SyntheticCertificate(
            issuer: "root",
            subject: "leaf",
            extensions: [SyntheticCertificate.domain("www.a.test"), SyntheticCertificate.server]
        )

        /// The fault by a profile; `nil` if the chain is valid.
        func fault(_ profile: VerifierProfile, early seconds: Int64 = 0) throws -> ChainFault? {
            let leafFacts = Synthetic.certificate("leaf", by: "root", hosts: ["www.a.test"])
            let rootFacts = Synthetic.certificate("root")
            let fields = [leafFacts: try #require(leaf.parsed), rootFacts: try #require(root.parsed)]
            var question = PathBuilderTests.question([leafFacts], [rootFacts], profile)
            if seconds > 0 { question.time = leafFacts.notBefore - .seconds(seconds) }
            var builder = PathBuilder(question: question, parsed: { fields[$0] }, isSigned: { _, _ in true })
            return builder.answer().fault
        }

        /// The names of the profiles of plain code that accept the chain.
        func accepting() throws -> Set<String> {
            let profiles = VerifierProfile.Name.allCases.map(VerifierProfile.named).filter { !$0.isOpenSSL }
            return Set(try profiles.filter { try fault($0) == nil }.map(\.name.rawValue))
        }
    }

    private static func question(
        _ presented: [CertificateFacts],
        _ anchors: [CertificateFacts],
        _ profile: VerifierProfile
    ) -> ChainQuestion {
        ChainQuestion(
            Evidence(
                host: .name("www.a.test"),
                presented: PresentedChain(presented),
                anchors: anchors,
                time: Synthetic.now
            ),
            by: profile
        )
    }

    private static let all: Set<String> = ["apple", "android", "go", "gnutls", "java", "nss", "rfc5280"]

    @Test("every profile accepts a sound chain")
    func sound() throws {
        #expect(try Chain().accepting() == Self.all)
    }

    @Test("an anchor with a malformed constraint is refused where its extensions are read")
    func malformedAnchor() throws {
        var chain = Chain()
        // The second subtree has the tag 8f.
        let trees: [UInt8] = [0x30, 0x03, 0x82, 0x01, 0x61, 0x30, 0x03, 0x8f, 0x01, 0x61]
        let constraint = SyntheticCertificate.element(0x30, SyntheticCertificate.element(0xa0, trees))
        chain.root.extensions.append(SyntheticCertificate.extension(30, constraint))
        #expect(try chain.accepting() == ["android"])
        #expect(try chain.fault(.rfc5280)?.kind == .malformed)
    }

    @Test("an anchor with an extension twice is refused where its extensions are read")
    func repeatedAnchor() throws {
        var chain = Chain()
        chain.root.extensions += SyntheticCertificate.authority
        #expect(try chain.accepting() == ["android"])
    }

    @Test("extensions need version 3, except for NSS, and no profile knows a version above 3")
    func versions() throws {
        var chain = Chain()
        chain.leaf.version = nil
        #expect(try chain.accepting() == ["nss"])
        chain.leaf.version = 8
        #expect(try chain.accepting() == [])
    }

    @Test("NSS takes a certificate up to a day before it is valid")
    func early() throws {
        #expect(try Chain().fault(.nss, early: 86_400) == nil)
        #expect(try Chain().fault(.nss, early: 86_401)?.kind == .notYetValid)
        #expect(try Chain().fault(.rfc5280, early: 1)?.kind == .notYetValid)
    }

    @Test("GnuTLS refuses an anchor with CA:FALSE, and not an anchor without basicConstraints")
    func deniedAnchor() throws {
        let usage = SyntheticCertificate.extension(15, [0x03, 0x02, 0x01, 0x06])
        var chain = Chain()
        chain.root.extensions = [usage]
        #expect(try chain.accepting() == ["android", "gnutls", "rfc5280"])
        chain.root.extensions = [SyntheticCertificate.extension(19, [0x30, 0]), usage]
        #expect(try chain.accepting() == ["android", "rfc5280"])
    }

    @Test("a constraint that is a dot alone covers no name")
    func dotAlone() throws {
        var chain = Chain()
        let tree = SyntheticCertificate.element(0x30, [0x82, 1, 0x2e])
        let trees = SyntheticCertificate.element(0x30, SyntheticCertificate.element(0xa1, tree))
        chain.root.extensions.append(SyntheticCertificate.extension(30, trees))
        #expect(try chain.fault(.rfc5280) == nil)
        var strict = VerifierProfile.rfc5280
        strict.nameConstraints.refusesEmptyDomain = true
        #expect(try chain.fault(strict)?.kind == .nameConstraints)
    }

    @Test("a signature of DSA is refused by the platforms without DSA, with any issuer")
    func signatureOfDSA() throws {
        var chain = Chain()
        // dsa-with-SHA256: 2.16.840.1.101.3.4.3.2
        chain.leaf.signature = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x02]
        #expect(try chain.accepting() == ["apple", "java", "nss", "rfc5280"])
    }

    @Test("by the RFC, a leaf with only cRLSign in keyUsage is no TLS server")
    func keyUsage() throws {
        var chain = Chain()
        chain.leaf.extensions.append(SyntheticCertificate.extension(15, [0x03, 0x02, 0x01, 0x02]))
        #expect(try chain.fault(.rfc5280)?.kind == .wrongPurpose)
    }

    @Test("constraints that cannot be compared, and names of a wrong length, are refused")
    func malformedNames() throws {
        /// A name with its tag.
        func trees(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let tree = SyntheticCertificate.element(0x30, SyntheticCertificate.element(tag, content))
            return SyntheticCertificate.element(0x30, SyntheticCertificate.element(0xa1, tree))
        }
        for (value, profiles) in [
            (trees(0x82, Array("*.a.test".utf8)), [.rfc5280]),
            (trees(0x86, Array("1.2.3.4".utf8)), [.rfc5280, .go]),
            (trees(0x87, [10, 0, 0, 0, 255, 0, 255, 0]), [.rfc5280, .go]),
        ] as [([UInt8], [VerifierProfile])] {
            var chain = Chain()
            chain.root.extensions.append(SyntheticCertificate.extension(30, value))
            for profile in profiles { #expect(try chain.fault(profile)?.kind == .nameConstraints) }
        }
        var chain = Chain()
        let names: [UInt8] =
            SyntheticCertificate.element(0x82, Array("www.a.test".utf8)) + [0x87, 5, 1, 2, 3, 4, 5]
        let list = SyntheticCertificate.element(0x30, names)
        chain.leaf.extensions = [SyntheticCertificate.extension(17, list), SyntheticCertificate.server]
        for profile in [VerifierProfile.rfc5280, .go] {
            #expect(try chain.fault(profile)?.kind == .malformed)
        }
    }

    @Test("a signature by one of two issuers with the same name is valid")
    func twoIssuers() throws {
        let leaf = Synthetic.certificate("leaf", by: "middle", hosts: ["www.a.test"])
        let issuers = ["first", "second"].map { Synthetic.certificate($0, by: "root") }
        let fields = Chain().leaf.parsed
        let middle = SyntheticCertificate(
            issuer: "none",
            subject: "root",
            extensions: SyntheticCertificate.authority
        )
        let parsed = middle.parsed
        for signer in issuers {
            var builder = PathBuilder(
                question: Self.question([leaf] + issuers, [], .rfc5280),
                parsed: { $0 == leaf ? fields : parsed },
                isSigned: { $1 == signer }
            )
            #expect(builder.answer().fault?.kind == .untrusted)
        }
        var builder = PathBuilder(
            question: Self.question([leaf] + issuers, [], .rfc5280),
            parsed: { $0 == leaf ? fields : parsed },
            isSigned: { _, _ in false }
        )
        #expect(builder.answer().fault?.kind == .badSignature)
    }

    @Test("a fault says which limit ended the search")
    func limits() throws {
        var profile = VerifierProfile.rfc5280
        profile.limits.signatures = 0
        let fault = try #require(try Chain().fault(profile))
        #expect(
            fault.detail.contains("the search is not complete: it may check 0 signatures (verifier rfc5280)")
        )
    }

    @Test("only one common name counts")
    func commonNames() throws {
        let attribute = { (name: String) -> [UInt8] in
            let value = SyntheticCertificate.element(0x0c, Array(name.utf8))
            let pair = SyntheticCertificate.element(0x30, [0x06, 0x03, 0x55, 0x04, 0x03] + value)
            return SyntheticCertificate.element(0x31, pair)
        }
        for (names, expected) in [
            (["www.a.test"], ["gnutls", "java", "nss", "openssl"]),
            (["x.test", "www.a.test"], ["java", "openssl"]),
            (["www.a.test", "x.test"], ["openssl"]),
        ] as [([String], Set<String>)] {
            let encoding = SyntheticCertificate.element(0x30, names.flatMap(attribute))
            var reader = DERReader(encoding[...])
            let subject = try DistinguishedName(try reader.next(DERElement.Tag.sequence))
            let covering = ["gnutls", "java", "nss", "openssl", "rfc5280"].filter { name in
                guard let profile = VerifierProfile.Name(rawValue: name) else { return false }
                return VerifierProfile.named(profile).leaf.commonName.names(of: subject).contains(
                    "www.a.test"
                )
            }
            #expect(Set(covering) == expected)
        }
    }

    @Test(
        "wildcards count where the platform permits them",
        arguments: [
            ("*.a.test", "w.l.s.e"), ("w*.a.test", "s.e"), ("*w.a.test", "l.s.e"), ("w*w.a.test", "s.e"),
            ("www.*.test", ""), ("*.*.a.test", ""), ("*w*.a.test", "e"), ("www*.a.test", "s.e"),
            ("x*.a.test", ""),
            ("*.test", ""), ("*", ""), ("WWW.A.test", "w.l.s.e"), ("www.a.test.", ""), ("*ww*.a.test", "e"),
            ("*wwww.a.test", ""), ("*.b.test", ""), ("w*w*w.a.test", "e"), ("www.a*.b.test", ""),
        ]
    )
    func wildcards(pattern: String, expected: String) {
        let kinds: [(String, VerifierProfile.LeafRules.Wildcards)] = [
            ("w", .wholeLabel), ("l", .startOfLabel), ("s", .partOfLabel), ("e", .anyLabel),
        ]
        let found = kinds.filter { $0.1.match(pattern, "www.a.test") }.map(\.0).joined(separator: ".")
        #expect(found == expected)
    }

    @Test("every label of a name may have a wildcard for Java")
    func wildcardInTheMiddle() {
        #expect(VerifierProfile.java.leaf.wildcards.match("www.a*.b.test", "www.ax.b.test"))
        #expect(!VerifierProfile.openssl.leaf.wildcards.match("www.a*.b.test", "www.ax.b.test"))
        #expect(!VerifierProfile.java.leaf.wildcards.match("*.b.test", ".b.test"))
    }
}
