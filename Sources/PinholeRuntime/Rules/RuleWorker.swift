package import PinholeProxy
import PinholeRules

/// Carries out the parts of rules that take time: it reads files, changes the content of messages, and asks
/// at breakpoints.
package struct RuleWorker: Interceptor {
    private let breakpoints: BreakpointBoard?
    private let respondents: @Sendable (String) -> (any MessageRespondent)?
    private let others: (any Interceptor)?

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - breakpoints: The board that holds messages for a decision; `nil` if nobody can decide.
    ///   - programs: The programs that rules may name.
    ///   - others: Answers from captures, which this target cannot read; `nil` if there are none.
    package init(
        breakpoints: BreakpointBoard? = nil,
        programs: ProgramRoster = ProgramRoster(),
        others: (any Interceptor)? = nil
    ) {
        respondents = { programs[$0] }
        self.breakpoints = breakpoints
        self.others = others
    }

    /// Creates a worker for code that embeds the proxy.
    ///
    /// - Parameter respondents: The code to ask, by the names in the rules.
    package init(respondents: [String: any MessageRespondent]) {
        self.respondents = { respondents[$0] }
        breakpoints = nil
        others = nil
    }

    /// Answers a question, either at once or later.
    package func decide(_ inquiry: Inquiry) {
        switch inquiry.question {
        case .message(let message):
            let work = MessageWork(
                message,
                inquiry,
                breakpoints: breakpoints,
                respondents: respondents,
                others: others
            )
            work.goOn()
        case .replay:
            guard let others else {
                inquiry.answer(.proceed)
                return
            }
            others.decide(inquiry)
        case .wait, .file, .local: inquiry.answer(LocalFiles().decide(inquiry.question))
        }
    }
}
