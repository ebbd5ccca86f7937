/// What holds for an exchange or a flow, or does not.
package enum FilterFlag: String, Hashable, Sendable, CaseIterable {
    /// It is an exchange of HTTP.
    case http
    /// It is an exchange that was decrypted.
    case https
    /// It is an exchange to which a response has come.
    case answered
    /// It is an exchange to which no response has come.
    case unanswered
    /// It goes on.
    case running
    /// It was cut off, could not be carried over, got an error or no answer from the proxy itself, or a handshake failed.
    case failed
    /// It became a WebSocket.
    case websocket
    /// It is a call of gRPC.
    case grpc
    /// The response is a stream of events (`text/event-stream`).
    case sse
    /// The response is a style sheet, a script, an image or a font.
    case asset
    /// A TLS handshake was begun.
    case tls
    /// A TLS handshake failed.
    case tlsFailed = "tls.failed"
    /// A TLS alert ended a connection.
    case tlsAlert = "tls.alert"
    /// The client looks as if it pinned a certificate.
    case pinned
    /// It is a connection that the client opened and did not need.
    case spare
    /// A TLS session was resumed.
    case resumed
    /// It was relayed untouched.
    case relayed
    /// TLS was terminated on both sides.
    case intercepted
    /// The server connection had been used before.
    case reused
    /// The request was sent again.
    case retried
    /// Somebody marked it.
    case marked
    /// Rules acted on it.
    case ruled

    /// Where the answer is.
    package var source: FactSource {
        switch self {
        case .http, .https, .answered, .unanswered, .running, .failed, .websocket, .reused, .retried, .marked,
            .ruled, .spare:
            .summary
        case .grpc, .sse, .asset: .heads
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted: .flow
        }
    }
}

/// Where facts come from, cheapest first.
package enum FactSource: Int, Comparable, Sendable {
    /// What lists show.
    case summary
    /// The flow, with its handshakes.
    case flow
    /// The heads of the messages.
    case heads
    /// The bodies of the messages, decoded.
    case bodies

    /// Whether `left` is cheaper than `right`.
    package static func < (left: FactSource, right: FactSource) -> Bool { left.rawValue < right.rawValue }
}
