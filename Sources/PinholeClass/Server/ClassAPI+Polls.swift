import PinholeConsole
import PinholeSession

/// Requests for the poll of a class.
extension ClassAPI {
    private struct Poll: Encodable {
        /// The poll; absent if there is none.
        let poll: ClassPoll.Question?
    }

    private func ownSeat() throws(Problem) -> StudentPolls {
        guard let seat else {
            throw Problem(404, "no class", "this console belongs to no class that a teacher serves")
        }
        return seat
    }

    /// Answers with the poll that runs.
    func poll() throws -> ConsoleAnswer {
        let seat = try ownSeat()
        return .json(Poll(poll: seat.polls.question(for: seat.account)))
    }

    /// Takes the vote of the body.
    func vote(_ call: ConsoleCall) throws -> ConsoleAnswer {
        let seat = try ownSeat()
        let body = try call.object()
        try body.refuse(besides: ["outcome"])
        let text = try body.text("outcome") ?? ""
        guard let outcome = ClassPoll.Outcome(rawValue: text) else {
            let known = ClassPoll.Outcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(400, "bad body", "outcome: expected \(known), found “\(text.prefix(80))”")
        }
        guard seat.polls.vote(outcome, by: seat.account) else {
            throw Problem(
                409,
                "no vote",
                "no poll takes votes now: the teacher ended it, or showed the outcome"
            )
        }
        return .json(Poll(poll: seat.polls.question(for: seat.account)))
    }
}
