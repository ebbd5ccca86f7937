/// Makes the control characters of a peer or a file visible, for output to a terminal.
///
/// Direction marks and characters without width are made visible, too, because they make one text look like another.
/// The notation is that of Swift: `\u{1b}`.
package enum TerminalText {
    /// Returns `text` in one line; ends of lines and tabs are made visible, too.
    package static func line(_ text: String) -> String { visible(text[...]) { _ in false } }

    /// Returns the lines of `text`, which end with LF or CRLF; all other line ends of Unicode are made visible.
    package static func lines(_ text: some StringProtocol, omittingEmpty: Bool = false) -> [String] {
        // A Character can be CRLF, or an LF with a combining mark.
        let scalars = String(text).unicodeScalars
        return scalars.split(separator: "\n", omittingEmptySubsequences: false).compactMap { part in
            let content = part.last == "\r" ? part.dropLast() : part
            return content.isEmpty && omittingEmpty ? nil : line(String(Substring(content)))
        }
    }

    /// Returns an excerpt of `text` in quotation marks, for a message.
    package static func quoted(_ text: some StringProtocol, longest: Int = 80) -> String {
        let excerpt = text.prefix(longest)
        return "“\(line(String(excerpt)))\(excerpt.endIndex < text.endIndex ? "…" : "")”"
    }

    /// Returns text of any number of lines, safe to write to a terminal.
    ///
    /// This is the last check before output. Ends of lines and tabs are kept and, if wanted, the colours that Pinhole
    /// sets.
    package static func page(_ text: String, keepingColours: Bool) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0a || $0 >= 0x7f }) else { return text }
        guard keepingColours else { return visible(text[...], isKept: isLayout) }
        var page = ""
        for (index, part) in text.unicodeScalars.split(separator: escape, omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { page += isColour(part) ? "\u{1b}" : shown(escape) }
            page += visible(Substring(part), isKept: isLayout)
        }
        return page
    }

    private static let escape: Unicode.Scalar = "\u{1b}"

    private static func isLayout(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }

    /// Whether the rest of an escape sequence sets a colour, and nothing else: `[1;31m`.
    private static func isColour(_ rest: Substring.UnicodeScalarView) -> Bool {
        guard rest.first == "[", let end = rest.firstIndex(of: "m") else { return false }
        let code = rest[rest.index(after: rest.startIndex)..<end]
        return !code.isEmpty && code.count <= 4 && code.allSatisfy { ("0"..."9").contains($0) || $0 == ";" }
    }

    private static func visible(_ text: Substring, isKept: (Unicode.Scalar) -> Bool) -> String {
        // Nearly all text is printable ASCII, and asking Unicode for the category of each scalar takes time.
        if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) { return String(text) }
        let isPlain = text.unicodeScalars.allSatisfy { !$0.isUnseen || isKept($0) }
        guard !isPlain else { return String(text) }
        var visible = ""
        for scalar in text.unicodeScalars {
            if scalar.isUnseen, !isKept(scalar) {
                visible += shown(scalar)
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16))}"
    }
}
