import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeCrypto

/// Servers of the proxy before the verifier of a platform.
@Suite("ServerVerifier")
struct ServerVerifierTests {
    private let chain: [Certificate]
    private let stranger: Certificate

    init() throws {
        let forge = ChainForge(now: .noon)
        chain = try forge.chain(1, .p256, [0: { $0.notAfter = $0.notBefore + .seconds(900 * 86_400) }])
        stranger = try #require(try forge.chain(0, .p384).last)
    }

    private func verify(
        _ profile: VerifierProfile,
        _ root: Certificate? = nil,
        host: String = ChainForge.host,
        at time: Timestamp = .noon
    ) throws -> (validated: [Certificate], fault: ServerFault?) {
        let root = try root ?? #require(chain.last)
        return ServerVerifier(profile, system: [root], additional: []) { time }
            .verify(Array(chain.dropLast()), for: .name(host))
    }

    @Test("the rules of the chosen platform decide")
    func platforms() throws {
        for profile in [VerifierProfile.java, .go, .android, .opensslStrict] {
            let (validated, fault) = try verify(profile)
            #expect(fault == nil && validated == chain, "\(profile.name): \(fault?.description ?? "")")
        }
        let (validated, fault) = try verify(.apple)
        #expect(validated.isEmpty && fault?.kind == .unacceptable)
        #expect(fault?.description.contains("825 days") == true)
    }

    @Test("a fault keeps its kind, so that mirror mode can copy it, and names the platform")
    func faults() throws {
        let late = chain[0].notAfter + .seconds(1)
        for (found, kind) in [
            (try verify(.java, host: "other.test"), ServerFault.Kind.wrongName),
            (try verify(.java, stranger), .untrusted),
            (try verify(.java, at: late), .expired),
        ] {
            #expect(found.fault?.kind == kind && found.validated.isEmpty)
            #expect(found.fault?.description.hasSuffix("(verifier java)") == true)
        }
    }
}
