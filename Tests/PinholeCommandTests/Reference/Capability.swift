/// A protocol, as the tables of docs/CAPABILITIES.md name it, and the test that shows that the proxy records it.
///
/// ``CapabilityCapture`` measures what can be done with it.
enum Capability: String, CaseIterable {
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

    /// The test in `Tests/EndToEndTests/Behaviour` in which the proxy records it: the name of its file and its title.
    var proof: (file: String, title: String) {
        switch self {
        case .http10: ("MessageTests", "a body that ends with the connection, and an HTTP/1.0 client")
        case .http11: ("MessageTests", "chunks, their extensions and trailers pass in both directions")
        case .http2:
            ("HTTP2Tests", "every client gets the whole body from every server, translated where they differ")
        case .webSocket1:
            ("WebSocketTests", "messages of two WebSocket programs pass unchanged and are recorded")
        case .webSocket2:
            ("WebSocketRulesTests", "drop, change and send messages, whatever compresses them")
        case .events:
            (
                "StreamTests",
                "each event and each line reaches the client before the next one is sent, and has its time"
            )
        case .grpc: ("StreamTests", "calls of gRPC of every kind pass, with metadata, trailers and errors")
        case .graphQL:
            (
                "OperationRulesTests",
                "act on the operation of a body, of a URL, and of a body that comes in pieces"
            )
        case .tunnel: ("RelayTests", "a server that speaks first is relayed and recorded as opaque")
        }
    }
}
