import PinholeModel

/// Leaves by request, bounded in bytes.
///
/// The least recently used leaves are removed first.
struct LeafCache: Sendable {
    private struct Entry {
        var identity: Identity
        var madeAt: Timestamp
        var freshUntil: Timestamp
        var bytes: Int
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [LeafRequest: Entry] = [:]
    private var uses: UInt64 = 0
    private(set) var bytes = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    mutating func identity(for request: LeafRequest, now: Timestamp) -> Identity? {
        guard let entry = entries[request] else { return nil }
        // If the clock was set back, the start of the leaf's validity may lie in the future.
        guard now <= entry.freshUntil, now >= entry.madeAt - LeafProfile.backdating else {
            bytes -= entry.bytes
            entries[request] = nil
            return nil
        }
        uses += 1
        entries[request]?.lastUse = uses
        return entry.identity
    }

    mutating func insert(_ identity: Identity, for request: LeafRequest, now: Timestamp) {
        let cost = Self.cost(of: identity, for: request)
        guard cost <= capacity else { return }
        uses += 1
        if let old = entries.removeValue(forKey: request) { bytes -= old.bytes }
        entries[request] = Entry(
            identity: identity,
            madeAt: now,
            freshUntil: Self.freshUntil(identity.certificate, now: now),
            bytes: cost,
            lastUse: uses
        )
        bytes += cost
        if bytes > capacity { evict() }
    }

    /// Removes entries down to three quarters of the capacity, so that one sort serves many insertions.
    private mutating func evict() {
        for (request, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard bytes > capacity / 4 * 3 else { return }
            bytes -= entry.bytes
            entries[request] = nil
        }
    }

    /// The end of the time for which a leaf is reused: half of its remaining validity, or one hour for a leaf
    /// that is outside of its validity on purpose.
    private static func freshUntil(_ leaf: Certificate, now: Timestamp) -> Timestamp {
        guard leaf.notBefore <= now, leaf.notAfter > now else { return now + .seconds(3600) }
        return now + (leaf.notAfter - now) / 2
    }

    /// The memory that the leaf and its key take, roughly.
    ///
    /// The certificates above are shared and do not count.
    ///
    /// A fresh P-256 leaf was measured at 5.8 KB of resident memory, its encoding included. The first
    /// handshake adds data that OpenSSL computes about the leaf.
    private static func cost(of identity: Identity, for request: LeafRequest) -> Int {
        8192 + identity.certificate.der.count + request.names.reduce(0) { $0 + $1.description.utf8.count }
    }
}
