/// Whoever is asked what becomes of messages: a program, or code that embeds the proxy.
package protocol MessageRespondent: Sendable {
    /// Asks, and does not wait.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - reply: Is given the answer once, on any thread, or why there is none.
    func ask(
        _ question: MessageQuestion,
        _ reply: @escaping @Sendable (Result<MessageReply, MessageFailure>) -> Void
    )
}
