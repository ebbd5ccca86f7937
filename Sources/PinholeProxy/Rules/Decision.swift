package import PinholeModel
package import PinholeRules

/// What is to be done with an exchange that somebody was asked about.
package enum Decision: Sendable, Equatable {
    /// It goes on.
    case proceed
    /// The client gets this in the server's place.
    indirect case answer(Answer)
    /// The message that is held becomes this, and goes on.
    indirect case change(MessageChange)
    /// It ends without an answer; the text says why.
    case cut(isReset: Bool, String)
    /// This is what was done, for the record; then what follows is to be done.
    indirect case noting([RuleHit], then: Decision)

    /// What the message that is held becomes; `nil` where it stays as it came, or does not go on.
    var change: MessageChange? {
        switch self {
        case .change(let change): change.isEmpty ? nil : change
        case .noting(_, let decision): decision.change
        case .proceed, .answer, .cut: nil
        }
    }
}
