import PinholeContent

/// The text of a body in a HAR, whose characters are those of JSON.
enum HARText {
    /// Returns the content as text in its declared encoding; `nil` if the text would not lead back to the same bytes.
    static func text(_ content: [UInt8], _ type: String?) -> String? {
        guard let charset = DeclaredCharset(type, of: content) else {
            return String(validating: content, as: UTF8.self)
        }
        guard let text = charset.utf8(of: content).flatMap({ String(validating: $0, as: UTF8.self) }),
            bytes(text, type) == content
        else { return nil }
        return text
    }

    /// Returns the bytes of a text in its declared encoding, or in UTF-8.
    static func bytes(_ text: String, _ type: String?) -> [UInt8] {
        let content = Array(text.utf8)
        return DeclaredCharset(type, of: content)?.bytes(of: content) ?? content
    }
}
