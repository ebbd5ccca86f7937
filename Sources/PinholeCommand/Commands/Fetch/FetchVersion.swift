import ArgumentParser
import PinholeLab

/// The flags that say which versions of HTTP are offered.
enum FetchVersion: EnumerableFlag {
    case http2
    case http11

    /// What is offered, best first.
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
        case .http2: "Offer HTTP/2 to servers with TLS, and HTTP/1.1 to those that do not have it."
        case .http11: "Offer HTTP/1.1 alone."
        }
    }
}
