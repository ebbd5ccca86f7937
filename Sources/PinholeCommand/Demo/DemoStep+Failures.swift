import PinholeLab
import PinholeModel

/// The steps in which the client, the proxy or the server refuses something.
extension DemoStep {
    /// Returns the step of a client that does not trust the CA.
    static func stranger(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A client that does not trust the proxy",
            explanation: """
                The proxy shows a certificate that it has just made for the shop. This curl knows nothing of \
                the CA behind it, so it ends the handshake. That is what TLS is for.
                """,
            words: ["-x", "$PROXY", origin.url(VirtualHost.shop, "/json")]
        ) { sight in
            [
                DemoExpectation("curl ends with 60, certificate not trusted", sight.curl.exit == 60),
                DemoExpectation(
                    "the proxy recorded the cause and the alert: unknown_ca (48)",
                    sight.clientFailure?.cause == .authorityNotTrusted
                        && sight.clientFailure?.alert?.code == Alert.Code.unknownCA
                ),
            ]
        }
    }

    /// Returns the steps about certificates in their order.
    static func failures(_ origin: Origin) -> [DemoStep] {
        [
            expired(origin), wrongName(origin), withoutClientCertificate(origin),
            withClientCertificate(origin),
            pinned(origin),
        ]
    }

    private static func expired(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A server whose certificate expired",
            explanation: """
                curl cannot see the server's certificate any more, so the proxy has to check it. It refuses, \
                and says why.
                """,
            words: trusting + [origin.url(VirtualHost.expired, "/json")],
            shownLines: 8,
            isInShortTour: true
        ) { sight in
            [
                DemoExpectation(
                    "curl gets 502 and a page that says “expired”",
                    sight.curl.exit == 0 && sight.curl.status == 502
                        && sight.curl.text.contains("expired")
                ),
                DemoExpectation(
                    "the proxy recorded that it refused the server's certificate",
                    sight.serverFailure?.cause == .serverCertificateRefused
                ),
            ]
        }
    }

    private static func wrongName(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A server with a certificate for somebody else",
            explanation: "The dates are right, the signature is right, the name is not.",
            words: trusting + [origin.url(VirtualHost.wrongName, "/json")],
            shownLines: 8
        ) { sight in
            [
                DemoExpectation(
                    "curl gets 502, and the page names both names",
                    sight.curl.status == 502 && sight.curl.text.contains("another.example.test")
                        && sight.curl.text.contains(VirtualHost.wrongName.description)
                )
            ]
        }
    }

    private static func withoutClientCertificate(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A server that wants to know its client (mutual TLS)",
            explanation: """
                The bank asks for a client certificate. A client's own certificate cannot pass through a proxy, \
                so the proxy needs one. It has none yet.
                """,
            words: trusting + [origin.url(VirtualHost.bank, "/echo")],
            shownLines: 8
        ) { sight in
            [
                DemoExpectation(
                    "curl gets 502 and a page about the client certificate",
                    sight.curl.status == 502 && sight.curl.text.contains("client certificate")
                ),
                DemoExpectation(
                    "the proxy recorded that the server asked for one and ended for want of it",
                    sight.flow?.serverHandshake?.requestedClientCertificate == true
                        && sight.serverFailure?.cause == .clientCertificateRequired
                ),
            ]
        }
    }

    private static func withClientCertificate(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "The same, with a client certificate for the bank",
            explanation:
                "Now one is configured for bank.example.test. The setting counts for new tunnels at once.",
            words: trusting + [origin.url(VirtualHost.bank, "/echo")],
            shownLines: 4,
            preparation: { try await $0.configureClientCertificate() },
            expectations: { sight in
                [
                    DemoExpectation(
                        "the bank answers 200 and knows its client: Alice",
                        sight.curl.exit == 0 && sight.curl.status == 200
                            && sight.curl.text.contains("\"clientCertificate\" : \"CN=Alice")
                    )
                ]
            }
        )
    }

    private static func pinned(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A client that pins",
            explanation: """
                This curl trusts the CA, but also knows the shop's real public key. A forged certificate has \
                another key, so it is found out.
                """,
            words: trusting + [
                "--pinnedpubkey", "sha256//\(origin.pin(of: VirtualHost.shop))",
                origin.url(VirtualHost.shop, "/json"),
            ],
            isInShortTour: true
        ) { sight in
            [
                DemoExpectation("curl ends with 90, the pinned key does not match", sight.curl.exit == 90),
                DemoExpectation(
                    "the proxy says that it looks pinned, as a hint",
                    sight.clientFailure?.cause == .looksPinned && sight.clientFailure?.isHint == true
                ),
            ]
        }
    }
}
