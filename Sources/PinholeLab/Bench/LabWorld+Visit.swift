import PinholeCrypto
import PinholeModel
package import PinholeRuntime
import PinholeTrust

extension LabWorld {
    /// A client of a policy fetches once from a server at the lab's host, through a proxy that is there already.
    ///
    /// The client's device has the proxy's CA installed.
    ///
    /// - Parameters:
    ///   - policy: What it decides by.
    ///   - path: What it asks for.
    ///   - port: The port of the server.
    ///   - proxy: Where the proxy listens.
    /// - Returns: What the client says.
    /// - Throws: ``LabFailure`` where the policy cannot be made.
    package func visit(
        _ policy: LabPolicy,
        _ path: String,
        port: UInt16,
        through proxy: SocketAddress
    ) async throws(LabFailure) -> Observation {
        let target = LabPolicy.Target(world: self, authority: Authority(host: host, port: port))
        let trust = try policy.make(target)
        var settings = ClientSettings(
            anchors: deviceRoots + [proxyRoot],
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy()
        )
        settings.userAnchors = [proxyRoot.sha256]
        settings.proxy = ClientSettings.Proxy(Authority(host: .address(proxy.address), port: proxy.port))
        settings.cleartextPolicy = trust
        policy.adapt(&settings, target)
        let delegate = ClientDelegate.judging(by: trust, answer: policy.answer)
        do {
            let url = try ClientURL("https://\(host.uriText):\(port)\(path)")
            return Observation(await (try PinholeClient(settings, delegate: delegate)).fetch(url))
        } catch {
            throw LabFailure("\(error)")
        }
    }
}
