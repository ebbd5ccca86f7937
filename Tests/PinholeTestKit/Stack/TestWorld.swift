import Foundation
package import PinholeCrypto
package import PinholeModel
package import PinholeProxy

/// The certificates of a test: the proxy's CA, and a CA of the servers; nothing leaves the memory.
package struct TestWorld: Sendable {
    /// The CA of the proxy.
    package let proxyAuthority: CertificateAuthority
    /// The CA of the servers.
    package let serverAuthority: CertificateAuthority
    /// Makes what the proxy presents.
    package let proxyMinter: LeafMinter
    /// Makes what servers present.
    package let serverMinter: LeafMinter
    /// The present, since OpenSSL verifies against the clock of the machine.
    package let now: Timestamp

    /// Creates both CAs.
    package init() throws(CryptoFailure) {
        now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        let past = now - .seconds(90 * 86_400)
        proxyAuthority = try .create(.init(machineName: "proxy"), now: past)
        serverAuthority = try .create(.init(machineName: "servers"), now: past)
        proxyMinter = LeafMinter(authority: proxyAuthority)
        serverMinter = LeafMinter(authority: serverAuthority)
    }

    /// An environment that trusts the servers' CA and not the proxy's own.
    package func environment(
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        identities: [TunnelEnvironment.ClientIdentity] = []
    ) throws(CryptoFailure) -> TunnelEnvironment {
        TunnelEnvironment(
            accepting: try TLSContext(acceptingVersions: .tls12 ... .tls13),
            connecting: try TLSContext(connectingVersions: versions, trust: try serverTrust()),
            identities: identities,
            distrusted: [proxyAuthority.certificate.spkiSHA256]
        )
    }

    /// A policy without rules.
    package func policy() -> ProxyPolicy {
        let download = Onboarding.Download(
            path: "/pinhole-ca.pem",
            fileName: "pinhole-ca.pem",
            type: "application/x-pem-file",
            purpose: "the CA in PEM",
            bytes: Array(proxyAuthority.certificate.pem.utf8)
        )
        return ProxyPolicy(
            interception: InterceptionRules(passthrough: Self.noRules),
            onboarding: Onboarding(
                downloads: [download],
                subject: proxyAuthority.certificate.subject,
                fingerprint: "00",
                expiry: "never"
            )
        )
    }

    /// A client that trusts the proxy's CA, or other CAs.
    package func client(
        for host: String,
        protocols: [String] = ["http/1.1"],
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        trusting authorities: [Certificate]? = nil,
        refusing refused: [Certificate] = []
    ) throws -> TLSEngine {
        let host = try Host(host)
        let anchors = try TrustAnchors(system: false, additional: authorities ?? [proxyAuthority.root])
        return try TLSEngine(
            connecting: try TLSContext(connectingVersions: versions, trust: anchors),
            judge: ServerJudge(host: host, exemption: nil, distrusted: refused.map(\.spkiSHA256)),
            serverName: host.name,
            applicationProtocols: protocols
        )
    }

    /// A server with a certificate of the servers' CA.
    package func server(
        for host: String,
        fault: LeafFault? = nil,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        applicationProtocol: String? = "http/1.1",
        demandingCertificatesOf clientAnchors: [Certificate] = []
    ) throws -> TLSEngine {
        try TLSEngine(
            accepting: try TLSContext(acceptingVersions: versions, clientAnchors: clientAnchors),
            presenting: try serverMinter.mint(LeafRequest(names: [try Host(host)], fault: fault), now: now),
            scope: host,
            applicationProtocol: applicationProtocol
        )
    }

    /// A certificate by the servers' CA with which a client shows who it is.
    package func clientIdentity() throws -> Identity {
        var template = CertificateTemplate(
            commonName: "a client",
            notBefore: now - .seconds(3600),
            notAfter: now + .seconds(3600)
        )
        template.purposes = [.clientAuth]
        let key = try PrivateKey.generate(.p256)
        let certificate = try template.signed(by: serverAuthority.identity, key: key)
        return try Identity(chain: [certificate], key: key)
    }

    /// What trusts the servers' CA.
    package func serverTrust() throws(CryptoFailure) -> TrustAnchors {
        try TrustAnchors(system: false, additional: [serverAuthority.root])
    }

    private static let noRules: HostRules = {
        do { return try HostRules() } catch { preconditionFailure("an empty list has no wrong rule") }
    }()
}
