/// The place of one exchange in a conversation.
///
/// For a client of HTTP/2, it is the number of the exchange's stream. A client of HTTP/1 has one exchange at a time.
package struct Lane: RawRepresentable, Hashable, Sendable, Comparable {
    /// The place of the request that opens a connection, before its conversation.
    package static let opening = Lane(rawValue: 0)

    /// The number of the lane.
    package let rawValue: Int

    /// Creates the lane with this number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the left lane was opened earlier.
    package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a connection to a server, unique in its conversation.
package struct LinkID: RawRepresentable, Hashable, Sendable, Comparable {
    /// The connection to the server of the opening, which the conversation continues to use.
    package static let first = LinkID(rawValue: 0)

    /// The number, in the order of dialing.
    package let rawValue: Int

    /// Creates the identifier with this number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the left link was dialed earlier.
    package static func < (left: LinkID, right: LinkID) -> Bool { left.rawValue < right.rawValue }
}
