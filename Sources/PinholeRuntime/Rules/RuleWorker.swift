package import PinholeProxy
import PinholeRules

/// Does what rules want that takes time: it reads files, changes what messages hold, and asks at breakpoints.
package struct RuleWorker: Interceptor {
    private let breakpoints: BreakpointBoard?

    /// Creates a worker.
    ///
    /// - Parameter breakpoints: Where messages are held for somebody; `nil` where nobody could decide.
    package init(breakpoints: BreakpointBoard? = nil) { self.breakpoints = breakpoints }

    /// Answers a question, some of them later.
    package func decide(_ inquiry: Inquiry) {
        guard case .message(let message) = inquiry.question else {
            inquiry.answer(LocalFiles().decide(inquiry.question))
            return
        }
        MessageWork(message, inquiry, breakpoints: breakpoints).goOn()
    }
}
