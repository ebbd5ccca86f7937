import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeCrypto

/// Chains with more than one way up, and chains that are made to have too many.
@Suite("PathSearch")
struct PathSearchTests {
    private let forge = ChainForge(now: .noon)
    private let verifier = ChainVerifier()

    private func question(_ presented: [Certificate], _ anchors: [Certificate]) throws -> ChainQuestion {
        ChainQuestion(
            Evidence(
                host: try Host(ChainForge.host),
                presented: PresentedChain(presented.map(\.facts)),
                anchors: anchors.map(\.facts),
                time: .noon
            ),
            by: .opensslStrict
        )
    }

    /// The template of an authority with a name and a key of its own.
    private func authority(_ name: String, by issuer: CraftedCertificate? = nil) throws -> CraftedCertificate
    {
        var template = try forge.plain(1, of: 1, .p256, nil)
        template.subject = name
        template.key = try forge.key(name)
        forge.setIdentifiers(&template, issuer: issuer?.key)
        return template
    }

    private func path(_ certificates: Certificate...) -> ValidatedChain {
        ValidatedChain(certificates.map(\.facts))
    }

    /// A leaf by an issuing authority that two roots have certified.
    private struct CrossSigned {
        let leaf: Certificate
        let byFirst: Certificate
        let bySecond: Certificate
        let first: Certificate
        let second: Certificate
    }

    private func crossSigned() throws -> CrossSigned {
        let first = try authority("first root")
        let second = try authority("second root")
        let byFirst = try authority("issuing", by: first)
        let bySecond = try authority("issuing", by: second)
        return CrossSigned(
            leaf: try forge.made(forge.plain(0, of: 0, .p256, byFirst), by: byFirst),
            byFirst: try forge.made(byFirst, by: first),
            bySecond: try forge.made(bySecond, by: second),
            first: try forge.made(first, by: first),
            second: try forge.made(second, by: second)
        )
    }

    @Test("finds one path of a plain chain, also among other certificates")
    func plain() throws {
        let chain = try forge.chain(2)
        let stranger = try forge.chain(1, .p384)
        let asked = try question(chain + stranger + chain, [chain[3], stranger[2]])
        let found = verifier.paths(for: asked)
        #expect(found == PathSet([ValidatedChain(chain.map(\.facts))], isComplete: true))
        #expect(found.paths.first == verifier.evaluate(asked).path)
        #expect(verifier.paths(for: try question(chain, [])) == PathSet([], isComplete: true))
        #expect(verifier.paths(for: try question([], [chain[3]])) == PathSet([], isComplete: true))
    }

    @Test("a root that another root has certified gives two paths")
    func crossSignedRoot() throws {
        let root = try authority("root")
        let other = try authority("other root")
        let cross = try authority("root", by: other)
        let issuing = try authority("issuing", by: root)
        let leaf = try forge.made(forge.plain(0, of: 0, .p256, issuing), by: issuing)
        let between = try forge.made(issuing, by: root)
        let (own, old) = (try forge.made(root, by: root), try forge.made(other, by: other))
        let certificate = try forge.made(cross, by: other)
        let found = verifier.paths(for: try question([leaf, between, certificate], [old, own]))
        #expect(found.isComplete)
        #expect(Set(found.paths) == [path(leaf, between, own), path(leaf, between, certificate, old)])
    }

    @Test("both cross-certificates sent: OpenSSL takes the first and fails, the other path is found (L13)")
    func bothCrossCertificates() throws {
        let made = try crossSigned()
        let policy = AnchorsOnlyPolicy(anchors: [made.second.facts])
        let sent = [made.leaf, made.byFirst, made.bySecond]
        var evidence = Evidence(
            host: try Host(ChainForge.host),
            presented: PresentedChain(sent.map(\.facts)),
            anchors: [],
            time: .noon
        )
        evidence.verifier = .opensslStrict
        let inquiry = ChainInquiry(verifier)
        let judgement = policy.judge(evidence, with: inquiry)
        #expect(judgement.path == nil)
        #expect(
            inquiry.otherPaths() == PathSet([path(made.leaf, made.bySecond, made.second)], isComplete: true)
        )
        // With both roots both are valid, and the one that decided is left out.
        let both = ChainInquiry(verifier)
        let answer = both.evaluate(try question(sent, [made.first, made.second]))
        #expect(answer.path == path(made.leaf, made.byFirst, made.first))
        #expect(both.otherPaths().paths == [path(made.leaf, made.bySecond, made.second)])
        #expect(ChainInquiry(verifier).otherPaths() == PathSet([], isComplete: true))
    }

    @Test(
        "a certificate that is no CA and has a CA's name and key is in no path (A29)",
        arguments: [true, false]
    )
    func sharedKey(saysUsage: Bool) throws {
        let pinned = try authority("pinned root")
        let other = try authority("other root")
        var phony = try authority("shared", by: pinned)
        phony.setBasicConstraints(authority: false)
        phony.setKeyUsage(saysUsage ? .digitalSignature : nil)
        let real = try authority("shared", by: other)
        let leaf = try forge.made(forge.plain(0, of: 0, .p256, real), by: real)
        let sent = [leaf, try forge.made(phony, by: pinned), try forge.made(real, by: other)]
        let anchors = [try forge.made(pinned, by: pinned), try forge.made(other, by: other)]
        let asked = try question(sent, anchors)
        let found = verifier.paths(for: asked)
        #expect(found == PathSet([path(leaf, sent[2], anchors[1])], isComplete: true))
        // OpenSSL takes the first that fits by name, whatever its keyUsage says, and stays with it.
        #expect(verifier.evaluate(asked).fault?.kind == .notAuthority)
    }

    @Test("an anchor that is no root ends a path only where that is allowed")
    func partial() throws {
        let chain = try forge.chain(1)
        var asked = try question(chain, [chain[1], chain[2]])
        #expect(verifier.paths(for: asked).paths == [path(chain[0], chain[1], chain[2])])
        asked.allowsPartialChain = true
        #expect(
            Set(verifier.paths(for: asked).paths) == [
                path(chain[0], chain[1]), path(chain[0], chain[1], chain[2]),
            ]
        )
        asked.anchors = [chain[0].facts]
        #expect(verifier.paths(for: asked).paths == [path(chain[0])])
    }

    @Test("a path holds for the host, the time and the purpose, as the question says")
    func conditions() throws {
        let chain = try forge.chain(1)
        var asked = try question(chain, [chain[2]])
        asked.host = .name("other.test")
        #expect(verifier.paths(for: asked).paths.isEmpty)
        asked.host = nil
        asked.time = .noon + .days(100)
        #expect(verifier.paths(for: asked).paths.isEmpty)
    }

    // MARK: Bombs

    /// How often OpenSSL is asked, what comes of it, and how long it takes.
    private func search(_ question: ChainQuestion) -> (found: PathSet, verifications: Int, took: Duration) {
        var count = 0
        var search = PathSearch(
            question: question,
            handle: { try? Certificate(der: $0.der).handle },
            verify: { one in
                count += 1
                return verifier.evaluate(one)
            }
        )
        var found = PathSet([], isComplete: false)
        let took = ProcessorTime.measure { found = search.run() }
        return (found, count, took)
    }

    @Test("a thousand certificates of one authority: the number of paths is bounded")
    func sameKey() throws {
        let root = try authority("root")
        let leaf = try forge.made(
            forge.plain(0, of: 0, .p256, authority("issuing", by: root)),
            by: authority("issuing")
        )
        let many = try (0..<998).map { index in
            var template = try authority("issuing", by: root)
            template.serial = [0x40, UInt8(index >> 8), UInt8(index & 0xff)]
            return try forge.made(template, by: root)
        }
        let asked = try question([leaf] + many, [forge.made(root, by: root)])
        let (found, verifications, took) = search(asked)
        #expect(found.paths.count == PathSearch.Limits.paths)
        #expect(!found.isComplete)
        #expect(verifications <= PathSearch.Limits.verifications)
        #expect(took < .seconds(20), "\(took)")
    }

    @Test("a thousand authorities of one name and other keys: the signatures that are checked are bounded")
    func sameName() throws {
        let root = try authority("root")
        let real = try authority("issuing", by: root)
        let leaf = try forge.made(forge.plain(0, of: 0, .p256, nil), by: real)
        let many = try (0..<998).map { index in
            var template = try authority("wrong \(index)", by: root)
            template.subject = "issuing"
            return try forge.made(template, by: root)
        }
        let (found, verifications, took) = search(try question([leaf] + many, [forge.made(root, by: root)]))
        #expect(found == PathSet([], isComplete: false))
        #expect(verifications == 0)
        #expect(took < .seconds(20), "\(took)")
    }

    @Test("authorities that certify each other at every level: the walk is bounded")
    func ladder() throws {
        let levels = 12
        func name(_ level: Int, _ side: Int) -> String { "level \(level) key \(side)" }
        func rung(_ level: Int, _ side: Int, by above: CraftedCertificate?) throws -> CraftedCertificate {
            var template = try authority(name(level, side), by: above)
            template.subject = "level \(level)"
            return template
        }
        var sent: [Certificate] = []
        for level in 0..<levels {
            for side in 0..<3 {
                for above in 0..<3 {
                    let issuer = try rung(level + 1, above, by: nil)
                    sent.append(try forge.made(rung(level, side, by: issuer), by: issuer))
                }
            }
        }
        let issuer = try rung(0, 0, by: nil)
        let leaf = try forge.made(forge.plain(0, of: 0, .p256, issuer), by: issuer)
        let top = try rung(levels, 0, by: nil)
        let (found, verifications, took) = search(try question([leaf] + sent, [forge.made(top, by: top)]))
        #expect(!found.isComplete)
        #expect(found.paths.count <= PathSearch.Limits.paths)
        #expect(verifications <= PathSearch.Limits.verifications)
        #expect(took < .seconds(20), "\(took)")
    }
}
