package import PinholeModel

/// The server that a `mapRemote` rule asks.
package struct RemoteMap: Sendable, Equatable {
    /// The scheme.
    package var scheme: Scheme
    /// The server.
    package var authority: Authority
    /// What takes the place of ``from`` at the beginning of the path; `nil` leaves the path as it is.
    package var path: String?
    /// The beginning of the path that is replaced.
    package var from: String
    /// Whether the request goes on naming the server that the client meant.
    package var keepsHost: Bool

    /// Creates a map.
    package init(
        scheme: Scheme,
        authority: Authority,
        path: String? = nil,
        from: String = "/",
        keepsHost: Bool = false
    ) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.from = from
        self.keepsHost = keepsHost
    }

    /// The path that is asked for in place of `path`.
    ///
    /// - Parameter path: The path and query of the request.
    /// - Returns: The path there; as it is where it does not begin with ``from``.
    func mapped(_ path: String) -> String {
        guard let to = self.path, path.utf8.starts(with: from.utf8) else { return path }
        let rest = String(decoding: path.utf8.dropFirst(from.utf8.count), as: UTF8.self)
        // “/static” is no beginning of “/statically”.
        guard from.utf8.last == 0x2f || [nil, 0x2f, 0x3f].contains(rest.utf8.first) else { return path }
        // One slash between both, whichever of them brings it.
        switch (to.utf8.last == 0x2f, rest.utf8.first == 0x2f) {
        case (true, true): return to + rest.dropFirst()
        case (false, false) where !rest.isEmpty && rest.utf8.first != 0x3f: return to + "/" + rest
        default: return to + rest
        }
    }
}
