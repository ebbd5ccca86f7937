/// The content that a redacted copy may have in a column of the capture; the proof of the copy checks it.
///
/// Each column declares one. There is no default, so that a new column cannot keep values by oversight.
package enum RedactedColumn: Sendable, Equatable {
    /// A number: a length, a time, a code or the number of a row.
    case number
    /// Nothing.
    case empty
    /// The token of a text.
    case token
    /// A token, or a value that needs none.
    case value
    /// The token of an address, with a port.
    case peer
    /// A host, with a port or without.
    case authority
    /// The path and query of a request.
    case path
    /// A registered method, or a token.
    case method
    /// Types of operations of GraphQL, with tokens for their names.
    case operations
    /// A name of TLS, or a token.
    case tls
    /// A fingerprint by JA4.
    case ja4
    /// A word of this list.
    case words([String])
    /// The head of a message.
    case head
    /// The heads of interim responses.
    case heads
    /// The trailers of a message.
    case trailers
    /// The body of the message whose head is in this column.
    case body(head: String)
    /// The payload of a message of a WebSocket, whose kind is in this column.
    case payload(kind: String)
    /// A certificate in DER.
    case certificate
    /// The record of a flow as JSON.
    case flow
    /// The rules that acted on an exchange, as JSON.
    case rules
}
