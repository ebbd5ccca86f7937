/// A receiver of questions about exchanges, which works outside of the event loops and answers each question once.
package protocol ExchangeInterceptor: Sendable {
    /// Takes a question, and answers it later from any thread; the exchange is held until then.
    ///
    /// - Parameter inquiry: The question, and the way back for the answer.
    func decide(_ inquiry: Inquiry)
}
