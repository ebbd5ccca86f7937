package import PinholeModel

/// The way in which a side's stream ended.
package enum CloseKind: Sendable, Equatable {
    /// The stream ended with close_notify or, without TLS, by the end of the connection.
    case orderly
    /// The stream ended without close_notify.
    case truncated
    /// A client that is a stream of HTTP/2 cancelled it: the client neither sends nor reads any more.
    case cancelled
    /// The connection was reset or broken; the text says how.
    case reset(String)
    /// A fatal alert was received.
    case alert(Alert)
}

extension CloseKind {
    /// The sentence for a server that still has to send a response.
    var brokenPromise: String {
        switch self {
        case .orderly, .truncated, .cancelled: "the server closed the connection without a complete response"
        case .reset(let reason): "the connection to the server broke: \(reason)"
        case .alert(let alert): "the server ended the connection with the alert \(alert)"
        }
    }

    /// The words for a client that still waits for a response.
    var words: String {
        switch self {
        case .orderly, .truncated: "it closed the connection"
        case .cancelled: "it cancelled the stream"
        case .reset(let reason): reason
        case .alert(let alert): "it ended with the alert \(alert)"
        }
    }

    /// Whether the peer only sends nothing more; it may still read.
    var isOrderly: Bool {
        switch self {
        case .orderly, .truncated: true
        case .cancelled, .reset, .alert: false
        }
    }

    /// Whether bytes that were not read yet do not matter any more.
    var isBreak: Bool {
        switch self {
        case .cancelled, .reset: true
        case .orderly, .truncated, .alert: false
        }
    }
}
