/// The fields as a story shows them, without secrets.
package enum ShownField {
    /// A field line, its secret parts replaced by “…”.
    ///
    /// Of `Authorization` and `Proxy-Authorization` the scheme is kept, of `Cookie` the names, and of `Set-Cookie` the
    /// name and the attributes. All other fields are shown unchanged.
    ///
    /// - Returns: `Name: value`.
    package static func text(name: String, value: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization": "\(name): \(scheme(of: value))"
        case "cookie": "\(name): \(pairs(of: value).map(shortened).joined(separator: ";"))"
        case "set-cookie":
            "\(name): "
                + pairs(of: value).enumerated().map {
                    $0.offset == 0 ? shortened($0.element) : String($0.element)
                }
                .joined(separator: ";")
        default: "\(name): \(value)"
        }
    }

    /// Returns the scheme and “…”; a value of one word is hidden, since it may be the secret itself.
    private static func scheme(of value: String) -> String {
        guard let space = value.firstIndex(of: " ") else { return "…" }
        return "\(value[..<space]) …"
    }

    private static func pairs(of value: String) -> [Substring] {
        value.split(separator: ";", omittingEmptySubsequences: false)
    }

    /// `name=value` without the value; a cookie without a name is its value (RFC 6265bis).
    private static func shortened(_ pair: Substring) -> String {
        guard let sign = pair.firstIndex(of: "=") else { return pair.prefix { $0 == " " } + "…" }
        return pair[...sign] + "…"
    }
}
