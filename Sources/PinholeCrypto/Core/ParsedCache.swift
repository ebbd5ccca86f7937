import PinholeLock

/// The values that were parsed last, by their encoding.
///
/// OpenSSL 3.0 looks for a decoder anew for each public key, which takes about as long as verifying a signature. The
/// chains of a server, and the keys of logs and anchors, come again and again.
struct ParsedCache<Value: Sendable>: Sendable {
    private let values: Lock<BoundedCache<[UInt8], Value>>

    /// Creates an empty cache.
    ///
    /// - Parameter limit: The largest number of values in each of its two generations.
    init(limit: Int) {
        values = Lock(BoundedCache(limit: limit))
    }

    /// Returns the value of an encoding, parsed now if it is not kept.
    ///
    /// - Parameters:
    ///   - der: The encoding.
    ///   - parse: The parser. A failure is not kept.
    /// - Returns: The value.
    /// - Throws: The failure of the parser.
    func value<Failure: Error>(
        of der: [UInt8],
        orParse parse: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let known = values.withLock({ $0.value(for: der) }) { return known }
        let parsed = try parse()
        values.withLock { $0.keep(parsed, for: der) }
        return parsed
    }
}
