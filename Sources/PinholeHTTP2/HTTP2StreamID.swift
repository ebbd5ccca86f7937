/// The number of a stream (RFC 9113 §5.1.1); it is odd if the client opened the stream.
package struct HTTP2StreamID: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; 0 is the connection itself.
    package let rawValue: Int32

    /// Creates the identifier with that number.
    package init(rawValue: Int32) { self.rawValue = rawValue }
}

extension HTTP2StreamID: CustomStringConvertible {
    /// The number in decimal.
    package var description: String { String(rawValue) }
}
