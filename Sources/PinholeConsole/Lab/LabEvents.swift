import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeRuntime

/// A stream of server-sent events: the cells of a lab run as they finish, from the beginning of the run.
final class LabEvents: BodySource {
    private struct State {
        var number = 0
        var place = 0
        var status: LabRuns.Status?
        /// The changes of the runs that the stream has seen.
        var seen = 0
        var lastWords: Timestamp
    }

    private static let pause = Duration.milliseconds(100)
    /// The time without events after which a comment keeps intermediaries from dropping the connection.
    private static let silence = Duration.seconds(15)
    /// The maximum count of cells in one piece, so that a page has time to show them.
    private static let most = 500

    private let runs: LabRuns
    private let streams: AnswerSlots
    private let clock = LoopClock()
    private let state: Lock<State>

    /// Creates a stream, for which the caller has taken a slot.
    ///
    /// - Parameters:
    ///   - runs: The runs of the lab.
    ///   - streams: The slots, to which the stream gives its slot back.
    init(_ runs: LabRuns, _ streams: AnswerSlots) {
        self.runs = runs
        self.streams = streams
        state = Lock(State(lastWords: clock.now()))
    }

    func next(_ done: @escaping @Sendable (BodyPiece) -> Void) {
        done(state.withLock { piece(&$0, at: clock.now()) })
    }

    func wake(_ action: @escaping @Sendable () -> Void) {
        runs.changes.tell(self, after: state.withLock { $0.seen }, action)
    }

    deinit {
        cancel()
        streams.release()
    }

    func cancel() { runs.changes.remove(self) }

    private func piece(_ state: inout State, at now: Timestamp) -> BodyPiece {
        state.seen = runs.changes.count
        var text = text(&state)
        let silence = now - state.lastWords
        if text.isEmpty {
            guard silence >= Self.silence else {
                return BodyPiece([], then: .wait(atMost: Self.silence - silence))
            }
            text = ": still here\n\n"
        }
        state.lastWords = now
        return BodyPiece(Array(text.utf8), then: .pause(Self.pause))
    }

    private func text(_ state: inout State) -> String {
        var text = ""
        if let (run, all) = runs.news(of: state.number, after: state.place) {
            let isNew = run.number != state.number
            let cells = all.prefix(Self.most)
            if isNew {
                (state.number, state.place, state.status) = (run.number, 0, nil)
                text += event("run", LabJSON.Run(run))
            }
            state.place += cells.count
            if !cells.isEmpty { text += event("cells", cells.map(LabJSON.Cell.init)) }
            // The end of a run is sent after all of its cells.
            if !isNew, state.status != run.status, cells.count == all.count {
                text += event("run", LabJSON.Run(run))
                state.status = run.status
            }
        }
        return text
    }

    private func event(_ name: String, _ value: some Encodable) -> String {
        "event: \(name)\ndata: \(JSONLine.text(value))\n\n"
    }
}
