import PinholeModel

/// A question which program made a connection.
struct ClientQuestion: Sendable {
    let ends: ConnectionEnds
    /// The time of the question.
    let asked: Timestamp
    /// Receives the program; `nil` if it stays unknown.
    let answer: @Sendable (ClientProcess?) -> Void
}
