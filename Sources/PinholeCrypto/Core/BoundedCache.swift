/// Values that are expensive to make, kept as long as they are in use; at most twice ``limit``.
///
/// There are two generations. A value that is found in the old generation moves to the young one. When the
/// young generation is full, it becomes the old one, and the previous old one is dropped.
struct BoundedCache<Key: Hashable, Value> {
    /// The largest number of entries in a generation.
    let limit: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    init(limit: Int) { self.limit = max(1, limit) }

    /// The number of entries.
    ///
    /// A value that moved to the young generation counts twice.
    var count: Int { young.count + old.count }

    /// The value for `key`; `nil` if none is kept.
    mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        keep(value, for: key)
        return value
    }

    /// Stores `value` in the young generation.
    mutating func keep(_ value: Value, for key: Key) {
        if young.count >= limit {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
