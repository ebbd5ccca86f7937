import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeWire

/// A stream of server-sent events: what becomes new in the capture, as long as somebody reads.
///
/// It asks the capture when it is asked itself, so a page that sleeps costs nothing but where it stands.
final class ConsoleEvents: BodySource {
    private struct State {
        var changes: TrafficChanges?
        /// Which traffic is told; `nil` for all.
        var filter: TrafficFilter?
        var start: TrafficChanges.Position?
        var edits: Int
        /// Which news of the breakpoints were told; none yet.
        var breakpoints = -1
        var lastWords: Timestamp
        var stateTold: Timestamp?
        var stateIsOld = true
        /// The standstill of the capture in the state that was sent last.
        var standstill: CaptureStandstill?
    }

    /// At most ten batches a second.
    private static let pause = Duration.milliseconds(100)
    /// A comment keeps what lies between from thinking that the connection is dead.
    private static let silence = Duration.seconds(15)
    /// The state counts, so it is told less often.
    private static let statePause = Duration.seconds(2)

    private let call: ConsoleCall
    private let state: Lock<State>

    init(_ call: ConsoleCall, from start: TrafficChanges.Position?, filter: TrafficFilter?) {
        self.call = call
        state = Lock(
            State(filter: filter, start: start, edits: call.api.edits.end, lastWords: call.api.clock.now())
        )
    }

    func next(_ done: @escaping @Sendable (BodyPiece) -> Void) {
        let isAsked = call.api.eventReaders.perform { [self] reader in
            guard !call.request.abandonment.isAbandoned else { return }
            done(step(reader.until { [call] in call.request.abandonment.isAbandoned }))
        }
        if !isAsked { done(BodyPiece([], then: .pause(Self.pause))) }
    }

    private func step(_ reader: CaptureReader) -> BodyPiece {
        // One piece is asked for at a time, so nobody else is here; the lock is not held while the file is read.
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
        let now = call.api.clock.now()
        var text = ""
        var changes = try state.changes ?? TrafficChanges(from: state.start, now: now, in: reader)
        // Lists that are read from now on lack nothing that is not told.
        if state.changes == nil {
            text += "retry: 1000\n\nevent: begin\ndata: {\"after\":\(changes.position.last)}\n\n"
        }
        changes.isFiltered = call.api.subject.recording.map { !$0.scope().filter.isEmpty } ?? false
        let step = try changes.next(at: now, in: reader)
        state.changes = changes
        if let range = step.leftOut {
            text += "event: gap\ndata: {\"after\":\(range.lowerBound - 1),\"upTo\":\(range.upperBound)}\n\n"
        }
        if let last = step.goneUpTo { text += "event: gone\ndata: {\"upTo\":\(last)}\n\n" }
        text += try edits(&state, reader, before: step.rows)
        text += breakpoints(&state)
        let hasNews = !step.rows.isEmpty || step.goneUpTo != nil || step.leftOut != nil
        let standstill = call.api.subject.store?.standstill
        if standstill != state.standstill { (state.standstill, state.stateTold) = (standstill, nil) }
        state.stateIsOld = state.stateIsOld || hasNews || state.stateTold == nil
        if state.stateIsOld, state.stateTold.map({ now - $0 >= Self.statePause }) ?? true {
            text += "event: state\ndata: \(JSONLine.text(try call.stateDocument(reader)))\n\n"
            state.stateIsOld = false
            state.stateTold = now
        }
        if !text.isEmpty {
            // A number alone moves where a browser begins again.
            text += "id: \(changes.position.last)-\(changes.position.time.microseconds)\n\n"
        } else if now - state.lastWords >= Self.silence {
            text = ": still here\n\n"
        }
        if !text.isEmpty { state.lastWords = now }
        return BodyPiece(Array(text.utf8), then: .pause(Self.pause))
    }

    /// What is held at breakpoints, where that is not what was told.
    private func breakpoints(_ state: inout State) -> String {
        guard let board = call.api.subject.breakpoints else { return "" }
        let version = board.version
        guard version != state.breakpoints else { return "" }
        state.breakpoints = version
        let now = call.api.clock.now()
        let held = board.held.map { BreakpointJSON($0, isWhole: false, now: now) }
        return "event: breakpoints\ndata: \(JSONLine.text(held))\n\n"
    }

    /// What was changed by hand.
    private func edits(
        _ state: inout State,
        _ reader: CaptureReader,
        before rows: [TrafficRow]
    ) throws -> String {
        let (edits, end) = call.api.edits.edits(since: state.edits)
        state.edits = end
        let isRefiltered = edits.contains(.refiltered)
        // One that calls what there is no more goes on as it was.
        if isRefiltered, state.filter != nil, let filter = try? call.filter() { state.filter = filter }
        var text = try traffic(rows, state.filter, reader)
        guard !edits.isEmpty else { return text }
        if edits.contains(.removed) || isRefiltered { text += "event: reload\ndata: {}\n\n" }
        if edits.contains(where: { if case .noted = $0 { false } else { true } }) {
            state.stateIsOld = true
            state.stateTold = nil
        }
        var noted: [Int64] = []
        for case .noted(let id) in edits where !noted.contains(id) { noted.append(id) }
        return try text + traffic(reader.traffic(ids: noted.suffix(500)), state.filter, reader)
    }

    /// The rows that are told, each as an event.
    private func traffic(
        _ rows: [TrafficRow],
        _ filter: TrafficFilter?,
        _ reader: CaptureReader
    ) throws -> String {
        var rows = rows
        if let filter, !rows.isEmpty {
            let meant = try reader.trafficIDs(filter, among: rows.map(\.id))
            rows.removeAll { !meant.contains($0.id) }
        } else {
            rows.removeAll(where: \.isSpare)
        }
        return rows.map { "event: traffic\ndata: \(JSONLine.text(TrafficItemJSON($0)))\n\n" }.joined()
    }
}

extension ConsoleCall {
    func events() throws -> ConsoleAnswer {
        let filter = request.value("filter")?.isEmpty ?? true ? nil : try filter()
        return ConsoleAnswer(
            200,
            fields: [("Content-Type", "text/event-stream")],
            body: .source(ConsoleEvents(self, from: try start(), filter: filter), length: nil)
        )
    }

    /// Where the page stands: by what its browser remembers, or by what it says.
    private func start() throws(Problem) -> TrafficChanges.Position? {
        let field = request.head.fields.first("last-event-id")
        guard let text = field ?? request.value("after"), !text.isEmpty else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard let last = parts.first ?? nil, last >= 0, parts.count <= 2 else {
            throw Problem.bad(field == nil ? "after" : "Last-Event-ID", expected: "a number", found: text)
        }
        // Without a time, what ended lately is told again.
        let time = parts.count == 2 ? parts[1].map(Timestamp.init(microseconds:)) : nil
        return TrafficChanges.Position(last: last, time: time ?? api.clock.now() - .seconds(10))
    }
}
