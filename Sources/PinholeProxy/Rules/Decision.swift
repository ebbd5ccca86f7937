/// What is to be done with an exchange that somebody was asked about.
package enum Decision: Sendable, Equatable {
    /// It goes on.
    case proceed
    /// The client gets this in the server's place.
    indirect case answer(Answer)
}
