import Testing

@testable import PinholeCommand

@Suite("FetchText")
struct FetchTextTests {
    @Test("prints a fetch line by line, with visible control characters")
    func fetched() throws {
        let lines = FetchText(try FetchStories.fetched(), style: .plain, width: 100).lines
        #expect(
            lines == [
                "https://shop.test:8443/a?b",
                "   0.0 ms  name         shop.test was looked up (2.0 ms)",
                "    20 ms  connected    to 192.0.2.2:8443, the proxy",
                "                        192.0.2.1:8443: Connection refused",
                "    40 ms  tunnel       CONNECT shop.test:8443: 200 Fine",
                "    60 ms  ClientHello  server name shop.test",
                "                        versions TLS 1.3, TLS 1.2; 1 cipher suites",
                "                        ALPN http/1.1",
                "                        an earlier session is offered for resumption",
                "    80 ms  checks       by “spki”:",
                "                          passed  chain: it holds",
                "                          skipped pin: none \\u{1b}[2J is wanted",
                "                          verdict: trusted",
                "   100 ms  answer       performDefaultHandling: as always",
                "   120 ms  TLS          TLSv1.3, TLS_AES_128_GCM_SHA256, no ALPN, resumed",
                "   140 ms  request      GET /a?b",
                "                        Host: shop.test:8443",
                "                        Authorization: Basic …",
                "   160 ms  response     200 OK",
                "   180 ms  redirect     to http://shop.test/, not followed: no",
                "   200 ms  note         a note",
                "   220 ms  body         5 B",
                "   240 ms  trailers     x-sum: 7\\u{7}",
                "",
                "fetched: 200 OK, 5 B",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("a client that refuses every connection is not called connected")
    func refused() throws {
        let lines = FetchText(try FetchStories.refused(), style: .plain, width: nil).lines
        #expect(
            lines == [
                "https://shop.test:8443/a?b",
                "   0.0 ms  dialed       no connection to shop.test:8443",
                "                        [2001:db8::1]:8443: Network is unreachable",
                "                        192.0.2.1:8443: Connection refused",
                "    20 ms  error        NSURLErrorDomain -1004 cannotConnectToHost",
                "                        _kCFStreamErrorCodeKey -1",
                "                        failed check: connection",
                "                        nobody is there",
                "",
                "refused or failed: an app on URLSession would see -1004 cannotConnectToHost",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("says why a policy rejected, once")
    func rejected() throws {
        let lines = FetchText(try FetchStories.rejected(), style: .plain, width: nil).lines
        #expect(
            lines == [
                "https://shop.test:8443/a?b",
                "   0.0 ms  checks       by “spki”:",
                "                          FAILED  pins: no pin matches",
                "                          verdict: rejected (pinMismatch)",
                "    20 ms  error        NSURLErrorDomain -999 cancelled",
                "                        failed check: pin",
                "",
                "refused or failed: an app on URLSession would see -999 cancelled",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("wraps long texts between words, aligned below each other")
    func width() throws {
        let lines = FetchText(try FetchStories.rejected(), style: .plain, width: 10).lines
        #expect(lines.contains("                          FAILED  pins: no pin matches"))
        let coloured = FetchText(try FetchStories.rejected(), style: Style(isColourful: true), width: nil)
            .lines
        #expect(coloured.contains { $0.contains("\u{1b}[31mFAILED \u{1b}[0m") })
    }
}
