/// The name and the password in a URL (RFC 3986 §3.2.1), which messages do not repeat.
package enum UserInfo {
    /// Returns the text without its user information.
    ///
    /// - Parameter text: A URL, or a text that was meant as one, with or without a scheme.
    /// - Returns: The text, with `…` in place of the name and the password.
    package static func hidden(in text: some StringProtocol) -> String {
        guard let sign = text.lastIndex(of: "@") else { return String(text) }
        let scheme = text.firstRange(of: "://").map { text[..<$0.upperBound] }
        let lead = scheme.flatMap { $0.endIndex <= sign ? $0 : nil } ?? text[..<text.startIndex]
        return "\(lead)…\(text[sign...])"
    }
}
