/// The place of one exchange in a conversation.
///
/// For a client of HTTP/2, it is the number of the exchange's stream. A client of HTTP/1 has one exchange at a time.
package struct Lane: RawRepresentable, Hashable, Sendable, Comparable {
    /// The number of the lane.
    package let rawValue: Int

    /// Creates the lane with this number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the left lane was opened earlier.
    package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
}

/// The number of a connection to a server, unique in its conversation.
package struct LinkID: RawRepresentable, Hashable, Sendable, Comparable {
    /// The number, in the order of dialing.
    package let rawValue: Int

    /// Creates the identifier with this number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the left link was dialed earlier.
    package static func < (left: LinkID, right: LinkID) -> Bool { left.rawValue < right.rawValue }
}
