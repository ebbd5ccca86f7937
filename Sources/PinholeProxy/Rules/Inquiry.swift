import PinholeLock

/// A question on its way to an ``Interceptor``, and the way back for the answer.
///
/// The first answer counts, and only until the question is withdrawn: the client may leave, or the time run out.
package final class Inquiry: Sendable {
    private struct State {
        var reply: (@Sendable (Decision) -> Void)?
        var isWithdrawn = false
        var whenWithdrawn: (@Sendable () -> Void)?
    }

    /// What is asked.
    package let question: Consultation
    private let state: Lock<State>

    /// Creates an inquiry.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - reply: Takes the answer, once at most, on the thread of whoever answers.
    package init(_ question: Consultation, reply: @escaping @Sendable (Decision) -> Void) {
        self.question = question
        state = Lock(State(reply: reply))
    }

    /// Answers; does nothing where there was an answer, or nobody waits for one any more.
    ///
    /// - Parameter decision: What is to be done.
    /// - Returns: Whether it counts.
    @discardableResult
    package func answer(_ decision: Decision) -> Bool {
        let reply = state.withLock { state in
            defer { state.reply = nil }
            state.whenWithdrawn = nil
            return state.reply
        }
        reply?(decision)
        return reply != nil
    }

    /// Says that nobody waits for the answer any more.
    package func withdraw() {
        let action = state.withLock { state in
            state.reply = nil
            state.isWithdrawn = true
            return state.whenWithdrawn.take()
        }
        action?()
    }

    /// Lets `action` be called when nobody waits any more, at once where that is so already; never after an answer.
    ///
    /// - Parameter action: Is called once at most, on an event loop.
    package func whenWithdrawn(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            guard !state.isWithdrawn else { return true }
            if state.reply != nil { state.whenWithdrawn = action }
            return false
        }
        if isLate { action() }
    }
}
