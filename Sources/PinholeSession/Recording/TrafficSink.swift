import PinholeFilter
import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeStore
import Synchronization

/// Receives the records of the proxy, writes them to the capture, and passes them to those who need them.
///
/// Each of them subscribes to the kinds of events that it needs. Events that nobody needs go to the capture at once: those
/// of an exchange, unless a rule acted on it, or a console or a watcher is there.
final class TrafficSink: FlowSink {
    private let store: CaptureStore?
    private let watcher: (@Sendable (TrafficEvent) -> Void)?
    private let ids = Atomic<Int64>(0)
    private let pauses = Lock(RecordingPauses())
    private let hasPauses = Atomic<Bool>(false)
    private let scope: CaptureScope
    private let namesClients: Bool
    private let keepsPackets: Bool
    private let meter: TrafficMeter?
    /// The traffic by kinds of client; `nil` without a console.
    let sightings: ClientActivity?
    /// The kinds of events that somebody has subscribed to.
    private let subscribed: Atomic<UInt8>
    private let deferred = Lock<DeferredFlows?>(nil)
    private let hasDeferred = Atomic<Bool>(false)
    private let history = Lock(ConnectionHistory())
    /// Whether a timer is set that judges the held connections.
    private let isSettling = Atomic<Bool>(false)
    /// The number of exchanges on which each rule has acted.
    let tally = RuleTally()
    /// The counts of listeners that serve one program each.
    private let privateTallies = PrivateTallies()

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - store: The capture; `nil` to keep nothing.
    ///   - scope: The scope that selects the recorded flows; exchanges outside of it do not reach the sink.
    ///   - namesClients: Whether the programs that make connections are recorded.
    ///   - keepsPackets: Whether the bytes of connections are kept.
    ///   - meter: Counts the traffic for the console; `nil` without one.
    ///   - sightings: Notes which kinds of client come, for the console; `nil` without one.
    ///   - watcher: Receives the events with a line of output, on the event loops; it must not wait.
    init(
        store: CaptureStore?,
        scope: CaptureScope = CaptureScope(),
        namesClients: Bool = false,
        keepsPackets: Bool = false,
        meter: TrafficMeter? = nil,
        sightings: ClientActivity? = nil,
        watcher: (@Sendable (TrafficEvent) -> Void)?
    ) {
        self.store = store
        self.scope = scope
        self.namesClients = namesClients
        self.keepsPackets = keepsPackets
        self.meter = meter
        self.sightings = sightings
        self.watcher = watcher
        let isWatched = meter != nil || sightings != nil || watcher != nil
        let kinds: TrafficKinds = isWatched ? [.connections, .exchanges, .ruled] : .ruled
        subscribed = Atomic(kinds.rawValue)
        if scope.isNarrow { beginDeferring() }
    }

    func nextID() -> Int64 { store?.nextID() ?? ids.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {
        // Exchanges say nothing about connections, so they pass without the lock of the history.
        guard events.contains(where: \.isOfConnection) else { return pass(events) }
        let (judged, isHolding) = history.withLock { ($0.take(events), $0.isHolding) }
        if !judged.isEmpty { pass(judged) }
        if isHolding { settleLater() }
    }

    func noteRequest(of flow: FlowRecord, at now: Timestamp) {
        let judged = history.withLock { $0.noteRequest(of: flow, at: now) }
        if !judged.isEmpty { pass(judged) }
    }

    /// Judges held connections now, by what is known of them, and records them.
    ///
    /// - Parameter listener: The address that their clients connected to; `nil` for all held connections.
    func settle(of listener: String? = nil) {
        let judged = history.withLock { $0.settle(before: nil, of: listener) }
        if !judged.isEmpty { pass(judged) }
    }

    /// Judges connections without a request when their time has passed.
    private func settleLater() {
        guard !isSettling.exchange(true, ordering: .relaxed) else { return }
        Task { [weak self] in
            repeat {
                try? await Task.sleep(for: .seconds(1))
            } while self?.settleSome() ?? false
        }
    }

    /// Judges the connections whose time has passed; returns whether other connections are still held.
    private func settleSome() -> Bool {
        let moment = LoopClock().now() - ConnectionHistory.patience
        let (judged, isHolding) = history.withLock { history in
            let judged = history.settle(before: moment)
            // The flag changes under the lock, so that the next held connection sets a new timer.
            if !history.isHolding { isSettling.store(false, ordering: .relaxed) }
            return (judged, history.isHolding)
        }
        if !judged.isEmpty { pass(judged) }
        return isHolding
    }

    /// Passes the judged events on.
    private func pass(_ all: [FlowEvent]) {
        let kinds = TrafficKinds(rawValue: subscribed.load(ordering: .relaxed))
        guard all.contains(where: { !$0.kinds.isDisjoint(with: kinds) }) else {
            store?.record(all)
            return
        }
        let events =
            hasDeferred.load(ordering: .relaxed)
            ? deferred.withLock { $0?.sift(all, scope) ?? all } : all
        tally.take(events)
        // The lock is taken only after the first pause.
        if hasPauses.load(ordering: .relaxed) {
            let kept = pauses.withLock { pauses in events.filter(pauses.keeps) }
            if !kept.isEmpty { store?.record(kept) }
        } else {
            store?.record(events)
        }
        privateTallies.take(all)
        meter?.take(all)
        sightings?.take(all)
        guard let watcher else { return }
        for event in events where !event.isFailedFlow { TrafficEvent(event).map(watcher) }
        // Failed flows are reported in any case, since nothing else explains why a client got no answer.
        for event in all where event.isFailedFlow { TrafficEvent(event).map(watcher) }
    }

    /// Lets somebody have all events of these kinds from now on.
    private func subscribe(to kinds: TrafficKinds) {
        subscribed.bitwiseOr(kinds.rawValue, ordering: .relaxed)
    }

    /// Begins to count the traffic of a listener that serves one program.
    func beginTally(of listener: String) {
        privateTallies.begin(listener)
        subscribe(to: [.connections, .exchanges])
    }

    /// Whether a connection of such a listener is open.
    func isOpen(_ listener: String) -> Bool { privateTallies.isOpen(listener) }

    /// Ends the counting for such a listener, and returns the counts.
    func endTally(of listener: String) -> RunOutcome? { privateTallies.end(listener) }

    /// The reason why nothing is written to the capture; `nil` while writing works.
    var standstill: CaptureStandstill? { store?.standstill }

    /// Returns when the file has all records so far, so that a reader who comes next finds them.
    func written() async { await store?.written() }

    /// Whether new exchanges and flows are recorded.
    var isRecording: Bool { store != nil && pauses.withLock { !$0.isPaused } }

    // The lock is taken only after the first pause.
    var wantsClientProcesses: Bool {
        namesClients && store != nil && (!hasPauses.load(ordering: .relaxed) || isRecording)
    }

    /// The counts of the traffic, as Prometheus reads them; `nil` if nothing is counted.
    var metrics: String? { meter?.text(lostEvents: store?.lostEvents ?? 0) }

    /// Whether new connections are kept: a filter of the capture judges exchanges, and packets come before them.
    var wantsPackets: Bool { keepsPackets && !scope.isNarrow && isRecording }

    func keep(_ packet: KeptPacket) { store?.record([.packet(packet)]) }

    /// Keeps a secret of a TLS connection, if connections are kept.
    func keep(secret line: String) {
        if wantsPackets { store?.record([.secret(line)]) }
    }

    /// Sets the filter of the capture for new exchanges and flows.
    func setFilter(_ filter: Filter) {
        scope.replace(with: filter)
        if scope.isNarrow { beginDeferring() }
    }

    /// Begins to defer flows; flows that are in the capture already stay there to their end.
    private func beginDeferring() {
        let first = nextID()
        deferred.withLock { deferred in deferred = deferred ?? DeferredFlows(from: first) }
        hasDeferred.store(true, ordering: .relaxed)
        subscribe(to: .all)
    }

    /// Starts or stops recording of new exchanges and flows; running ones are not affected.
    func setRecording(_ isOn: Bool) {
        let id = nextID()
        pauses.withLock { pauses in
            if isOn { pauses.end(at: id) } else { pauses.begin(at: id) }
        }
        hasPauses.store(true, ordering: .relaxed)
        subscribe(to: .all)
    }

    var isCongested: Bool { store?.isCongested ?? false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        if let store { store.whenRelieved(action) } else { action() }
    }
}

/// Kinds of events that somebody may need.
private struct TrafficKinds: OptionSet {
    let rawValue: UInt8

    /// Connections, and the programs that made them.
    static let connections = Self(rawValue: 1)
    static let exchanges = Self(rawValue: 2)
    /// Exchanges on which rules acted, also those that are left out of the capture.
    static let ruled = Self(rawValue: 4)
    /// Parts of bodies, messages, packets and secrets.
    static let content = Self(rawValue: 8)
    static let all = Self(rawValue: .max)
}

extension FlowEvent {
    fileprivate var kinds: TrafficKinds {
        switch self {
        case .flow, .clientProcess: .connections
        case .exchange(let record): record.rules.isEmpty ? .exchanges : [.exchanges, .ruled]
        case .leftOut: .ruled
        case .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .packet, .secret: .content
        }
    }

    /// Whether the event is the end of a failed flow.
    fileprivate var isFailedFlow: Bool {
        if case .flow(let record) = self { record.closed != nil && record.isFailed } else { false }
    }
}
