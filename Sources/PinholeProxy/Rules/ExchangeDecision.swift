package import PinholeModel
package import PinholeRules

/// The answer to a question about an exchange.
package enum ExchangeDecision: Sendable, Equatable {
    /// The exchange goes on.
    case proceed
    /// The client gets this answer instead of the server's response.
    indirect case answer(Answer)
    /// The held message goes on with this change.
    indirect case change(MessageChange)
    /// The held request has these operations of GraphQL, and the rules can judge it now.
    case learned([GraphQLRequest.Operation])
    /// The exchange ends without a response; the text says why.
    case cut(isReset: Bool, String)
    /// Rules have acted as listed, which is recorded; then the following decision applies.
    indirect case noting([RuleHit], then: ExchangeDecision)

    /// The change of the held message; `nil` if the message stays as it is, or does not go on.
    var change: MessageChange? {
        switch self {
        case .change(let change): change.isEmpty ? nil : change
        case .noting(_, let decision): decision.change
        case .proceed, .answer, .cut, .learned: nil
        }
    }
}
