// By default a `Duration` is coded as the two halves of a 128-bit number of attoseconds. Records write a bare number of
// microseconds instead, as for a ``Timestamp``. Synthesised conformances in this module use these overloads.

extension KeyedEncodingContainer {
    /// Encodes a duration as a bare number of microseconds.
    mutating func encode(_ duration: Duration, forKey key: Key) throws {
        try encode(duration.microseconds, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a duration from a bare number of microseconds.
    func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
        .microseconds(try decode(Int64.self, forKey: key))
    }
}
