import PinholeModel
import PinholeWire

/// The pages that the proxy sends instead of a server's response, over HTTP/1 and HTTP/2.
extension ErrorPage {
    /// The page for bytes that are not a request that all servers would read in the same way.
    static func refused(_ failure: HTTP1Failure) -> ErrorPage {
        refused(failure.detail, status: failure.status)
    }

    /// The page for a request that servers may read in different ways, for the reason in `detail`.
    static func refused(_ detail: String, status: Int) -> ErrorPage {
        ErrorPage(
            status: status,
            title: "The request was refused",
            detail: detail,
            remedy: "Pinhole forwards only what every server reads in the same way."
        )
    }

    /// The page for a client that did not send a complete request head in time.
    static func requestTooSlow(_ limits: Limits) -> ErrorPage {
        ErrorPage(
            status: 408,
            title: "The request took too long",
            detail: "The headers of a request were not complete within \(limits.headTimeout.secondsText).",
            remedy: "limits.headTimeoutSeconds in config.json sets how long Pinhole waits."
        )
    }

    /// The page for a request, or the wait for one, whose connection ends for the sake of others.
    static func displaced(status: Int) -> ErrorPage {
        ErrorPage(
            status: status,
            title: "Another client needs this connection",
            detail: "Pinhole has too many connections, so this one gave way to a newer connection.",
            remedy: "Send the request again."
        )
    }

    /// The page for a CONNECT on a connection that already carries other requests, or inside a tunnel.
    static let connectInside = ErrorPage(
        status: 501,
        title: "CONNECT inside a connection that is in use",
        detail: "A CONNECT must be the first request of its connection.",
        remedy: "Open a new connection to the proxy for it."
    )

    /// The page for a CONNECT at a listener that stands before one server.
    static let connectToServer = ErrorPage(
        status: 405,
        title: "This listener is no proxy",
        detail: "It stands before one server, and takes no CONNECT.",
        remedy: "Use a listener without “reverse:” as a proxy."
    )

    /// The page for a request that this proxy has already sent on, so that it goes round in a circle.
    static func circle(_ authority: Authority?) -> ErrorPage {
        ErrorPage(
            status: 508,
            title: "The request goes round in a circle",
            detail:
                "On its way to \(authority?.description ?? "its server") it came back to Pinhole, which Via tells.",
            remedy: DialFailure.remedyOfCircles
        )
    }

    /// The page for a server to which no connection could be made.
    static func unreachable(_ failure: DialFailure) -> ErrorPage {
        ErrorPage(
            status: failure.status,
            title: failure.title,
            detail: failure.detail,
            remedy: failure.remedy
        )
    }

    /// Returns the page with the name of the rule that chose the server; the same page if no rule did.
    func led(by rule: String?) -> ErrorPage {
        guard let rule else { return self }
        var page = self
        page.detail = "\(detail.sentence) The rule “\(rule)” led there."
        return page
    }

    /// Returns the page with the advice that lets a rule answer without the server; the same page if no rule may.
    func unasked(where isAnswered: Bool) -> ErrorPage {
        guard isAnswered else { return self }
        var page = self
        page.detail = "\(detail.sentence) With --offline (upstream.offline), rules answer without the server."
        return page
    }

    /// The page for a response that cannot be used, from the server or, if requests are sent to a proxy, from `hop`.
    static func noUsableAnswer(of authority: Authority, through hop: NextHop?, _ reason: String) -> ErrorPage
    {
        if let hop {
            return ErrorPage(
                title: "The next proxy gave no usable response",
                detail: "\(hop), asked for \(authority): \(reason.sentence)",
                remedy:
                    "Ask its operator, or reach the host without it: upstream.bypass in config.json (--bypass)."
            )
        }
        return ErrorPage(
            title: "The server gave no usable response",
            detail: "\(authority): \(reason.sentence)",
            remedy: "Ask the server directly to see whether it answers without the proxy."
        )
    }

    /// The page for a server that refuses clients without a client certificate.
    static func clientCertificateMissing(_ authority: Authority, _ reason: String) -> ErrorPage {
        ErrorPage(
            title: "The server wants a client certificate",
            detail: "\(authority) asked for a client certificate, none is configured: \(reason.sentence)",
            remedy: Self.clientCertificateRemedy(authority)
        )
    }

    /// The advice for a server that wants a client certificate.
    static func clientCertificateRemedy(_ authority: Authority) -> String {
        """
        Choose one in the console (the overview of this request has a button for it), start Pinhole with \
        --client-certificate \(authority.host)=FILE (PEM or PKCS#12), or name it in tls.clientCertificates of config.json.
        """
    }

    /// The page for a server that sent nothing for the idle time of `limits`.
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
    /// The title of the page: what happened, in a few words.
    fileprivate var title: String {
        switch kind {
        case .unresolvable, .refused, .unreachable, .timedOut, .loop: ExchangeOutcome.unreachable
        case .hopUnreachable: "The next proxy cannot be reached"
        case .hopRefused: "The next proxy did not connect"
        case .hopAuthentication: "The next proxy refuses the credentials"
        case .hopLoop: "The next proxy leads back to this one"
        }
    }

    /// The advice to the user.
    fileprivate var remedy: String {
        switch kind {
        case .unresolvable: "Check the name, or map it with --resolve HOST:PORT:ADDRESS."
        case .refused: "Check that the server runs and listens on this port."
        case .unreachable: "Check the network, a firewall, or the address that the name resolves to."
        case .timedOut: "Check the network, a firewall, or whether the server is overloaded."
        case .loop: "Ask for another host: this one is the proxy."
        case .hopUnreachable: "Check that it runs, and upstream.proxy in config.json (or --upstream-proxy)."
        case .hopRefused:
            "Ask its operator, or reach the host without it: upstream.bypass in config.json (--bypass)."
        case .hopAuthentication:
            "Check upstream.proxy and upstream.credentials in config.json (or --upstream-auth)."
        case .hopLoop: Self.remedyOfCircles
        }
    }

    /// The advice for proxies that forward requests to each other.
    fileprivate static let remedyOfCircles =
        """
        Let one of the proxies reach servers directly (upstream.proxy and upstream.bypass in config.json, or \
        --upstream-proxy and --bypass), or fix the mapRemote rule or the listener that leads back here.
        """

    /// The failure of a proxy that wants credentials for a request in absolute-form.
    static func hopWantsCredentials(_ hop: NextHop, for authority: Authority) -> DialFailure {
        DialFailure(
            .hopAuthentication,
            hop.user == nil
                ? "the next hop \(hop) wants credentials for \(authority) (407)"
                : "the next hop \(hop) refuses the credentials that are configured, for \(authority) (407)"
        )
    }
}

extension String {
    /// The text with one full stop at its end.
    var sentence: String { hasSuffix(".") ? self : self + "." }
}
