import PinholeLock

/// A question for an ``ExchangeInterceptor``, and the way back for its answer.
///
/// Only the first answer counts, and only until the question is withdrawn, because the client has left or the time has
/// run out.
package final class Inquiry: Sendable {
    private struct State {
        var reply: (@Sendable (ExchangeDecision) -> Void)?
        var isWithdrawn = false
        var whenWithdrawn: (@Sendable () -> Void)?
    }

    /// The question, with the messages that it is about.
    package let question: Consultation
    private let state: Lock<State>

    /// Creates an inquiry.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - reply: A function that takes the answer. It is called at most once, on the thread that answers.
    package init(_ question: Consultation, reply: @escaping @Sendable (ExchangeDecision) -> Void) {
        self.question = question
        state = Lock(State(reply: reply))
    }

    /// Answers the question, unless it was already answered or withdrawn.
    ///
    /// - Returns: Whether the answer counts.
    @discardableResult
    package func answer(_ decision: ExchangeDecision) -> Bool {
        let reply = state.withLock { state in
            defer { state.reply = nil }
            state.whenWithdrawn = nil
            return state.reply
        }
        reply?(decision)
        return reply != nil
    }

    /// Withdraws the question, because its answer is no longer needed.
    package func withdraw() {
        let action = state.withLock { state in
            state.reply = nil
            state.isWithdrawn = true
            return state.whenWithdrawn.take()
        }
        action?()
    }

    /// Calls `action` when the question is withdrawn, at once if that has already happened, and never after an answer.
    ///
    /// - Parameter action: A function that is called at most once, on an event loop.
    package func whenWithdrawn(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            guard !state.isWithdrawn else { return true }
            if state.reply != nil { state.whenWithdrawn = action }
            return false
        }
        if isLate { action() }
    }
}
