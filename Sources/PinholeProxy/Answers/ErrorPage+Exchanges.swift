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

    /// A CONNECT came to a listener that stands before a server.
    static let connectToServer = ErrorPage(
        status: 405,
        title: "This listener is no proxy",
        detail: "It stands before one server, and takes no CONNECT.",
        remedy: "Use a listener without “reverse:” as a proxy."
    )

    /// A request came that this proxy has sent on before.
    static func circle(_ authority: Authority?) -> ErrorPage {
        ErrorPage(
            status: 508,
            title: "The request goes round in a circle",
            detail:
                "On its way to \(authority?.description ?? "its server") it came back to Pinhole, which Via tells.",
            remedy: DialFailure.remedyOfCircles
        )
    }

    /// No connection to the server could be made.
    static func unreachable(_ failure: DialFailure) -> ErrorPage {
        ErrorPage(
            status: failure.status,
            title: failure.title,
            detail: failure.detail,
            remedy: failure.remedy
        )
    }

    /// The page, saying which rule led to the server that it is about, if one did.
    func led(by rule: String?) -> ErrorPage {
        guard let rule else { return self }
        var page = self
        page.detail = "\(detail.sentence) The rule “\(rule)” led there."
        return page
    }

    /// The server did not answer as it should; or the next hop, where that gets requests themselves.
    static func noUsableAnswer(of authority: Authority, through hop: NextHop?, _ reason: String) -> ErrorPage
    {
        if let hop {
            return ErrorPage(
                status: 502,
                title: "The next proxy gave no usable answer",
                detail: "\(hop), asked for \(authority): \(reason.sentence)",
                remedy:
                    "Ask whoever runs it, or reach the host without it: upstream.bypass in config.json (--bypass)."
            )
        }
        return ErrorPage(
            status: 502,
            title: "The server gave no usable answer",
            detail: "\(authority): \(reason.sentence)",
            remedy: "Ask the server directly to see whether it answers without the proxy."
        )
    }

    /// The page for a server that refuses clients without a client certificate.
    static func clientCertificateMissing(_ authority: Authority, _ reason: String) -> ErrorPage {
        ErrorPage(
            status: 502,
            title: "The server wants a client certificate",
            detail: "\(authority) asked for a client certificate, none is configured: \(reason.sentence)",
            remedy: Self.clientCertificateRemedy(authority)
        )
    }

    /// The remedy for a server that wants a client certificate.
    static func clientCertificateRemedy(_ authority: Authority) -> String {
        """
        Choose one in the console (the overview of this request has a button for it), start Pinhole with \
        --client-certificate \(authority.host)=FILE (PEM or PKCS#12), or name it in tls.clientCertificates of config.json.
        """
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
    /// What happened, in a few words.
    fileprivate var title: String {
        switch kind {
        case .unresolvable, .refused, .unreachable, .timedOut, .loop: "The server cannot be reached"
        case .hopUnreachable: "The next proxy cannot be reached"
        case .hopRefused: "The next proxy did not connect"
        case .hopAuthentication: "The next proxy refuses the credentials"
        case .hopLoop: "The next proxy leads back to this one"
        }
    }

    /// What to do about it.
    fileprivate var remedy: String {
        switch kind {
        case .unresolvable: "Check the name, or map it with --resolve HOST:PORT:ADDRESS."
        case .refused: "Check that the server runs and listens on this port."
        case .unreachable: "Check the network, a firewall, or the address that the name resolves to."
        case .timedOut: "Check the network, a firewall, or whether the server is overloaded."
        case .loop: "Ask for another host: this one is the proxy."
        case .hopUnreachable: "Check that it runs, and upstream.proxy in config.json (or --upstream-proxy)."
        case .hopRefused:
            "Ask whoever runs it, or reach the host without it: upstream.bypass in config.json (--bypass)."
        case .hopAuthentication:
            "Check upstream.proxy and upstream.credentials in config.json (or --upstream-auth)."
        case .hopLoop: Self.remedyOfCircles
        }
    }

    /// What to do about proxies that lead to each other.
    fileprivate static let remedyOfCircles =
        """
        Let one of the proxies reach servers directly (upstream.proxy and upstream.bypass in config.json, or \
        --upstream-proxy and --bypass), or mend the mapRemote rule or the listener that leads back here.
        """

    /// A proxy of HTTP wants credentials for a request that was sent to it in absolute-form.
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
    /// The text with a full stop behind it, whether it came with one or not.
    var sentence: String { hasSuffix(".") ? self : self + "." }
}
