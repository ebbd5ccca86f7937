import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTrust

/// Connections of HTTP/2 that requests for another host go over (RFC 9113 §9.1.1).
extension FetchTask {
    /// Finds an open connection that the request may use; `nil` if it needs a new one.
    func connectionInUse(on loop: isolated EventLoop) async throws(ClientFailure) -> ServerConnection? {
        guard let connection, connection.isIdle else { return nil }
        if connection.url.isSameOrigin(as: request.url) { return connection }
        return try await mayShare(connection, with: request.url, on: loop) ? connection : nil
    }

    private func mayShare(
        _ connection: ServerConnection,
        with url: ClientURL,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Bool {
        guard settings.coalescing != .off, connection.http2 != nil,
            url.scheme == connection.url.scheme, url.authority.port == connection.url.authority.port,
            let presentation = connection.presentation,
            presentation.chain.first?.names(url.authority.host) == true
        else { return false }
        if connection.sharers.contains(url.authority) { return true }
        // The delegate chose the client's certificate for the host of the connection only.
        let isInsisting = settings.insistsOnClientCertificate && settings.identity != nil
        guard connection.engine?.requestedClientCertificate == false, !isInsisting else { return false }
        guard try await isAtSameAddress(connection, url.authority, on: loop) else { return false }
        let what = "the connection to \(connection.url.authority)"
        if settings.coalescing == .dangerSkipsJudgement {
            tell(
                .note(
                    "\(what) is used for \(url.authority) as well: its certificate names both, and nothing was judged "
                        + "(dangerSkipsJudgement)"
                )
            )
        } else {
            guard try await isGoodEnough(presentation, for: url, on: loop) else {
                tell(.note("\(what) is not good enough for \(url.authority); a new one is made"))
                return false
            }
            tell(.note("\(what) is used for \(url.authority) as well: its chain was judged for both"))
        }
        connection.sharers.insert(url.authority)
        return true
    }

    /// Whether the host has the address that the connection leads to; always `true` if only a proxy knows the address.
    private func isAtSameAddress(
        _ connection: ServerConnection,
        _ authority: Authority,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Bool {
        guard let address = connection.address else { return true }
        guard case .success(let addresses) = await resolve(authority, on: loop) else { return false }
        return addresses.contains(address)
    }

    /// Whether the chain that was presented for one host is accepted for another one.
    ///
    /// A refusal is not reported as a mismatch: a new connection is made and judged.
    private func isGoodEnough(
        _ presentation: ServerPresentation,
        for url: ClientURL,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Bool {
        var presentation = presentation
        presentation.isShared = true
        let reported = reports
        do throws(ClientFailure) {
            try await judge(presentation, at: url, on: loop)
            return true
        } catch {
            guard !isCancelled else { throw error }
            reports = reported
            return false
        }
    }
}
