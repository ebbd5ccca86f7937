import PinholeModel
import PinholeRuntime
import PinholeSession

/// Messages that are held at breakpoints.
extension ConsoleCall {
    func breakpoints() async throws -> ConsoleAnswer {
        .json(HeldListing.List(held: try await control().heldMessages()))
    }

    func breakpoint() async throws -> ConsoleAnswer {
        let id = try id()
        guard let held = try await control().heldMessage(id) else { throw notHeld(id) }
        return .json(held)
    }

    func continueBreakpoint() async throws -> ConsoleAnswer {
        try await decide(try decision(.proceed))
    }

    func respondBreakpoint() async throws -> ConsoleAnswer {
        try await decide(try decision(.respond))
    }

    func dropBreakpoint() async throws -> ConsoleAnswer {
        let order: DecisionOrder = try order()
        return try await decide(MessageDecision(.drop(isReset: order.reset ?? false)))
    }

    /// Returns the decision in the body; an empty body stands for `{}`.
    private func decision(_ way: MessageDecision.Way) throws(Problem) -> MessageDecision {
        let order = JSONValue.object(request.body.isEmpty ? [:] : try object())
        do throws(DocumentFailure) {
            return try MessageDecision(way, order, path: "")
        } catch {
            throw Problem(400, "bad value", "\(error)")
        }
    }

    private func decide(_ verdict: MessageDecision) async throws -> ConsoleAnswer {
        let id = try id()
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
