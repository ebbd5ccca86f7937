package import PinholeModel

/// An order of a list of exchanges and flows.
package struct TrafficSort: Sendable, Equatable {
    /// A sort key, under the name that filters use for it if they have one.
    package enum Key: Hashable, Sendable {
        /// A field of the records.
        case named(NamedField)
        /// The protocol: HTTP/1, HTTP/2, then WebSockets.
        case `protocol`
        /// The media type of the response, without parameters.
        case type
        /// The user's comment.
        case comment
        /// The user's mark; items without a mark have no key.
        case marked
    }

    /// The sort key.
    package var key: Key
    /// Whether the greatest key comes first.
    package var isDescending: Bool

    /// Creates an order by a key.
    ///
    /// Items with equal keys are ordered by their numbers, in the same direction. Items without a key come last in both
    /// directions.
    ///
    /// - Parameters:
    ///   - key: The sort key.
    ///   - isDescending: Whether the greatest key comes first.
    package init(_ key: Key, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }
}

extension TrafficSort.Key: RawRepresentable, CaseIterable {
    /// All keys.
    package static let allCases: [Self] =
        NamedField.all.filter(\.isOrdered).map(Self.named) + [.protocol, .type, .comment, .marked]

    /// Creates the key with a name; `nil` if there is none.
    package init?(rawValue: String) {
        guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = key
    }

    /// The name of the key, for requests and settings.
    package var rawValue: String {
        switch self {
        case .named(let field): field.name
        case .protocol: "protocol"
        case .type: "type"
        case .comment: "comment"
        case .marked: "marked"
        }
    }

    /// Whether heads must be read for the key, which takes longer than reading the columns of a table.
    package var asksForHeads: Bool { self == .type || self == .protocol }
}
