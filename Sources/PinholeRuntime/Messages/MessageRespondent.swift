/// Decides what happens to messages: a program, or code that embeds the proxy.
package protocol MessageRespondent: Sendable {
    /// Asks a question without waiting for the answer.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - reply: Receives the answer, or the reason why there is none, once and on any thread.
    func ask(
        _ question: MessageQuestion,
        _ reply: @escaping @Sendable (Result<MessageDecision, MessageFailure>) -> Void
    )
}
