/// Whoever is asked about exchanges: at the named points, away from the event loops, and bound to answer once.
package protocol Interceptor: Sendable {
    /// Takes a question; answers it when it can, from any thread, for the exchange is held.
    ///
    /// - Parameter inquiry: The question, and where the answer goes.
    func decide(_ inquiry: Inquiry)
}
