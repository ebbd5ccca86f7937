import PinholeModel

/// Extracts the reason from a proxy's refusal, for the message of a failure.
enum PlainReason {
    /// The most characters that are kept.
    private static let longest = 300

    /// Returns the text of a message in one line; `nil` if it is no plain text, or is empty.
    ///
    /// - Returns: The sentences, control characters left out.
    static func text(_ fields: HeaderFields, _ body: [UInt8]) -> String? {
        guard fields.first("content-type")?.lowercased().hasPrefix("text/plain") == true else { return nil }
        let text = String(decoding: body.prefix(longest * 8), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.split { $0.isWhitespace || $0.unicodeScalars.contains(where: \.isUnseen) }.joined(
                separator: " "
            )
        }
        // A heading has no full stop.
        let sentences = lines.filter { !$0.isEmpty }.map { ".!?:;,".contains($0.suffix(1)) ? $0 : $0 + "." }
        let reason = sentences.joined(separator: " ")
        guard !reason.isEmpty else { return nil }
        return reason.count > longest ? "\(reason.prefix(longest))…" : reason
    }
}
