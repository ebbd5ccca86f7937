import PinholeFilter
import Testing

@Suite("Filter parser, mistakes")
struct FilterParserMistakesTests {
    @Test(
        "refuses impossible conditions, and suggests a possible one",
        arguments: [
            ("failed == 1", 8, "write failed or !failed"), ("marked == true", 8, "write marked or !marked"),
            ("~q & failed>=1", 12, "write failed or !failed"), ("all == 1", 5, "write all or !all"),
            ("size > 1 MB", 8, "write 1MB without a space"),
            ("duration > 1.5 s & ~q", 12, "write 1.5s without a space"),
            ("färbe == 1", 1, "expected a known field before “==”"), ("färbe >5", 1, "“färbe”"),
            ("färbe != 1", 1, "“färbe”"), ("== 404", 1, "write a field before the comparison"),
            ("~q & >= 5", 6, "write a field before the comparison"),
            ("tls.alert == unknwon_ca", 14, "write “unknown_ca”"),
            ("outcome == complete", 12, "write “completed”"),
            ("treatment != relayed", 14, "write one of intercepted, passedThrough"),
            ("tls.cause == pinned", 14, "write one of"), ("scheme == ftp", 11, "write one of"),
            ("status == FAILED", 11, "write failed or !failed"),
            ("status != SPARE", 11, "write spare or !spare"), ("status == RELAYED", 11, "write relayed"),
            ("status == STOPPED", 11, "write standing == stopped"),
            ("user == anna", 1, "write “proxy.user”"),
            ("~M post", 1, "write “~m”"), ("~dexample.com", 1, "write “~d example.com”"),
        ]
    )
    func refused(_ text: String, _ column: Int, _ part: String) {
        let failure = #expect(throws: FilterFailure.self) { try Filter(text) }
        #expect(failure?.column == column && failure?.message.contains(part) == true, "\(failure as Any)")
    }

    @Test("lists the operators that mean something")
    func known() {
        let failure = #expect(throws: FilterFailure.self) { try Filter("~xyzzy") }
        #expect(failure?.message.contains("~hq") == true && failure?.message.contains("~udp") == false)
    }

    @Test(
        "remarks on filters that may find nothing",
        arguments: [
            ("status:404", "write “status == 404”"), ("host:api", "write “host == api”"),
            ("failed=1", "write “failed” or “!failed”"), ("tls.version == 1.3", "TLSv1.3"),
            ("status == 9xx", "100 to 599"), ("status == 7", "100 to 599"), ("webscoket", "“websocket”"),
        ]
    )
    func remarks(_ text: String, _ part: String) throws {
        let remarks = try Filter(text).remarks
        #expect(remarks.count == 1 && remarks.first?.contains(part) == true, "\(remarks)")
    }

    @Test(
        "leaves meaningful names unchanged",
        arguments: [
            "tls.alert == 48", "tls.alert == Unknown_CA", "outcome == handshakeFailed", "id=7", "a=b", "=7",
            "failed ~d x", "failed !~d x", "size > 1 ~q", "size > 1000 mb.example", "http://a.example/",
            "status >= 600", "tls.version == tlsv1.3", "/x?q==",
        ]
    )
    func understood(_ text: String) throws {
        #expect(try Filter(text).remarks.isEmpty)
    }
}
