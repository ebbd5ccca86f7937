import PinholeModel
package import PinholeRuntime
package import PinholeTrust

/// The server that a program has to ask in one scenario, the roots that its device trusts, and the keys it may pin.
package struct AuditStage: Sendable {
    /// The scenario's identifier; `C0` for the control.
    package let scenario: String
    /// The URL that the program has to request.
    package let url: String
    /// The host as the app writes it.
    package let host: String
    /// The port of ``url``.
    package let port: UInt16
    /// The address on this machine that it has to reach: the proxy's, or the direct listener's.
    package let address: SocketAddress
    /// The roots that its device trusts.
    package let roots: [CertificateFacts]
    /// The honest server's certificate.
    package let leaf: CertificateFacts
    /// The honest server's root.
    package let root: CertificateFacts
    /// The pins of the leaf's key and of its backup.
    package let leafPins: [Pin]
    /// The pins of the issuing CA's key and of its backup.
    package let authorityPins: [Pin]

    private let sink: LabSink

    init(_ scenario: Scenario, _ bench: ScenarioBench, entry: SocketAddress?) {
        let world = bench.world
        self.scenario = scenario.id
        let written = bench.staging.writtenHost ?? world.host.uriText
        port = entry?.port ?? bench.origin.secureAddress.port
        url = "https://\(written):\(port)\(bench.staging.path)"
        // A URL may name a user as well.
        host = written.split(separator: "@").last.map(String.init) ?? written
        address = entry ?? bench.proxyAddress
        roots = bench.staging.roots(in: world)
        leaf = world.leaf
        root = world.root
        leafPins = world.leafPins
        authorityPins = world.authorityPins
        sink = bench.sink
    }

    /// Whether at least one connection came, and every connection is over.
    package var isSettled: Bool {
        let flows = sink.observation.flows
        return !flows.isEmpty && flows.allSatisfy { $0.closed != nil }
    }

    /// Whether a request came: nothing that follows can change that.
    package var isAccepted: Bool {
        sink.observation.signals.contains { $0.decision == .accepted }
    }

    /// Stops the recording, because the program is about to be ended.
    package func freeze() { sink.freeze() }
}
