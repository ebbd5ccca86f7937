import PinholeModel

/// URLs that a client does not send as they are written.
enum RewrittenURL {
    /// Whether `requests`, and HTTPie by it, escapes a part of the URL in another way.
    ///
    /// It writes escapes in capitals, and removes those of unreserved characters (RFC 3986 §6.2.2).
    static func isEscaped(_ url: String) -> Bool {
        let target = target(url)
        var rest = target[...]
        var isQuery = false
        while let character = rest.popFirst() {
            if character == "?" { isQuery = true }
            guard character == "%" else {
                if !PercentCoding.isOfURL(character.asciiValue ?? 0x80) || "[]".contains(character) {
                    return true
                }
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ "0123456789ABCDEF".contains($0) }),
                let byte = UInt8(digits, radix: 16)
            else { return true }
            if isQuery, PercentCoding.isUnreserved(byte) { return true }
        }
        return target.hasSuffix("?")
    }

    /// Whether `requests` changes the URL: also dot segments of the path (RFC 3986 §5.2.4).
    static func isRewrittenByRequests(_ url: String) -> Bool { isEscaped(url) || hasDots(url) }

    /// Whether the path has a segment `.` or `..`.
    static func hasDots(_ url: String) -> Bool {
        target(url).prefix { $0 != "?" }.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// The path and the query.
    private static func target(_ url: String) -> Substring {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return rest.drop { $0 != "/" && $0 != "?" }
    }
}
