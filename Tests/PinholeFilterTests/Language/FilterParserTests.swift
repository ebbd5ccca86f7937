import Testing

@testable import PinholeFilter

@Suite("Filter parser")
struct FilterParserTests {
    @Test(
        "understands mitmproxy's operators",
        arguments: [
            ("~a", "asset"), ("~all", "all"), ("~b test", "body matches test"),
            ("~bq test", "request.body matches test"), ("~bs test", "response.body matches test"),
            ("~c 404", "status == 404"), (#"~d google\.com"#, #"host matches "google\.com""#),
            ("~dst :443", "destination matches :443"), ("~e", "failed"),
            ("~h 'X-A: b'", #"headers matches "X-A: b""#), ("~hq x-a", "request.headers matches x-a"),
            ("~hs x-a", "response.headers matches x-a"), ("~http", "http"), ("~m get", "method matches get"),
            ("~q", "unanswered"), ("~s", "answered"), ("~src 127", "client matches 127"),
            ("~t json", "type matches json"), ("~tcp", "relayed"), ("~tq json", "request.type matches json"),
            ("~ts json", "response.type matches json"), ("~u /api", "url matches /api"),
            ("~websocket", "websocket"),
            // The examples of mitmproxy's documentation.
            (#"google\.com"#, #"url matches "google\.com""#),
            ("~q ~b test", "unanswered & body matches test"),
            (#"!(~q & ~t "text/html")"#, "!(unanswered & type matches text/html)"),
            // Side by side binds least there.
            ("~q | ~s ~b x", "(unanswered | answered) & body matches x"),
            ("~u foo|bar", #"url matches "foo|bar""#), ("~d a& ~u b", "host matches a & url matches b"),
            ("~d a|~d b", "host matches a | host matches b"), (#""~q""#, #"url matches "~q""#),
        ]
    )
    func mitmproxy(_ text: String, _ canonical: String) throws {
        #expect(try Filter(text).description == canonical)
    }

    @Test(
        "understands typed comparisons",
        arguments: [
            ("", "all"), ("  ", "all"), ("all", "all"), ("!all", "!all"),
            ("status >= 400", "status >= 400"),
            ("status>=400&method==POST", "status >= 400 & method == POST"),
            ("status = 200", "status == 200"), ("status != 200", "status != 200"),
            ("status == 4xx", "status >= 400 & status <= 499"),
            ("status != 4xx", "!(status >= 400 & status <= 499)"),
            ("status == 200-204", "status >= 200 & status <= 204"),
            ("host ~ *.example.com", "host ~ *.example.com"), ("host !~ *:8443", "!(host ~ *:8443)"),
            ("HOST == Example.COM", "host == example.com"),
            ("host ~ [::1]:443", "host ~ [::1]:443"), ("host == [::1]", "host == ::1"),
            (#"header[X-Id] contains "a""#, "header[x-id] contains a"),
            ("request.header[cookie] startswith a", "request.header[cookie] startswith a"),
            ("duration > 1s", "duration > 1s"), ("duration > 1500ms", "duration > 1500ms"),
            ("duration > 90s", "duration > 90s"), ("duration > 120s", "duration > 2min"),
            ("duration>1.5s", "duration > 1500ms"),
            ("size > 1MB", "size > 1MB"), ("size > 1MiB", "size > 1048576"), ("size > 1.5kb", "size > 1500"),
            ("time >= 2026-01-31", "time >= 2026-01-31T00:00:00Z"),
            ("time >= 2026-01-31T12:00:00.5Z", "time >= 2026-01-31T12:00:00.500000Z"),
            ("tls.alert", "tls.alert"), ("tls.alert == unknown_ca", "tls.alert == unknown_ca"),
            ("pinned", "pinned"), ("grpc & !pinned", "grpc & !pinned"), ("not grpc", "!grpc"),
            ("a and b or not c", "url matches a & url matches b | !(url matches c)"),
            ("path ~ /api/*", "path ~ /api/*"), ("path ~ /api", "path contains /api"),
            ("host ~ shop", "host contains shop"), ("host ~ shop.test:443", "host ~ shop.test:443"),
            ("type !~ html", "!(type contains html)"), ("host ~ 127.0.0.1", "host contains 127.0.0.1"),
            (#"path matches "^/v\d""#, #"path matches "^/v\d""#),
            ("path == /~user", #"path == "/~user""#),
            ("(failed | tls.failed) host ~ *", "(failed | tls.failed) & host ~ *"),
            ("!!failed", "failed"), ("item=7x", #"url matches "item=7x""#),
            ("http://x", "url matches http://x"),
            ("tls/foo", "url matches tls/foo"),
            // A number or a method by itself is a whole word of the URL, or the status or the method.
            ("404", #"status == 404 | url matches "\b404\b""#), ("12", #"url matches "\b12\b""#),
            ("4xx", #"status >= 400 & status <= 499 | url matches "\b4xx\b""#), ("9xx", "url matches 9xx"),
            ("!404 & x", #"!(status == 404 | url matches "\b404\b") & url matches x"#),
            ("GET", #"method == GET | url matches "\bGET\b""#), ("get", "url matches get"),
            (#""404""#, "url matches 404"), ("40.", "url matches 40."),
        ]
    )
    func typed(_ text: String, _ canonical: String) throws {
        #expect(try Filter(text).description == canonical)
    }

    @Test(
        "names the place, the expected value and a remedy",
        arguments: [
            ("stauts >= 400", 1, "write “status”"), ("status >= abc", 11, nil),
            ("status", 7, "write ~u status to look for the word in URLs"), ("status ~ 4", 8, nil),
            ("host", 5, "write ~u host to look for the word in URLs"),
            ("method > GET", 8, nil), ("duration > 5", 12, nil), ("size > 1XB", 8, nil),
            ("status == 404 & ", 17, "write, for example, ~d example.com or status >= 400"), ("(~q", 4, nil),
            ("~q)", 3, nil),
            ("~u (a|b)", 4, "quote what has parentheses or “~” in it"), ("~zz", 1, nil), ("~hx a", 1, nil),
            ("~c 4xx", 4, "write ranges as status == 4xx or status >= 400"),
            ("~c200", 1, "write “~c 200”"),
            ("~udp", 1, "leave “~udp” out"), ("~dns", 1, nil), ("~replayq", 1, nil),
            ("@focus", 1, nil), (#"~b "abc"#, 4, nil), ("~u a[b", 5, nil), (#"~u "\\1""#, 6, nil),
            ("~b '(?=x)'", 5, nil),
            ("*.example.com", 1, "write “.*” for any run of characters, or a glob: host ~ *.test"),
            ("header contains a", 8, nil), ("header[] == a", 8, nil), ("header[a", 8, nil),
            ("host ~ a:99999", 8, nil), ("host == *.test", 9, nil), ("time > yesterday", 8, nil),
            ("foo contains bar", 1, "quote it to look for it in URLs"), ("& ~q", 1, nil),
        ] as [(String, Int, String?)]
    )
    func failures(_ text: String, _ column: Int, _ remedy: String?) {
        let failure = #expect(throws: FilterFailure.self) { try Filter(text) }
        #expect(failure?.column == column, "\(failure.map(String.init(describing:)) ?? "")")
        if let remedy { #expect(failure?.remedy == remedy) }
    }

    @Test("remarks on likely mistakes")
    func remarks() throws {
        let remark = { (word: String, meant: String) in
            "“\(word)” is looked for in URLs; if that is not meant, write “\(meant)”"
        }
        #expect(try Filter("pined").remarks == [remark("pined", "pinned")])
        #expect(try Filter("POST 404").remarks.isEmpty)
        #expect(try Filter("stauts").remarks == [remark("stauts", "status == …")])
        #expect(try Filter("index.html").remarks == [])
        #expect(try Filter(#""pined""#).remarks == [])
    }

    @Test("refuses values that are too long or too deep")
    func bounds() {
        let deep = String(repeating: "(", count: 51) + "~q" + String(repeating: ")", count: 51)
        #expect(#expect(throws: FilterFailure.self) { try Filter(deep) }?.column == 51)
        let long = String(repeating: "a", count: FilterParser.lengthLimit + 1)
        #expect(
            #expect(throws: FilterFailure.self) { try Filter(long) }?.column == FilterParser.lengthLimit + 1
        )
        let steps = String(repeating: "~u a{900} ", count: 30)
        #expect(#expect(throws: FilterFailure.self) { try Filter(steps) }?.column == 224)
        #expect(throws: Never.self) { try Filter(String(repeating: "!", count: 8000) + "~q") }
        #expect(throws: Never.self) { try Filter(String(repeating: "~q|", count: 2000) + "~q") }
    }
}
