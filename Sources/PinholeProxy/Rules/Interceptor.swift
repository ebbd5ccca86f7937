/// Whoever is asked about exchanges: at the named points, away from the event loops, and bound to answer once.
package protocol Interceptor: Sendable {
    /// Answers a question; it may take its time, for the exchange is held.
    func decide(_ question: Consultation) -> Decision
}
