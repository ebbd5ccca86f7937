import PinholeLock
package import PinholeModel
import Synchronization

/// The reason why a connection gives way.
package enum Eviction: Sendable {
    /// Another connection needs the place, or the descriptor.
    case place
    /// The time of the connection in its state is over.
    case time
}

/// The limit on the connections of a server: every accepted connection has a ``Place``, which ends with its socket.
///
/// A ``Listener`` needs a limiter, so no server can accept connections without bounds. The listeners of one server on
/// several loops share a limiter. ``Admission`` decides; the limiter tells the connections that give way.
package final class ConnectionLimiter: Sendable {
    fileprivate struct State {
        var admission: Admission
        /// Closes a connection; `nil` until its owner has said how.
        var evictions: [Admission.ID: @Sendable (Eviction) -> Void] = [:]
        /// The connections of this machine that arrived while places were not scarce, so that nobody asked for their
        /// users.
        var unidentified: [Admission.ID: ConnectionEnds] = [:]
        /// The connections that gave way and whose sockets are still open.
        var leaving: Set<Admission.ID> = []
        var last: Admission.ID = 0
    }

    private struct Weak {
        weak var limiter: ConnectionLimiter?
    }

    /// All limiters of the process, which share its descriptors.
    private static let all = Lock<[Weak]>([])

    private let state: Lock<State>
    private let bounds: AdmissionBounds

    /// Creates the limiter of a server, and raises the number of descriptors of the process.
    package init(_ bounds: AdmissionBounds) {
        Descriptors.raise()
        self.bounds = bounds
        state = Lock(State(admission: Admission(bounds)))
        Self.all.withLock { limiters in
            limiters.removeAll { $0.limiter == nil }
            limiters.append(Weak(limiter: self))
        }
    }

    /// The number of open connections.
    package var count: Int { state.withLock { $0.admission.count } }

    /// Whether a new connection can come to an answer; otherwise it should wait in the queue of the listener.
    ///
    /// If the process is short of descriptors and nothing gives way here, connections of other servers give way.
    var mayAccept: Bool {
        let isShort = Descriptors.isShort(of: bounds.descriptors, forLogin: bounds.hasLogin)
        if state.withLock({ $0.admission.mayArrive(isShort: isShort) }) { return true }
        if isShort { Self.relieve() }
        return false
    }

    /// Whether it matters who has the places, so that the user of a local connection is worth a question to the kernel.
    var isContended: Bool { state.withLock { $0.admission.isContended } }

    /// The longest time for which a listener may leave ``sweep(at:)`` out.
    var period: Duration { min(bounds.strangerTime, bounds.idleTime) }

    /// Finds the holders of the connections that arrived while places were not scarce.
    ///
    /// - Parameter holder: Returns the holder of a connection, given its ends as its client sees them; `nil` if unknown.
    func identify(by holder: (ConnectionEnds) -> Admission.Holder?) {
        state.withLock { state in
            for (id, ends) in state.unidentified.sorted(by: { $0.key < $1.key }) {
                if let peer = holder(ends) { state.admission.identify(id, as: peer) }
            }
            state.unidentified.removeAll()
        }
    }

    /// Gives a new connection a place among the strangers.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - ends: The ends of the connection as its client sees them, if its holder may be found later.
    ///   - now: The present.
    /// - Returns: The place, which is free again when it is released.
    func arrive(
        from peer: Admission.Holder,
        unidentified ends: ConnectionEnds? = nil,
        at now: Timestamp
    ) -> Place {
        let isShort = Descriptors.isShort(of: bounds.descriptors, forLogin: bounds.hasLogin)
        let (id, evictions) = state.withLock { state in
            state.last += 1
            let victims = state.admission.arrive(state.last, from: peer, isShort: isShort, at: now)
            if let ends { state.unidentified[state.last] = ends }
            return (state.last, state.take(victims))
        }
        for evict in evictions { evict(.place) }
        return Place(id, self, descriptors: bounds.descriptors)
    }

    /// Closes the connections whose time is over.
    ///
    /// - Returns: The time of the next call; `nil` without connections.
    func sweep(at now: Timestamp) -> Timestamp? {
        let (evictions, wake) = state.withLock { state in
            let evictions = state.take(state.admission.overdue(at: now))
            let latest = now + period
            return (
                evictions, state.admission.count == 0 ? nil : min(state.admission.wake ?? latest, latest)
            )
        }
        for evict in evictions { evict(.time) }
        return wake
    }

    /// Closes some strangers and idle connections of all servers, because the process has no descriptor left.
    ///
    /// Nothing gives way while sockets of connections that gave way before are still open: their descriptors are free
    /// in a moment. A process that gets little time would otherwise close all strangers first, and then those it serves.
    static func relieve() { relieve(all.withLock { $0.compactMap(\.limiter) }) }

    static func relieve(_ limiters: [ConnectionLimiter]) {
        guard limiters.allSatisfy({ limiter in limiter.state.withLock(\.leaving.isEmpty) }) else { return }
        for limiter in limiters {
            let evictions = limiter.state.withLock { state in state.take(state.admission.shed()) }
            for evict in evictions { evict(.place) }
        }
    }

    fileprivate func change(_ id: Admission.ID, to standing: Admission.Standing, at now: Timestamp) -> Bool {
        let evictions: [@Sendable (Eviction) -> Void]? = state.withLock { state in
            switch state.admission.change(id, to: standing, at: now) {
            case .admitted(let victims): state.take(victims)
            case .refused: nil
            }
        }
        for evict in evictions ?? [] { evict(.place) }
        return evictions != nil
    }

    fileprivate func close(_ id: Admission.ID) {
        state.withLock { state in
            state.admission.close(id)
            state.evictions[id] = nil
            state.unidentified[id] = nil
            state.leaving.remove(id)
        }
    }

    fileprivate func onEviction(
        of id: Admission.ID,
        _ action: @escaping @Sendable (Eviction) -> Void
    ) {
        let isGone = state.withLock { state in
            guard state.admission.holds(id) else { return true }
            state.evictions[id] = action
            return false
        }
        // Its time cannot be over before its owner has said how it is closed.
        if isGone { action(.place) }
    }
}

extension ConnectionLimiter.State {
    /// Removes and returns the actions that close these connections.
    fileprivate mutating func take(_ ids: [Admission.ID]) -> [@Sendable (Eviction) -> Void] {
        leaving.formUnion(ids)
        return ids.compactMap { evictions.removeValue(forKey: $0) }
    }
}

/// The place of an accepted connection; it is free again when the connection's socket is closed.
package final class Place: Sendable {
    private let id: Admission.ID
    private let limiter: ConnectionLimiter
    private let descriptors: Int
    private let isReleased = Atomic<Bool>(false)

    fileprivate init(_ id: Admission.ID, _ limiter: ConnectionLimiter, descriptors: Int) {
        self.id = id
        self.limiter = limiter
        self.descriptors = descriptors
        Descriptors.take(descriptors)
    }

    deinit { release() }

    /// Says how the connection is closed for another one.
    ///
    /// - Parameter action: Called once with the reason, on any thread; at once if the connection had to give way already.
    func onEviction(_ action: @escaping @Sendable (Eviction) -> Void) {
        limiter.onEviction(of: id, action)
    }

    /// Changes the state of the connection.
    ///
    /// - Returns: Whether the connection may stay. If not, all places of its holder are taken.
    package func change(to standing: Admission.Standing, at now: Timestamp) -> Bool {
        limiter.change(id, to: standing, at: now)
    }

    func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        limiter.close(id)
        Descriptors.give(back: descriptors)
    }
}
