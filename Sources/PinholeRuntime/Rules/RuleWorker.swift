package import PinholeProxy

/// Carries out the parts of rules that take time: it reads files, changes the content of messages, and asks
/// at breakpoints.
package struct RuleWorker: ExchangeInterceptor {
    private let breakpoints: HeldMessages?
    private let respondents: @Sendable (String) -> (any MessageRespondent)?
    private let others: (any ExchangeInterceptor)?

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - breakpoints: The list that holds messages for a decision; `nil` if nobody can decide.
    ///   - programs: Returns the program or the code to ask, by its name in a rule.
    ///   - others: Answers from captures, which this target cannot read; `nil` if there are none.
    package init(
        breakpoints: HeldMessages? = nil,
        programs: @escaping @Sendable (String) -> (any MessageRespondent)? = { _ in nil },
        others: (any ExchangeInterceptor)? = nil
    ) {
        respondents = programs
        self.breakpoints = breakpoints
        self.others = others
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
            work.run()
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
