import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeSession

/// The steps without failures.
extension DemoStep {
    /// Returns the steps in their order.
    static func answers(_ origin: Origin) -> [DemoStep] {
        [
            json(origin), html(origin), redirect(origin), gzip(origin), chunked(origin), slow(origin),
            megabyte(origin),
            post(origin), oldVersion(origin),
        ]
    }

    /// The arguments of a curl that uses the proxy and trusts its CA.
    static let trusting = ["-x", "$PROXY", "--cacert", "$CA"]

    private static func isPlain200(_ sight: Sight) -> DemoExpectation {
        DemoExpectation(
            "curl is content, and the proxy recorded the same bytes",
            sight.curl.exit == 0 && sight.curl.status == 200 && sight.exchange?.status == 200
                && sight.exchange?.outcome == .completed
                && Int64(sight.curl.body.count) == sight.responseBody?.length
        )
    }

    private static func json(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "JSON, decrypted",
            explanation: "Now curl is told to trust the CA, for this one command. The proxy reads along.",
            words: trusting + [origin.url(VirtualHost.shop, "/json")],
            shownLines: 1,
            isInShortTour: true
        ) { sight in
            [
                isPlain200(sight),
                DemoExpectation(
                    "the recorded body is what curl printed",
                    sight.responseBody?.inline == sight.curl.body && !sight.curl.body.isEmpty
                ),
            ]
        }
    }

    private static func html(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A page",
            explanation: "HTML in UTF-8. Nothing in it was changed.",
            words: trusting + [origin.url(VirtualHost.shop, "/html")],
            shownLines: 3
        ) { [isPlain200($0)] }
    }

    private static func redirect(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A redirect, followed",
            explanation: "The server sends curl on to /json. curl asks again in the same tunnel.",
            words: trusting + ["-L", origin.url(VirtualHost.shop, "/redirect")]
        ) { sight in
            [
                DemoExpectation(
                    "one flow has two exchanges, 302 and 200",
                    sight.curl.exit == 0 && sight.curl.redirects == 1 && sight.proxy.flows.count == 1
                        && sight.proxy.exchanges.map(\.status) == [302, 200]
                )
            ]
        }
    }

    private static func gzip(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "Compressed",
            explanation: "The server compresses 32 KiB of text. The capture keeps what passed the wire.",
            words: trusting + ["--compressed", origin.url(VirtualHost.shop, "/gzip")]
        ) { sight in
            let recorded = sight.responseBody
            return [
                DemoExpectation(
                    "curl has 32 KiB of text, the capture has \(Plain.size(recorded?.length ?? 0)) of gzip",
                    sight.curl.body == OriginFiller.bytes(32 << 10)
                        && recorded?.inline.starts(with: [0x1f, 0x8b]) == true
                        && (recorded?.length ?? .max) < 2048
                )
            ]
        }
    }

    private static func chunked(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "In chunks, with trailers",
            explanation: "Three chunks with an extension each, and two trailers behind the last one.",
            words: trusting + ["--raw", origin.url(VirtualHost.shop, "/chunked")],
            shownLines: 12
        ) { sight in
            let trailers = sight.exchange?.response.map { HeaderFields(section: $0.trailers) }
            return [
                DemoExpectation(
                    "curl got the chunks as the server cut them, without the extensions, which are for one connection",
                    sight.curl.exit == 0 && sight.curl.text.contains("\r\n")
                        && !sight.curl.text.contains(";note=\"an extension\"")
                ),
                DemoExpectation(
                    "the proxy recorded the text without the chunks, and the trailers beside it",
                    trailers?.first("x-checksum") == "1234abcd"
                        && sight.responseBody?.inline.contains(Array(";note".utf8)) == false
                ),
            ]
        }
    }

    private static func slow(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A slow stream",
            explanation: "Ten lines, one every 50 ms. The proxy hands on each one when it comes.",
            words: trusting + ["-N", origin.url(VirtualHost.shop, "/slow/10")]
        ) { sight in
            let timings = sight.exchange?.timings
            let proxyWait = timings.flatMap { times in
                times.ended.flatMap { ended in times.responseStarted.map { ended - $0 } }
            }
            return [
                isPlain200(sight),
                DemoExpectation(
                    "for curl and for the proxy the first byte came long before the last",
                    sight.curl.streaming > 0.3 && (proxyWait ?? .zero) > .milliseconds(300)
                ),
            ]
        }
    }

    private static func megabyte(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "One megabyte",
            explanation: "Larger than any buffer on the way.",
            words: trusting + [origin.url(VirtualHost.shop, "/1mb")]
        ) { sight in
            [
                isPlain200(sight),
                DemoExpectation(
                    "1 MiB came, and all of it was captured",
                    sight.curl.body == OriginFiller.bytes(1 << 20) && sight.responseBody?.isTruncated == false
                        && sight.responseBody?.isComplete == true
                ),
            ]
        }
    }

    /// The body of the POST request.
    static let posted = #"{"card": "4111 1111 1111 1111", "cvc": "123"}"#

    private static func post(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "A form with a secret",
            explanation: "The proxy records bodies of requests as well. The server answers with this one.",
            words: trusting + [
                "-H", "Content-Type: application/json", "-d", posted, origin.url(VirtualHost.api, "/echo"),
            ],
            shownLines: 3,
            isInShortTour: true
        ) { sight in
            let digest = Hexadecimal.encode(Digest.sha256(Array(posted.utf8)))
            return [
                isPlain200(sight),
                DemoExpectation(
                    "the server got the body, and the proxy reads the card number",
                    sight.curl.text.contains(digest)
                        && sight.exchange?.request.body.inline == Array(posted.utf8)
                ),
            ]
        }
    }

    private static func oldVersion(_ origin: Origin) -> DemoStep {
        DemoStep(
            title: "An old server",
            explanation: "This one speaks TLS 1.2 at most. The two sides of the proxy agree on their own.",
            words: trusting + [origin.url(VirtualHost.old, "/json")]
        ) { sight in
            [
                isPlain200(sight),
                DemoExpectation(
                    "TLS 1.2 with the server, TLS 1.3 with curl",
                    sight.flow?.serverHandshake?.version == "TLSv1.2"
                        && sight.flow?.clientHandshake?.version == "TLSv1.3"
                ),
            ]
        }
    }
}
