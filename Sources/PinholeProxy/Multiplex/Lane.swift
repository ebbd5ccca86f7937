/// The place of one exchange on a multiplexed connection of a client.
///
/// Toward a client of HTTP/2 it is the number of its stream; a client of HTTP/1 has one at a time.
package struct Lane: RawRepresentable, Hashable, Sendable, Comparable {
    /// The number.
    package let rawValue: Int

    /// Wraps a number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the left one was opened earlier.
    package static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
}

/// A connection to a server, among those of one multiplexed tunnel.
package struct LinkID: RawRepresentable, Hashable, Sendable, Comparable {
    /// The number, in the order of dialing.
    package let rawValue: Int

    /// Wraps a number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the left one was dialed earlier.
    package static func < (left: LinkID, right: LinkID) -> Bool { left.rawValue < right.rawValue }
}
