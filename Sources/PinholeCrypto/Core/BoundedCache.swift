/// Values that are expensive to make, kept while they are asked for; never more than twice ``limit``.
///
/// Two generations: what is found in the old one moves to the young one; when the young one is full, it
/// becomes the old one and what nobody asked for since is gone.
struct BoundedCache<Key: Hashable, Value> {
    /// How many entries a generation has.
    let limit: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    init(limit: Int) { self.limit = max(1, limit) }

    /// How many entries there are; one that moved counts once for each generation.
    var count: Int { young.count + old.count }

    /// What is kept for `key`.
    mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        keep(value, for: key)
        return value
    }

    /// Keeps `value`.
    mutating func keep(_ value: Value, for key: Key) {
        if young.count >= limit {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
