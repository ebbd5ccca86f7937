import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime
import Testing

@testable import PinholeSession

@Suite("The parts of a proxy")
struct SessionPartsTests {
    private static let now = Timestamp(seconds: 1_795_262_400)

    private func authority(for domains: [String] = []) throws -> CertificateAuthority {
        var options = CertificateAuthority.Options(machineName: "test")
        options.permittedDomains = domains
        return try CertificateAuthority.create(options, now: Self.now)
    }

    @Test("a policy passes through the named hosts, and hosts that the authority may not sign for")
    func passthrough() throws {
        let policy = try ProxyPolicy(authority(for: ["example.com"]), passthrough: ["bank.example.com"])
        let treatments = try ["shop.example.com:443", "bank.example.com:443", "other.test:443"].map {
            policy.interception.decide(try Authority($0)).treatment
        }
        #expect(treatments == [.intercepted, .passedThrough, .passedThrough])
    }

    @Test("a setup takes over the settings of its parts")
    func setup() throws {
        let authority = try authority()
        let anchors = try TrustAnchors(system: false, additional: [authority.root])
        var parts = SessionParts(authority, policy: try ProxyPolicy(authority), anchors: anchors)
        parts.policy.isOffline = true
        parts.mark = 7
        let setup = try parts.setup()
        #expect(setup.policy.isOffline && setup.mark == 7)
        #expect(setup.environment.heldBodies === parts.heldBodies)
        #expect((setup.minter as? LeafMinter)?.authority.root.der == authority.root.der)
    }

    @Test("groups that OpenSSL does not know are refused")
    func groups() throws {
        let authority = try authority()
        let anchors = try TrustAnchors(system: false, additional: [])
        var parts = SessionParts(authority, policy: try ProxyPolicy(authority), anchors: anchors)
        parts.accepting.groups = "no such group"
        #expect(throws: CryptoFailure.self) { try parts.setup() }
    }
}
