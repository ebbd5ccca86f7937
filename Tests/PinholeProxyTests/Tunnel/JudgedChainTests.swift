import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

@Suite("JudgedChain")
struct JudgedChainTests {
    private let fault = ServerFault(.expired, "the certificate expired")

    private func verification(
        _ fault: ServerFault?,
        exemption: String? = nil,
        presented: [Certificate] = []
    ) -> ChainVerification {
        ChainVerification(presented: presented, validated: [], fault: fault, exemption: exemption)
    }

    @Test("has one verdict for every finding")
    func verdicts() {
        for (chain, verdict, isAccepted) in [
            (JudgedChain.of(verification(nil), mirrors: false, failure: nil), .trusted, true),
            (.of(verification(nil), mirrors: true, failure: nil), .trusted, true),
            (
                .of(verification(fault, exemption: "r"), mirrors: false, failure: nil),
                .exempted(fault, reason: "r"), true
            ),
            (.of(verification(fault, exemption: "r"), mirrors: true, failure: nil), .mirrored(fault), true),
            (.of(verification(fault), mirrors: true, failure: "x"), .refused(fault), false),
            (.of(verification(nil), mirrors: false, failure: "cut"), .absent("cut"), false),
            (.of(nil, mirrors: false, failure: "cut"), .absent("cut"), false),
            (.of(nil, mirrors: false, failure: nil), .absent("the server sent no certificate"), false),
            (.absent("why"), .absent("why"), false),
        ] as [(JudgedChain, JudgedChain.Verdict, Bool)] {
            #expect(chain.verdict == verdict)
            #expect(chain.isAccepted == isAccepted)
        }
    }

    @Test("forges a fault only where it is mirrored")
    func leaves() throws {
        let world = try Tunnels.world
        let host = Host.name("a.test")
        let leaf = try world.serverMinter.mint(LeafRequest(names: [.name("b.test")]), now: world.now)
        let selfSigned = try world.serverMinter.mint(
            LeafRequest(names: [host], fault: .selfSigned),
            now: world.now
        )
        let certificate = leaf.certificate
        let dates = (certificate.notBefore, certificate.notAfter)
        for (kind, presented, expected) in [
            (.expired, [certificate], .expired(notBefore: dates.0, notAfter: dates.1)),
            (.notYetValid, [certificate], .notYetValid(notBefore: dates.0, notAfter: dates.1)),
            (.wrongName, [certificate], .wrongName(names: [.name("b.test")])),
            (.untrusted, [certificate], .untrusted), (.untrusted, [selfSigned.certificate], .selfSigned),
            (.revoked, [certificate], .untrusted), (.unacceptable, [certificate], .untrusted),
            (.expired, [], .untrusted),
        ] as [(ServerFault.Kind, [Certificate], LeafFault)] {
            let found = verification(ServerFault(kind, ""), exemption: "mirror", presented: presented)
            let mirrored = JudgedChain.of(found, mirrors: true, failure: nil)
            #expect(mirrored.leafRequest(for: host) == LeafRequest(names: [host], fault: expected), "\(kind)")
            let exempted = JudgedChain.of(found, mirrors: false, failure: nil)
            #expect(exempted.leafRequest(for: host) == LeafRequest(names: [host]))
        }
    }
}
