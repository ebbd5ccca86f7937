import PinholeModel
import PinholeStore
import Testing

@Suite("Import of Charles sessions")
struct CharlesImportTests {
    private static let session = #"""
        [{"status":"COMPLETE","method":"POST","protocolVersion":"HTTP/1.1","scheme":"https","host":"api.test",
        "actualPort":8443,"path":"/v1/items","query":"page=2","tunnel":false,
        "remoteAddress":"api.test/192.0.2.7","clientAddress":"/127.0.0.1","clientPort":50000,"notes":"look here",
        "times":{"start":"2026-09-01T10:00:00.250+07:00","requestComplete":"2026-09-01T10:00:00.300+07:00",
        "responseBegin":"2026-09-01T10:00:00.350+07:00","end":"2026-09-01T10:00:00.370+07:00"},
        "durations":{"total":120,"dns":5,"connect":10,"ssl":20,"latency":60,"response":25},
        "ssl":{"protocol":"TLSv1.3","cipherSuite":"TLS_AES_128_GCM_SHA256"},"alpn":{"protocol":"h2"},
        "request":{"sizes":{"headers":10,"body":7},"header":{"firstLine":"POST /v1/items?page=2 HTTP/1.1",
        "headers":[{"name":"Content-Type","value":"application/json"}]},"body":{"text":"{\"a\":1}"}},
        "response":{"status":404,"header":{"firstLine":"HTTP/1.1 404 Not Here",
        "headers":[{"name":"X-Id","value":"7"}]},"body":{"encoded":"AAEC"}}},
        {"status":"COMPLETE","method":"CONNECT","scheme":"https","host":"pinned.test","actualPort":443,
        "tunnel":true,"request":{},"response":{}},
        {"status":"FAILED","errorMessage":"refused","method":"GET","protocolVersion":"HTTP/2.0","scheme":"http",
        "host":"2001:db8::1","port":81,"path":"/","query":null,"times":{},"request":{"header":{"headers":[]}},
        "response":null}]
        """#

    @Test("reads a session: heads, bodies, times, addresses, TLS, notes")
    func session() throws {
        let stage = try ImportStage()
        let (summary, failure) = try stage.load(Self.session.utf8)
        #expect(failure == nil && summary.exchanges == 2 && summary.leftOut == 1)
        #expect(summary.remarks.first?.contains("a tunnel that was not decrypted") == true)
        #expect(
            summary.remarks.last?.hasSuffix(
                "times.start: expected a date and a time (ISO 8601), found nothing; 1 exchange stands there as of now"
            ) == true
        )
        let exchanges = try stage.exchanges()
        let first = try #require(exchanges.first)
        #expect(first.url == "https://api.test:8443/v1/items?page=2" && first.status == 404)
        #expect(
            first.requestHead
                == "POST /v1/items?page=2 HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
        )
        #expect(first.requestBody == Array(#"{"a":1}"#.utf8) && first.content == [0, 1, 2])
        #expect(first.responseHead == "HTTP/1.1 404 Not Here\r\nX-Id: 7\r\n\r\n")
        #expect(first.server == "192.0.2.7:8443" && first.tls == "TLSv1.3" && first.comment == "look here")
        #expect(first.timings.started.iso8601Milliseconds == "2026-09-01T03:00:00.250Z")
        #expect(first.timings.ended == first.timings.started + .milliseconds(120))
        #expect(first.timings.tls == .milliseconds(20))
        let second = try #require(exchanges.last)
        #expect(second.url == "http://[2001:db8::1]:81/" && second.outcome == .failed("refused"))
    }
}
