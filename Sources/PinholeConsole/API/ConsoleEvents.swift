import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore
import PinholeWire

/// A stream of server-sent events with the changes of a capture, for one page.
///
/// The stream queries the capture after a change of which a signal tells. Where another process may record, it asks by
/// itself.
final class ConsoleEvents: BodySource {
    /// A thing whose changes the stream tells.
    private enum Subject {
        case capture
        case filters
        case settings
        case breakpoints
        case compose
    }

    private struct State {
        var changes: TrafficChanges?
        /// The filter of the traffic that is sent; `nil` for all.
        var filter: TrafficFilter?
        /// The count of each signal when the stream last looked for changes.
        var seen: [Subject: Int]
        /// Whether pages have to read their lists again, and the time at which they were last told so.
        var reload = (isDue: false, isBehind: false, told: Timestamp?.none)
        /// The time of the last change.
        var changed: Timestamp
        var lastWords: Timestamp
        var stateSent: Timestamp?
        var stateIsOld = true
        /// The standstill of the capture in the state that was sent last.
        var standstill: CaptureStandstill?
    }

    /// The pause between two pieces, and its addition for each row, so that a page has time to show many of them.
    private static let pause = (least: Duration.milliseconds(10), row: Duration.microseconds(200))
    /// The time after which a capture is asked for changes, though no signal told of one.
    ///
    /// A capture that another process records has no signal, so changes are awaited closely for a minute after each one.
    /// The file of a recording may be deleted at any time.
    private static let patience = (
        recording: Duration.seconds(1), changing: Duration.milliseconds(30), quiet: Duration.milliseconds(250)
    )
    private static let changing = Duration.seconds(60)
    /// The minimum time between two orders to read lists again, which cost a page much.
    private static let reloadPause = Duration.seconds(1)
    /// The time without events after which a comment is sent, so that no intermediary drops the connection as dead.
    private static let silence = Duration.seconds(15)
    /// The minimum time between two states, which are sent less often because each one counts the capture.
    private static let statePause = Duration.seconds(2)

    private let call: ConsoleCall
    private let signals: [Subject: ChangeSignal]
    private let state: Lock<State>
    private let start: Int64?

    /// Creates a stream, for which the caller has taken a slot.
    ///
    /// - Parameters:
    ///   - call: The request for the stream.
    ///   - revision: The revision after which changes are told; `nil` for the present one.
    ///   - filter: The filter of the traffic that is told; `nil` for all.
    init(_ call: ConsoleCall, after revision: Int64?, filter: TrafficFilter?) {
        self.call = call
        let api = call.api
        start = revision
        var signals: [Subject: ChangeSignal] = [
            .capture: api.changes, .filters: api.filterChanges, .settings: api.settingChanges,
            .compose: api.library.changes,
        ]
        let seen = signals.mapValues(\.count)
        // The breakpoints are told at the beginning, so no count of them is known yet.
        signals[.breakpoints] = api.subject.control?.breakpoints.changes
        self.signals = signals
        state = Lock(
            State(
                filter: filter,
                seen: seen,
                changed: api.clock.now(),
                lastWords: api.clock.now()
            )
        )
        for signal in signals.values { signal.add(self) }
    }

    func next(_ done: @escaping @Sendable (BodyPiece) -> Void) {
        let isAsked = call.api.eventReaders.perform { [self] reader in
            guard !call.request.abandonment.isAbandoned else { return }
            done(step(reader.until { [call] in call.request.abandonment.isAbandoned }))
        }
        if !isAsked { done(BodyPiece([], then: .pause(Self.pause.least))) }
    }

    func wake(_ action: @escaping @Sendable () -> Void) {
        let seen = state.withLock { $0.seen }
        for (subject, signal) in signals { signal.tell(self, after: seen[subject] ?? 0, action) }
    }

    // An answer that comes too late for its client is dropped without being cancelled.
    deinit {
        cancel()
        call.api.streams.release()
    }

    func cancel() { for signal in signals.values { signal.remove(self) } }

    private func step(_ reader: CaptureReader) -> BodyPiece {
        // One piece is requested at a time, so no call is concurrent; the lock is free while the file is read.
        var state = state.withLock { $0 }
        do {
            let piece = try piece(&state, reader)
            self.state.withLock { [state] in $0 = state }
            return piece
        } catch {
            return BodyPiece([], then: .failure)
        }
    }

    private func piece(_ state: inout State, _ reader: CaptureReader) throws -> BodyPiece {
        let api = call.api
        let now = api.clock.now()
        // A change after this moment wakes the stream again.
        let counts = signals.mapValues(\.count)
        let changed = Set(counts.keys.filter { counts[$0] != state.seen[$0] })
        state.seen = counts
        var text = ""
        var changes = try state.changes ?? TrafficChanges(after: start, in: reader)
        // Events from this revision on complete every list that is read after this event.
        if state.changes == nil {
            text += "retry: 1000\n\nevent: begin\ndata: {\"after\":\(changes.revision)}\n\n"
        }
        let step = try changes.next(in: reader)
        state.changes = changes
        if !step.isEmpty { state.changed = now }
        if let last = step.goneUpTo { text += "event: gone\ndata: {\"upTo\":\(last)}\n\n" }
        text += try traffic(step, changed, &state, reader)
        text += reload(&state, at: now)
        if changed.contains(.breakpoints), let held = api.subject.control?.held {
            text += "event: breakpoints\ndata: \(JSONLine.text(held))\n\n"
        }
        if changed.contains(.compose) { text += "event: compose\ndata: {}\n\n" }
        let standstill = api.subject.store?.standstill
        if standstill != state.standstill { (state.standstill, state.stateSent) = (standstill, nil) }
        state.stateIsOld = state.stateIsOld || !step.isEmpty || state.stateSent == nil
        if state.stateIsOld, state.stateSent.map({ now - $0 >= Self.statePause }) ?? true {
            text += "event: state\ndata: \(JSONLine.text(try call.currentState(reader)))\n\n"
            state.stateIsOld = false
            state.stateSent = now
        }
        if !text.isEmpty {
            // A line with only an ID moves the position from which a browser resumes.
            text += "id: \(changes.revision)\n\n"
        } else if now - state.lastWords >= Self.silence {
            text = ": still here\n\n"
        } else {
            // Changes that the page does not show may come before others that it shows.
            if step.hasMore { return BodyPiece([], then: .pause(Self.pause.least)) }
            return BodyPiece([], then: .wait(atMost: patience(state, at: now)))
        }
        state.lastWords = now
        let rows = step.rows.count + step.amended.count
        return BodyPiece(Array(text.utf8), then: .pause(Self.pause.least + Self.pause.row * rows))
    }

    /// Returns the time after which the stream looks for changes that nothing tells it, or sends what is due.
    private func patience(_ state: State, at now: Timestamp) -> Duration {
        let isChanging = now - state.changed < Self.changing
        var patience = isChanging ? Self.patience.changing : Self.patience.quiet
        if call.api.subject.store != nil { patience = Self.patience.recording }
        patience = min(patience, state.lastWords + Self.silence - now)
        if state.reload.isDue, let told = state.reload.told {
            patience = min(patience, told + Self.reloadPause - now)
        }
        if state.stateIsOld, let told = state.stateSent {
            patience = min(patience, told + Self.statePause - now)
        }
        return patience
    }

    /// Returns events for recorded, changed and removed rows, and notes changes of filters and settings.
    private func traffic(
        _ step: TrafficChanges.Step,
        _ changed: Set<Subject>,
        _ state: inout State,
        _ reader: CaptureReader
    ) throws -> String {
        let isRefiltered = changed.contains(.filters)
        // A filter that refers to a removed filter cannot be read; the old filter stays in use.
        if isRefiltered, state.filter != nil, let filter = try? call.filter() { state.filter = filter }
        if step.hasRemovals || step.isBehind || isRefiltered { state.reload.isDue = true }
        if step.isBehind { state.reload.isBehind = true }
        if isRefiltered || changed.contains(.settings) {
            state.stateIsOld = true
            state.stateSent = nil
        }
        return try step.rows(matching: state.filter, in: reader).map { row in
            "event: traffic\ndata: \(JSONLine.text(TrafficItemJSON(row, showsTimings: true)))\n\n"
        }.joined()
    }

    /// Returns the event after which pages read their lists again; a long removal makes one each second.
    private func reload(_ state: inout State, at now: Timestamp) -> String {
        guard state.reload.isDue, state.reload.told.map({ now - $0 >= Self.reloadPause }) ?? true else {
            return ""
        }
        defer { state.reload = (false, false, now) }
        return "event: reload\ndata: {\"isBehind\":\(state.reload.isBehind)}\n\n"
    }
}

extension ConsoleCall {
    func events() throws -> ConsoleAnswer {
        let filter = request.value("filter")?.isEmpty ?? true ? nil : try filter()
        let revision = try revision()
        try takeStream()
        return ConsoleAnswer(
            200,
            fields: [("Content-Type", "text/event-stream")],
            body: .source(ConsoleEvents(self, after: revision, filter: filter), length: nil)
        )
    }

    /// Takes the place of a stream, which the stream gives back.
    func takeStream() throws(Problem) {
        guard !api.streams.take() else { return }
        let detail = "\(api.limits.streams) streams of events are open already"
        throw Problem(503, "busy", detail, remedy: "close other tabs of the console")
    }

    /// Returns the revision to resume from: by the field Last-Event-ID, or by the parameter `after`.
    private func revision() throws(Problem) -> Int64? {
        let field = request.head.fields.first("last-event-id")
        guard let text = field ?? request.value("after"), !text.isEmpty else { return nil }
        guard let revision = Int64(text), FieldRange.ids.contains(revision) else {
            throw Problem.bad(field == nil ? "after" : "Last-Event-ID", expected: "a number", found: text)
        }
        return revision
    }
}
