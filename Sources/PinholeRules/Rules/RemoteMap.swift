package import PinholeModel

/// The server to which a `mapRemote` rule sends requests.
package struct RemoteMap: Sendable, Equatable {
    /// The scheme of the server that is asked instead.
    package var scheme: Scheme
    /// The server.
    package var authority: Authority
    /// The path that replaces ``from`` at the beginning; `nil` to keep the path.
    package var path: String?
    /// The beginning of the path that is replaced.
    package var from: String = "/"
    /// Whether the request still names the server that the client addressed.
    package var keepsHost: Bool = false

    /// Returns the path for the other server.
    ///
    /// - Parameter path: The path and query of the request.
    /// - Returns: The new path; the old one if it does not begin with ``from``.
    func mapped(_ path: String) -> String {
        guard let to = self.path, path.utf8.starts(with: from.utf8) else { return path }
        let rest = String(decoding: path.utf8.dropFirst(from.utf8.count), as: UTF8.self)
        // “/static” is not a prefix of “/statically”.
        guard from.utf8.last == 0x2f || [nil, 0x2f, 0x3f].contains(rest.utf8.first) else { return path }
        // Exactly one slash stands between both parts.
        switch (to.utf8.last == 0x2f, rest.utf8.first == 0x2f) {
        case (true, true): return to + rest.dropFirst()
        case (false, false) where !rest.isEmpty && rest.utf8.first != 0x3f: return to + "/" + rest
        default: return to + rest
        }
    }
}
