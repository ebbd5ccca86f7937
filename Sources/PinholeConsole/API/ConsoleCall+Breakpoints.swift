import PinholeModel
import PinholeRuntime
import PinholeSession

/// Messages that are held at breakpoints.
extension ConsoleCall {
    /// The list of held messages, without their content.
    private struct List: Encodable {
        let held: [BreakpointJSON]
    }

    func breakpoints() throws -> ConsoleAnswer {
        let now = api.clock.now()
        return .json(List(held: try board().held.map { BreakpointJSON($0, isWhole: false, now: now) }))
    }

    func breakpoint() throws -> ConsoleAnswer {
        let id = try id()
        guard let held = try board()[id] else { throw notHeld(id) }
        return .json(BreakpointJSON(held, isWhole: true, now: api.clock.now()))
    }

    func continueBreakpoint() throws -> ConsoleAnswer {
        try decide { (order) throws(DocumentFailure) in
            try BreakpointVerdict(.proceed, order, path: "")
        }
    }

    func respondBreakpoint() throws -> ConsoleAnswer {
        try decide { (order) throws(DocumentFailure) in
            try BreakpointVerdict(.respond, order, path: "")
        }
    }

    func dropBreakpoint() throws -> ConsoleAnswer {
        try decide { (order) throws(DocumentFailure) in
            var object = try DocumentObject(order, path: "")
            var isReset = false
            try object.read("reset", into: &isReset, DocumentValue.boolean)
            try object.finish()
            return BreakpointVerdict(.drop(isReset: isReset))
        }
    }

    /// Decides about a held message by the verdict that `read` makes of the body; an empty body stands for `{}`.
    private func decide(
        _ read: (JSONValue) throws(DocumentFailure) -> BreakpointVerdict
    ) throws -> ConsoleAnswer {
        let order = JSONValue.object(request.body.isEmpty ? [:] : try object())
        let id = try id()
        do {
            guard try board().decide(id, read(order)) else { throw notHeld(id) }
        } catch let failure as DocumentFailure {
            throw Problem(400, "bad value", "\(failure)")
        } catch let failure as VerdictFailure {
            throw Problem(400, "bad value", "\(failure)")
        }
        return ConsoleAnswer(204)
    }

    private func board() throws(Problem) -> BreakpointBoard {
        guard let board = api.subject.breakpoints else {
            throw Problem(409, "no proxy", "this console shows a file, and no proxy runs here")
        }
        return board
    }

    private func notHeld(_ id: Int64) -> Problem {
        Problem(
            404,
            "not held",
            "no message with the number \(id) is held (any more)",
            remedy: "it went on when its time was over, or its client left"
        )
    }
}
