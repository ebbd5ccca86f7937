import PinholeModel

extension HTTPPeer {
    /// A length above that of every registered method.
    private static let longestMethod = 24

    /// Whether the received bytes begin with the first line of a request of HTTP/1 (RFC 9112 §3).
    ///
    /// - Parameter limit: The largest length of the line.
    /// - Returns: Whether they do, or `nil` while the line is not complete but still possible.
    func beginsHTTP1(limit: Int) -> Bool? {
        let bytes = carried.slice(min(carried.count, limit))
        let method = bytes.prefix(Self.longestMethod).prefix { (0x41...0x5a).contains($0) }
        let rest = bytes[method.endIndex...]
        guard !method.isEmpty, rest.first ?? 0x20 == 0x20 else { return false }
        guard let end = rest.firstIndex(of: 0x0a) else {
            let isPossible =
                bytes.count < limit && socketEnd == nil && rest.allSatisfy { $0 >= 0x20 || $0 == 0x0d }
            return isPossible ? nil : false
        }
        let line = bytes[..<end]
        let version = (line.last == 0x0d ? line.dropLast() : line).suffix(9)
        return version.starts(with: " HTTP/1.".utf8) && version.last.map { $0 == 0x30 || $0 == 0x31 } == true
    }
}
