import PinholeModel
import PinholeRuntime
import PinholeSession

/// Messages that are held at breakpoints.
extension ConsoleCall {
    func breakpoints() async throws -> ConsoleAnswer {
        .json(HeldList(held: try await control().heldMessages()))
    }

    func breakpoint() async throws -> ConsoleAnswer {
        let id = try id()
        guard let held = try await control().heldMessage(id) else { throw notHeld(id) }
        return .json(held)
    }

    func continueBreakpoint() async throws -> ConsoleAnswer {
        try await decide { (order) throws(DocumentFailure) in try MessageDecision(.proceed, order, path: "") }
    }

    func respondBreakpoint() async throws -> ConsoleAnswer {
        try await decide { (order) throws(DocumentFailure) in try MessageDecision(.respond, order, path: "") }
    }

    func dropBreakpoint() async throws -> ConsoleAnswer {
        try await decide { (order) throws(DocumentFailure) in
            var object = try DocumentObject(order, path: "")
            var isReset = false
            try object.read("reset", into: &isReset, DocumentValue.boolean)
            try object.finish()
            return MessageDecision(.drop(isReset: isReset))
        }
    }

    /// Decides about a held message by the verdict that `read` makes of the body; an empty body stands for `{}`.
    private func decide(
        _ read: (JSONValue) throws(DocumentFailure) -> MessageDecision
    ) async throws -> ConsoleAnswer {
        let order = JSONValue.object(request.body.isEmpty ? [:] : try object())
        let id = try id()
        let verdict: MessageDecision
        do throws(DocumentFailure) {
            verdict = try read(order)
        } catch {
            throw Problem(400, "bad value", "\(error)")
        }
        guard try await control().decide(id, verdict) else { throw notHeld(id) }
        return ConsoleAnswer(204)
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
