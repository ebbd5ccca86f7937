import ArgumentParser
import PinholeClient

/// The flags that select the offered versions of HTTP.
enum FetchVersion: EnumerableFlag {
    case http2
    case http11

    /// The offered protocols, the preferred one first.
    var protocols: [ClientSettings.HTTPProtocol] {
        switch self {
        case .http2: [.http2, .http11]
        case .http11: [.http11]
        }
    }

    static func name(for value: FetchVersion) -> NameSpecification {
        switch value {
        case .http2: .customLong("http2")
        case .http11: .customLong("http1.1")
        }
    }

    static func help(for value: FetchVersion) -> ArgumentHelp? {
        switch value {
        case .http2: "Offer HTTP/2 and HTTP/1.1 to servers with TLS."
        case .http11: "Offer HTTP/1.1 alone."
        }
    }
}
