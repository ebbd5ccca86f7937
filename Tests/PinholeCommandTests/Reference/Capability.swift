import PinholeFormats

/// What can be done with a protocol, and the test that shows it.
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

    /// Something that a user does with traffic.
    enum Action: String, CaseIterable {
        case see
        case filter
        case search
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
        case .filter: filtering(wire)
        case .search: searching(wire)
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
                "messages of two programs pass as they are, and the capture has them"
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

    private static func filtering(_ wire: Wire) -> Self {
        let folder = "PinholeFilterTests/Evaluation"
        return switch wire {
        case .graphQL:
            yes(
                "\(folder)/GraphQLFactTests.swift",
                "filters by operations hold as soon as the body is known, and are open before"
            )
        case .tunnel: yes("\(folder)/RecordFactsTests.swift", "a flow by itself")
        case .http10, .http11, .http2, .webSocket1, .webSocket2, .events, .grpc:
            yes("\(folder)/RecordFactsTests.swift", "an exchange that is over")
        }
    }

    private static func searching(_ wire: Wire) -> Self {
        let file = "PinholeStoreTests/Reader/Filter/CapturedFactsTests.swift"
        let title = "bodies are looked at as they are read: decoded, whole, with the messages of WebSockets"
        return switch wire {
        case .grpc: part("uncompressed messages", file, title)
        case .tunnel:
            no(
                "EndToEndTests/Behaviour/RelayTests.swift",
                "bytes right behind the CONNECT head belong to the tunnel"
            )
        case .http10, .http11, .http2, .webSocket1, .webSocket2, .events, .graphQL: yes(file, title)
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
        case .grpc: no(edit, "without edits everything but what belongs to the connection is as it was")
        case .tunnel: no(file, "numbers mean exchanges, and one that there is not ends it")
        case .http11, .http2, .events, .graphQL: yes(file, title)
        }
    }

    /// Says whether a protocol can be written in a format.
    static func of(_ format: TrafficExport.Format, with wire: Wire) -> Self {
        let round = "PinholeStoreTests/Import/RoundTripTests.swift"
        let console = "PinholeConsoleTests/API/ConsoleExportTests.swift"
        let selection = "the matches of a filter, or the items with these numbers"
        if wire == .tunnel {
            return switch format {
            case .jsonl, .csv: yes(console, selection)
            case .har, .mitm, .curl, .raw, .pcapng:
                no(round, "capture → file → capture gives the same exchanges")
            }
        }
        return switch format {
        case .har where wire.isWebSocket:
            yes(
                "PinholeStoreTests/Export/HAR/HARExportTests.swift",
                "writes the messages of a WebSocket as Chromium does"
            )
        case .har: yes("EndToEndTests/Behaviour/ExportTests.swift", "an exported HAR holds every exchange")
        case .jsonl, .mitm: yes(round, "capture → file → capture gives the same exchanges")
        case .curl where wire.isWebSocket:
            no(
                console,
                "a WebSocket is left out of commands of curl, which would wait for its end, and said to be"
            )
        case .curl:
            part(
                wire == .http10 ? "as HTTP/1.1" : "yes",
                "EndToEndTests/Behaviour/ExportTests.swift",
                "an exported curl command, run by sh, sends the same bytes"
            )
        case .raw:
            part(
                wire.isWebSocket ? "the opening" : "yes",
                "PinholeStoreTests/Export/RawExportTests.swift",
                "writes head and body as they came"
            )
        case .pcapng:
            yes(
                "EndToEndTests/Behaviour/PacketTests.swift",
                "tshark reads the same methods, paths, statuses, lengths and messages as were recorded"
            )
        case .csv: yes(console, selection)
        }
    }
}
