import PinholeClient
import PinholeCrypto
import PinholeModel
package import PinholeRuntime
import PinholeTrust

extension LabWorld {
    /// Lets a client of a policy fetch once from a server at the lab's host, through a proxy that already runs.
    ///
    /// The client's device has the proxy's CA installed.
    ///
    /// - Parameters:
    ///   - policy: The policy that the client decides by.
    ///   - path: The path that it requests.
    ///   - port: The port of the server.
    ///   - proxy: The address of the proxy.
    /// - Returns: The outcome of the fetch.
    /// - Throws: ``LabFailure`` if the policy cannot be made.
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
            defaultPolicy: trust.defaultHandling(of: target.authority),
            reading: .whole(atMost: 1 << 20)
        )
        settings.userAnchors = [proxyRoot.sha256]
        settings.proxy = ClientSettings.Proxy(Authority(host: .address(proxy.address), port: proxy.port))
        settings.cleartextPolicy = trust
        settings.verifier = policy.verifier
        settings.logs = logs.list
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
