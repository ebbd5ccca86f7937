/// The name and the password in a URL (RFC 3986 §3.2.1), which messages do not repeat.
package enum UserInfo {
    /// What was written, without what stands before an `@`.
    ///
    /// - Parameter text: A URL, or what was to be one, with or without a scheme.
    /// - Returns: The text; `…` in the place of name and password.
    package static func hidden(in text: some StringProtocol) -> String {
        guard let sign = text.lastIndex(of: "@") else { return String(text) }
        let scheme = text.firstRange(of: "://").map { text[..<$0.upperBound] }
        let lead = scheme.flatMap { $0.endIndex <= sign ? $0 : nil } ?? text[..<text.startIndex]
        return "\(lead)…\(text[sign...])"
    }
}
