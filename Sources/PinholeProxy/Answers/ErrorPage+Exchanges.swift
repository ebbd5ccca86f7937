import PinholeModel
import PinholeWire

/// The pages with which the proxy answers in a server's place, whichever version of HTTP is spoken.
extension ErrorPage {
    /// The client's bytes are no request that every server would read in the same way.
    static func refused(_ failure: HTTP1Failure) -> ErrorPage {
        refused(failure.detail, status: failure.status)
    }

    /// The request is one that not every server would read in the same way, for the reason in `detail`.
    static func refused(_ detail: String, status: Int) -> ErrorPage {
        ErrorPage(
            status: status,
            title: "The request was refused",
            detail: detail,
            remedy: "Pinhole forwards only what every server reads in the same way."
        )
    }

    /// A CONNECT came where a tunnel stands already.
    static let connectInside = ErrorPage(
        status: 501,
        title: "CONNECT inside a connection that is in use",
        detail: "A CONNECT must be the first request of its connection.",
        remedy: "Open a new connection to the proxy for it."
    )

    /// No connection to the server could be made.
    static func unreachable(_ failure: DialFailure) -> ErrorPage {
        ErrorPage(
            status: failure.status,
            title: "The server cannot be reached",
            detail: failure.detail,
            remedy: failure.remedy
        )
    }

    /// The server did not answer as it should.
    static func noUsableAnswer(of authority: Authority, _ reason: String) -> ErrorPage {
        ErrorPage(
            status: 502,
            title: "The server gave no usable answer",
            detail: "\(authority): \(reason.sentence)",
            remedy: "Ask the server directly to see whether it answers without the proxy."
        )
    }

    /// The server said nothing for as long as `limits` wait.
    static func noAnswerInTime(_ limits: Limits) -> ErrorPage {
        ErrorPage(
            status: 504,
            title: "The server did not answer in time",
            detail: "Nothing came for \(limits.idleTimeout.secondsText).",
            remedy: "limits.idleTimeoutSeconds in config.json sets how long Pinhole waits."
        )
    }
}

extension DialFailure {
    /// What to do about it.
    fileprivate var remedy: String {
        switch kind {
        case .unresolvable: "Check the name, or map it with --resolve HOST:PORT:ADDRESS."
        case .refused: "Check that the server runs and listens on this port."
        case .unreachable: "Check the network, a firewall, or the address that the name resolves to."
        case .timedOut: "Check the network, a firewall, or whether the server is overloaded."
        case .loop: "Ask for another host: this one is the proxy."
        }
    }
}

extension String {
    /// The text with a full stop behind it, whether it came with one or not.
    var sentence: String { hasSuffix(".") ? self : self + "." }
}
