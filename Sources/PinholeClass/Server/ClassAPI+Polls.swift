import PinholeConsole
import PinholeSession

/// Requests for the poll of a class.
extension ClassAPI {
    private struct Poll: Encodable {
        /// The poll; absent if there is none.
        let poll: ClassPoll.Question?
    }

    /// The vote of a student.
    struct VoteOrder: Codable {
        let outcome: ClassPoll.Outcome
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
        let outcome = try call.request.order(VoteOrder.self).outcome
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
