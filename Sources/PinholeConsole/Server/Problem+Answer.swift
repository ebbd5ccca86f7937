package import PinholeSession
import PinholeWire

extension Problem {
    /// The problem as an answer.
    package var answer: ConsoleAnswer {
        var answer = ConsoleAnswer.json(Document(self), status: status)
        answer.fields = [("Content-Type", "application/problem+json")]
        if !allowed.isEmpty { answer.fields.append(("Allow", allowed.joined(separator: ", "))) }
        return answer
    }

    /// Returns the problem of a request whose method its path does not allow.
    package static func notAllowed(_ request: ConsoleRequest, _ allowed: [String]) -> Problem {
        var problem = Problem(
            405,
            "method not allowed",
            "expected \(allowed.joined(separator: ", ")), found \(request.head.method.prefix(40))"
        )
        problem.allowed = allowed
        return problem
    }
}
