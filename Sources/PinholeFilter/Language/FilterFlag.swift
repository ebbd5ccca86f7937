/// A yes-or-no question about an exchange or a flow; ``meaning`` explains each.
package enum FilterFlag: String, Hashable, Sendable, CaseIterable {
    case http
    case https
    case answered
    case unanswered
    case running
    case failed
    case broken
    case websocket
    case grpc
    case sse
    case asset
    case tls
    case tlsFailed = "tls.failed"
    case tlsAnswered = "tls.answered"
    case tlsAlert = "tls.alert"
    case pinned
    case spare
    case resumed
    case relayed
    case intercepted
    case reused
    case retried
    case sloppy
    case marked
    case ruled

    /// The property of an exchange or a flow with this flag, for listings and docs/FILTERS.md.
    package var meaning: String {
        switch self {
        case .http:
            "an exchange; everything else is a flow: a failed handshake, a relayed tunnel"
        case .https: "an exchange that was decrypted"
        case .answered: "there is a response"
        case .unanswered: "there is no response"
        case .running: "the exchange is still running"
        case .failed:
            "all that went wrong: `broken`, a status of 400 or more, a status of gRPC other than 0, errors of GraphQL, or "
                + "a close of a WebSocket other than 1000, 1001 and 1005"
        case .broken:
            "no complete response: an exchange that was cut off or could not be delivered, or that the proxy or a rule "
                + "answered with an error or closed; or a failed handshake"
        case .websocket: "the exchange became a WebSocket"
        case .grpc: "a call of gRPC, by its Content-Type"
        case .sse: "the response is an event stream (`text/event-stream`)"
        case .asset: "the response is a style sheet, a script, an image or a font"
        case .tls: "a TLS handshake began, with the client or the server"
        case .tlsFailed: "a TLS handshake failed"
        case .tlsAnswered:
            "a flow whose TLS handshake with the server failed, which an exchange of the flow shows: the proxy answered the "
                + "request with an error"
        case .tlsAlert: "a TLS alert ended a connection"
        case .pinned: "the client probably pins"
        case .spare:
            "a connection that the client opened and did not need; lists show it only if the filter contains `spare`"
        case .resumed: "a TLS session was resumed"
        case .relayed: "relayed without being read"
        case .intercepted: "decrypted: TLS ended at the proxy on both sides"
        case .reused: "the connection to the server had been used before"
        case .retried: "the request was sent again"
        case .sloppy:
            "the server's response broke a rule of HTTP/1 and was rewritten (docs/TROUBLESHOOTING.md#the-servers-response-broke-a-rule-of-http)"
        case .marked: "marked by a user in the console (docs/CONSOLE.md#what-can-be-done-with-an-item)"
        case .ruled: "rules acted on the exchange (docs/RULES.md#what-is-recorded)"
        }
    }

    /// The cheapest source that can answer the question.
    package var source: FactSource {
        switch self {
        case .http, .https, .answered, .unanswered, .running, .failed, .broken, .websocket, .reused, .retried,
            .sloppy, .marked, .ruled, .spare, .tlsAnswered:
            .summary
        case .grpc, .sse, .asset: .heads
        case .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .relayed, .intercepted: .flow
        }
    }
}

/// The sources of facts, cheapest first.
package enum FactSource: Int, Comparable, Sendable {
    /// The summary that lists show.
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
