import PinholeLab
import PinholeLock
import PinholeModel

/// A stream of server-sent events: a run of the lab as it becomes known, from its beginning.
final class LabEvents: BodySource {
    private struct State {
        var number = 0
        var place = 0
        var status: LabBoard.Status?
        var quiet = 0
    }

    private static let pause = Duration.milliseconds(100)
    /// A comment after 15 s keeps what lies between from thinking that the connection is dead.
    private static let silence = 150
    /// Cells in one piece: a page has time to show them.
    private static let most = 500

    private let board: LabBoard
    private let state = Lock(State())

    init(_ board: LabBoard) { self.board = board }

    func next(_ done: @escaping @Sendable (BodyPiece) -> Void) {
        let news = state.withLock { text(&$0) }
        done(BodyPiece(Array(news.utf8), then: .pause(Self.pause)))
    }

    private func text(_ state: inout State) -> String {
        var text = ""
        if let (run, all) = board.news(of: state.number, after: state.place) {
            let isNew = run.number != state.number
            let cells = all.prefix(Self.most)
            if isNew {
                state = State(number: run.number)
                text += event("run", LabJSON.Run(run))
            }
            state.place += cells.count
            if !cells.isEmpty { text += event("cells", cells.map(LabJSON.Cell.init)) }
            // The end is told when everything before it was.
            if !isNew, state.status != run.status, cells.count == all.count {
                text += event("run", LabJSON.Run(run))
                state.status = run.status
            }
        }
        state.quiet = text.isEmpty ? state.quiet + 1 : 0
        guard state.quiet >= Self.silence else { return text }
        state.quiet = 0
        return ": still here\n\n"
    }

    private func event(_ name: String, _ value: some Encodable) -> String {
        "event: \(name)\ndata: \(JSONLine.text(value))\n\n"
    }
}
