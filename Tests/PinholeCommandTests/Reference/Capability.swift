/// What the proxy can do with a protocol, and the test that shows it.
///
/// ``CapabilityCapture`` measures what can be found and exported.
struct Capability {
    /// A protocol, as the table of docs/CAPABILITIES.md names it.
    enum Wire: String, CaseIterable {
        case http10 = "HTTP/1.0"
        case http11 = "HTTP/1.1"
        case http2 = "HTTP/2"
        case webSocket1 = "WebSocket over HTTP/1.1"
        case webSocket2 = "WebSocket over HTTP/2"
        case events = "event stream (SSE)"
        case grpc = "gRPC"
        case graphQL = "GraphQL over HTTP"
        case tunnel = "tunnel that is not decrypted"

        /// Whether it is a WebSocket.
        var isWebSocket: Bool { self == .webSocket1 || self == .webSocket2 }
    }

    /// Something that a user does with traffic while it passes, or after it was recorded.
    enum Action: String, CaseIterable {
        case see
        case change = "change by rule"
        case hold = "hold and edit"
        case replay
    }

    /// A test, by the path of its file below `Tests` and its title.
    struct Proof: Hashable {
        let file: String
        let title: String

        init(_ file: String, _ title: String) {
            self.file = file
            self.title = title
        }
    }

    /// The cell of the table: “yes”, “no”, or the part that is possible.
    let text: String
    let proof: Proof

    private init(_ text: String, _ proof: Proof) {
        self.text = text
        self.proof = proof
    }

    private static func yes(_ file: String, _ title: String) -> Self { Self("yes", Proof(file, title)) }

    private static func no(_ file: String, _ title: String) -> Self { Self("no", Proof(file, title)) }

    private static func part(_ text: String, _ file: String, _ title: String) -> Self {
        Self(text, Proof(file, title))
    }

    /// Says whether an action is possible with a protocol.
    static func of(_ action: Action, with wire: Wire) -> Self {
        switch action {
        case .see: seeing(wire)
        case .change: changing(wire)
        case .hold: holding(wire)
        case .replay: replaying(wire)
        }
    }

    private static func seeing(_ wire: Wire) -> Self {
        let folder = "EndToEndTests/Behaviour"
        return switch wire {
        case .http10:
            yes(
                "\(folder)/MessageTests.swift",
                "a body that ends with the connection, and an HTTP/1.0 client"
            )
        case .http11:
            yes(
                "\(folder)/MessageTests.swift",
                "chunks, their extensions and trailers pass in both directions"
            )
        case .http2:
            yes(
                "\(folder)/HTTP2Tests.swift",
                "every client gets the whole body from every server, translated where they differ"
            )
        case .webSocket1:
            yes(
                "\(folder)/WebSocketTests.swift",
                "messages of two WebSocket programs pass unchanged and are recorded"
            )
        case .webSocket2:
            yes(
                "\(folder)/WebSocketRulesTests.swift",
                "drop, change and send messages, whatever compresses them"
            )
        case .events:
            yes(
                "\(folder)/StreamTests.swift",
                "each event and each line reaches the client before the next one is sent, and has its time"
            )
        case .grpc:
            yes(
                "\(folder)/StreamTests.swift",
                "calls of gRPC of every kind pass, with metadata, trailers and errors"
            )
        case .graphQL:
            yes(
                "\(folder)/OperationRulesTests.swift",
                "act on the operation of a body, of a URL, and of a body that comes in pieces"
            )
        case .tunnel:
            part(
                "server, times, lengths",
                "\(folder)/RelayTests.swift",
                "a server that speaks first is relayed and recorded as opaque"
            )
        }
    }

    private static func changing(_ wire: Wire) -> Self {
        let folder = "EndToEndTests/Behaviour"
        return switch wire {
        case .webSocket1, .webSocket2:
            yes(
                "\(folder)/WebSocketRulesTests.swift",
                "drop, change and send messages, whatever compresses them"
            )
        case .events, .grpc: part("headers, not the stream", holding.file, holding.title)
        case .graphQL:
            yes(
                "\(folder)/OperationRulesTests.swift",
                "act on the operation of a body, of a URL, and of a body that comes in pieces"
            )
        case .tunnel:
            part(
                "throttle only",
                "PinholeRulesTests/Rules/ThrottlingTests.swift",
                "matches tunnels by their known facts"
            )
        case .http10, .http11, .http2:
            yes("\(folder)/RulesTests.swift", "every kind acts, in both versions of HTTP")
        }
    }

    /// The test that a stream is never held.
    private static let holding = Proof(
        "PinholeProxyTests/Rules/HoldingTests.swift",
        "holds short messages, and messages of unknown length that are no stream"
    )

    private static func holding(_ wire: Wire) -> Self {
        let file = "EndToEndTests/Behaviour/BreakpointTests.swift"
        let title = "hold messages that are edited, answered, dropped or forgotten"
        return switch wire {
        case .webSocket1, .webSocket2: part("the opening request", file, title)
        case .events: part("the request", holding.file, holding.title)
        case .grpc: no(holding.file, holding.title)
        case .tunnel:
            no(
                "PinholeRulesTests/Rules/RuleSurroundingsTests.swift",
                "name the obstacle of a rule that cannot act, and nothing for others"
            )
        case .http10, .http11, .http2, .graphQL: yes(file, title)
        }
    }

    private static func replaying(_ wire: Wire) -> Self {
        let file = "EndToEndTests/Behaviour/ReplayTests.swift"
        let title = "the same requests get the same answers, one after the other or many at one time"
        let edit = "PinholeCommandTests/Commands/Replay/ReplayEditTests.swift"
        return switch wire {
        case .http10: part("as HTTP/1.1", file, title)
        case .webSocket1, .webSocket2: no(edit, "requests that cannot be repeated have a reason")
        // A call needs TE, which belongs to the connection and is not sent again.
        case .grpc: no(edit, "without edits, only the fields of the connection change")
        case .tunnel: no(file, "arguments are numbers of exchanges, and an unknown number ends the command")
        case .http11, .http2, .events, .graphQL: yes(file, title)
        }
    }
}
