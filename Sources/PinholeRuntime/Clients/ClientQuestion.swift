import PinholeModel

/// Somebody wants to know which program made a connection.
struct ClientQuestion: Sendable {
    /// The connection.
    let ends: ConnectionEnds
    /// When it was asked.
    let asked: Timestamp
    /// Is told the program; `nil` where it stays unknown.
    let answer: @Sendable (ClientProcess?) -> Void
}
