import PinholeModel

/// A part of a message that differs from the same part of another message.
package struct FactDifference: Sendable, Equatable, Codable {
    /// The name of the part, as in ``MessageFacts``.
    package let name: String
    /// The value in the first message; `nil` if it has no such part.
    package let before: String?
    /// The value in the second message; `nil` if it has no such part.
    package let after: String?

    /// Returns the differences of two messages, in the order of their parts.
    package static func all(_ before: MessageFacts, _ after: MessageFacts) -> [FactDifference] {
        let added = after.names.filter { before[$0] == nil }
        return (before.names + added).compactMap { name in
            let (one, other) = (before[name], after[name])
            // Strings that differ in their spelling alone, such as “é”, are equal; their bytes are not.
            if let one, let other, one.utf8.span.isEqual(to: other.utf8.span) { return nil }
            return one == nil && other == nil ? nil : FactDifference(name: name, before: one, after: other)
        }
    }

    /// The name for which noise is learned: equal for all elements of a list.
    package var place: String { name.replacing(/\[[0-9]+\]/, with: "[]") }

    /// The difference in words.
    package var text: String {
        switch (before, after) {
        case (let before?, let after?): "\(name) \(Self.cut(before)), now \(Self.cut(after))"
        case (let before?, nil): "no \(name) (\(Self.cut(before)))"
        case (nil, let after?): "\(name) \(Self.cut(after)) is new"
        case (nil, nil): name
        }
    }

    private static func cut(_ text: String) -> String { text.count > 60 ? "\(text.prefix(59))…" : text }
}
