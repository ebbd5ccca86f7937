/// Decides which connections of a server stay, and which one gives way to another one.
///
/// ```
/// arrive ──► stranger ──► busy ◄──► idle        after an accepted request, in the share of its holder
///               ▲          │          │
///               └──────────┴──────────┘         the next request is not accepted
/// ```
///
/// Invariants:
/// - There are at most ``AdmissionBounds/strangers`` strangers. Another one takes the place of the oldest stranger of
///   the peer that has most of them. So a peer cannot keep others out, and strangers cannot keep anybody out.
/// - A connection leaves the strangers only by a request that the server accepts for a holder.
/// - A holder has at most ``AdmissionBounds/share`` places, and all together have at most ``AdmissionBounds/places``. If
///   they are taken, the connection that has been idle for the longest time gives way. If none is idle, a holder with
///   fewer places takes one of the holder with most.
/// - A connection that was told to give way is forgotten at once: it is in no later decision.
package struct Admission: Sendable {
    /// The number of a connection.
    package typealias ID = UInt64

    /// The party that shares places.
    package enum Holder: Hashable, Sendable {
        /// A login of the server.
        case account(Int)
        /// A user of this machine, by number.
        case user(UInt32)
        /// A peer in the network.
        ///
        /// An IPv6 address is its network of 64 bits, since a machine chooses the rest freely.
        case network(IPAddress)
        /// A peer whose address is unknown.
        case unknown
    }

    /// The state of a connection.
    package enum Standing: Hashable, Sendable {
        /// No request was accepted.
        case stranger
        /// A request of this holder is being received or answered; `nil` means the peer itself, on a server without login.
        case busy(Holder?)
        /// Waits for the next request of this holder; `nil` means the peer itself.
        case idle(Holder?)
    }

    /// The answer to a connection that asks for a place.
    package enum Decision: Equatable, Sendable {
        /// The connection has the place. The evicted connections give way, and the caller closes them.
        case admitted(evicted: [ID])
        /// All places are taken.
        case refused
    }

    private struct Entry {
        let peer: Holder
        var standing: Standing
        var since: Timestamp

        /// The holder of the place; `nil` for a stranger.
        var holder: Holder? {
            switch standing {
            case .stranger: nil
            case .busy(let holder), .idle(let holder): holder ?? peer
            }
        }
    }

    /// The connections of each holder, those that have been longest in their state first.
    private struct Roll {
        private(set) var ids: [Holder: [ID]] = [:]
        private(set) var count = 0

        /// Adds a connection behind those that `isBefore` it.
        mutating func insert(_ id: ID, _ holder: Holder, behind isBefore: (ID) -> Bool) {
            // Nearly every connection is the last one.
            let place = ids[holder]?.lastIndex(where: isBefore).map { $0 + 1 } ?? 0
            ids[holder, default: []].insert(id, at: place)
            count += 1
        }

        mutating func remove(_ id: ID, _ holder: Holder) {
            guard let index = ids[holder]?.firstIndex(of: id) else { return }
            ids[holder]?.remove(at: index)
            count -= 1
            if ids[holder]?.isEmpty == true { ids[holder] = nil }
        }
    }

    private let bounds: AdmissionBounds
    private var entries: [ID: Entry] = [:]
    private var strangers = Roll()
    private var busy = Roll()
    private var idle = Roll()
    private var held: [Holder: Int] = [:]

    /// Creates an empty server.
    package init(_ bounds: AdmissionBounds) { self.bounds = bounds }

    /// The number of connections.
    package var count: Int { entries.count }

    /// Whether a connection has not been closed and has not given way.
    package func holds(_ id: ID) -> Bool { entries[id] != nil }

    private var admitted: Int { busy.count + idle.count }

    /// Whether half of the strangers' or of all places are taken, so that it matters who has them.
    package var isContended: Bool {
        strangers.count * 2 >= bounds.strangers || admitted * 2 >= bounds.places
    }

    /// Whether a new connection can come to an answer.
    ///
    /// - Parameter isShort: Whether the process has no descriptor for another connection.
    /// - Returns: `false` if the connection should wait in the queue of the listener.
    package func mayArrive(isShort: Bool) -> Bool {
        if isShort { return strangers.count + idle.count > 0 }
        return admitted < bounds.places || idle.count > 0 || held.count > 1
    }

    /// Adds a connection, which is a stranger.
    ///
    /// - Parameters:
    ///   - id: The number of the connection, larger than those before.
    ///   - peer: The peer.
    ///   - isShort: Whether the process has no descriptor for another connection, so that one has to give way.
    ///   - now: The present.
    /// - Returns: The connections that give way; the caller closes them.
    package mutating func arrive(
        _ id: ID,
        from peer: Holder,
        isShort: Bool = false,
        at now: Timestamp
    ) -> [ID] {
        var evicted: [ID] = []
        if strangers.count >= bounds.strangers {
            if let oldest = oldestStranger { evicted.append(oldest) }
        } else if isShort, let victim = oldestStranger ?? longestIdle {
            evicted.append(victim)
        }
        for victim in evicted { close(victim) }
        add(id, Entry(peer: peer, standing: .stranger, since: now))
        return evicted
    }

    /// Changes the peer of a connection, since it was found out who that is.
    ///
    /// One party must not be two holders: a second holder makes the server accept connections when all places are taken.
    package mutating func identify(_ id: ID, as peer: Holder) {
        guard let entry = entries[id], entry.peer != peer else { return }
        remove(id)
        add(id, Entry(peer: peer, standing: entry.standing, since: entry.since))
    }

    /// Changes the state of a connection.
    ///
    /// - Parameters:
    ///   - id: The connection; if it has given way, nothing happens.
    ///   - standing: The new state.
    ///   - now: The present.
    /// - Returns: Whether it has a place; after a refusal it stays a stranger.
    package mutating func change(_ id: ID, to standing: Standing, at now: Timestamp) -> Decision {
        guard var entry = entries[id], entry.standing != standing else { return .admitted(evicted: []) }
        let before = entry.holder
        entry.standing = standing
        entry.since = now
        remove(id)
        guard let holder = entry.holder else {
            // The server accepted no further request, so the connection is a stranger again.
            var evicted: [ID] = []
            if strangers.count >= bounds.strangers, let oldest = oldestStranger { evicted.append(oldest) }
            for victim in evicted { close(victim) }
            add(id, entry)
            return .admitted(evicted: evicted)
        }
        guard holder != before else {
            add(id, entry)
            return .admitted(evicted: [])
        }
        guard let evicted = room(for: holder) else {
            entry.standing = .stranger
            add(id, entry)
            return .refused
        }
        for victim in evicted { close(victim) }
        add(id, entry)
        return .admitted(evicted: evicted)
    }

    /// Removes a connection that was closed.
    package mutating func close(_ id: ID) { remove(id) }

    /// Removes the connections whose time is over, and returns them; the caller closes them.
    package mutating func overdue(at now: Timestamp) -> [ID] {
        let late =
            Self.begun(before: now - bounds.strangerTime, in: strangers, entries)
            + Self.begun(before: now - bounds.idleTime, in: idle, entries)
        for id in late { remove(id) }
        return late
    }

    /// The time at which the time of a connection is over; `nil` if there is none.
    package var wake: Timestamp? {
        func first(_ roll: Roll) -> Timestamp? {
            roll.ids.values.compactMap { ids in ids.first.flatMap { entries[$0]?.since } }.min()
        }
        return [first(strangers).map { $0 + bounds.strangerTime }, first(idle).map { $0 + bounds.idleTime }]
            .compactMap(\.self).min()
    }

    /// Removes a part of the strangers and idle connections, because the process is short of descriptors.
    ///
    /// - Returns: The connections; the caller closes them.
    package mutating func shed() -> [ID] {
        var shed: [ID] = []
        for _ in 0..<max(1, (strangers.count + idle.count) / 8) {
            guard let victim = oldestStranger ?? longestIdle else { break }
            remove(victim)
            shed.append(victim)
        }
        return shed
    }

    // MARK: The connection that gives way

    /// The oldest stranger of the peer with most strangers.
    private var oldestStranger: ID? {
        strangers.ids.values.max { one, other in
            one.count == other.count ? isOlder(other.first, one.first) : one.count < other.count
        }?.first
    }

    /// The connection that has been idle for the longest time, of the holder with most places.
    private var longestIdle: ID? {
        idle.ids.max { one, other in
            let (left, right) = (held[one.key] ?? 0, held[other.key] ?? 0)
            return left == right ? isOlder(other.value.first, one.value.first) : left < right
        }?.value.first
    }

    private func isOlder(_ one: ID?, _ other: ID?) -> Bool {
        guard let one = one.flatMap({ entries[$0] }), let other = other.flatMap({ entries[$0] }) else {
            return false
        }
        return one.since < other.since
    }

    /// Returns the connections that give way to another one of a holder; `nil` if there is no place.
    private func room(for holder: Holder) -> [ID]? {
        let own = held[holder] ?? 0
        if own >= bounds.share { return idle.ids[holder]?.first.map { [$0] } }
        guard admitted >= bounds.places else { return [] }
        if let victim = longestIdle { return [victim] }
        guard let most = held.max(by: { $0.value < $1.value }), most.value > own + 1 else { return nil }
        return busy.ids[most.key]?.first.map { [$0] }
    }

    private static func begun(before moment: Timestamp, in roll: Roll, _ entries: [ID: Entry]) -> [ID] {
        roll.ids.values.flatMap { ids in
            ids.prefix { id in entries[id].map { $0.since <= moment } ?? true }
        }
    }

    private mutating func add(_ id: ID, _ entry: Entry) {
        entries[id] = entry
        if let holder = entry.holder { held[holder, default: 0] += 1 }
        // A connection whose peer is found later is not the last one.
        let others = entries
        let isBefore = { (other: ID) in others[other].map { ($0.since, other) < (entry.since, id) } ?? true }
        switch entry.standing {
        case .stranger: strangers.insert(id, entry.peer, behind: isBefore)
        case .busy(let holder): busy.insert(id, holder ?? entry.peer, behind: isBefore)
        case .idle(let holder): idle.insert(id, holder ?? entry.peer, behind: isBefore)
        }
    }

    private mutating func remove(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if let holder = entry.holder, let count = held[holder] {
            held[holder] = count > 1 ? count - 1 : nil
        }
        switch entry.standing {
        case .stranger: strangers.remove(id, entry.peer)
        case .busy(let holder): busy.remove(id, holder ?? entry.peer)
        case .idle(let holder): idle.remove(id, holder ?? entry.peer)
        }
    }
}
