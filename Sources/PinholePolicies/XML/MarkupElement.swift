/// An element of an XML document.
package struct MarkupElement: Hashable, Sendable {
    /// The name as it is written, prefix included.
    package let name: String
    /// The attributes by their names as they are written.
    package let attributes: [String: String]
    /// The line of the start tag, from 1.
    package let line: Int
    /// The elements in it.
    package internal(set) var children: [MarkupElement] = []
    /// The text directly in it, references resolved.
    package internal(set) var text = ""

    /// The text without white space around it.
    package var trimmedText: String { Self.trimmed(text) }

    /// Returns the value of an attribute without white space around it; `nil` if there is no such attribute.
    package func trimmedAttribute(_ name: String) -> String? { attributes[name].map(Self.trimmed) }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (character: Character) in character.isWhitespace }
        let tail = text.drop(while: isSpace).reversed().drop(while: isSpace)
        return String(tail.reversed())
    }
}
