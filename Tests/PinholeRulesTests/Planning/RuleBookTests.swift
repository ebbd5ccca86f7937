import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("RuleBook")
struct RuleBookTests {
    private static func request(
        _ path: String = "/a?x=1",
        method: String = "GET",
        _ lines: [(String, String)] = []
    ) -> RuleRequest {
        var fields = HeaderFields()
        for (name, value) in lines { fields.append(name, value) }
        return RuleRequest(
            scheme: .https,
            authority: Authority(host: .name("api.example.com"), port: 443),
            method: method,
            path: path,
            fields: fields
        )
    }

    private func book(_ json: String) throws -> RuleBook {
        RuleBook(try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules"))
    }

    private func plan(_ json: String, _ request: RuleRequest = request()) throws -> RequestPlan? {
        try book(json).plan(request, flow: { nil })
    }

    @Test("has no plan for requests without a matching rule")
    func unmatched() throws {
        #expect(!RuleBook().concernsRequests && !RuleBook().concernsResponses)
        #expect(RuleBook().plan(Self.request(), flow: { nil }) == nil)
        #expect(try plan(#"{"do": "block", "when": "host == other.test"}"#) == nil)
        #expect(try plan(#"{"do": "block", "enabled": false}"#) == nil)
        // What depends on the response is not known yet, nor is its negation.
        #expect(try plan(#"{"do": "block", "when": "status >= 400"}"#) == nil)
        #expect(try plan(#"{"do": "block", "when": "!(status >= 400)"}"#) == nil)
        // The flow is asked for its client alone.
        #expect(try plan(#"{"do": "block", "when": "client startswith 127."}"#) == nil)
    }

    @Test("conditions on the proxy user match the user of the login, and no user")
    func user() throws {
        let book = try book(
            #"{"do": "block", "when": "proxy.user == anna"}, {"do": "mock", "when": "!(proxy.user ~ b*)"}"#
        )
        for (user, kinds) in [("Anna", ["block"]), ("bela", nil), (nil, ["mock"])] as [(String?, [String]?)] {
            var flow = FlowRecord(
                id: FlowID(rawValue: 1),
                opened: Timestamp(microseconds: 0),
                client: "127.0.0.1:1",
                listener: "127.0.0.1:2"
            )
            flow.proxyUser = user
            #expect(book.plan(Self.request(), flow: { flow })?.hits.map(\.kind) == kinds)
        }
    }

    @Test("lets other rules count at once")
    func replaced() throws {
        let book = RuleBook()
        book.replace(with: RuleSet([Rule(name: "a", action: .block(.close))]))
        #expect(book.concernsRequests && !book.concernsResponses)
        #expect(book.plan(Self.request(), flow: { nil })?.ending == .close)
        book.replace(with: RuleSet())
        #expect(book.plan(Self.request(), flow: { nil }) == nil)
    }

    @Test("stops at the first rule that answers, and judges the request as the client sent it")
    func order() throws {
        let plan = try plan(
            #"""
            {"do": "rewriteRequest", "path": [{"find": "^/a", "with": "/b"}]},
            {"do": "delay", "seconds": 1}, {"do": "delay", "seconds": 0.5, "when": "path == /b"},
            {"do": "mock", "status": 201, "when": "path == /a"}, {"do": "block"}
            """#
        )
        #expect(plan?.hits.map(\.rule) == ["rule 1", "rule 2", "rule 4"])
        #expect(plan?.delay == .seconds(1))
        #expect(plan?.ending == .mock(MockAnswer(status: 201)))
        #expect(plan?.request.path == "/b?x=1")
    }

    @Test(
        "names another server and path",
        arguments: [
            (#""to": "http://localhost:3000""#, "http://localhost:3000/a?x=1"),
            (#""to": "http://localhost:3000/v2""#, "http://localhost:3000/v2/a?x=1"),
            (#""to": "https://b.test/v2/", "from": "/a""#, "https://b.test/v2/?x=1"),
            (#""to": "https://b.test/v2/", "from": "/zzz""#, "https://b.test/a?x=1"),
            (#""to": "https://b.test", "from": "/a""#, "https://b.test/?x=1"),
            (#""to": "https://b.test/v2", "from": "/a""#, "https://b.test/v2?x=1"),
        ]
    )
    func mapRemote(keys: String, url: String) throws {
        let plan = try #require(try plan(#"{"do": "mapRemote", \#(keys)}"#))
        #expect(plan.isElsewhere && plan.request.url == url)
    }

    @Test("a prefix ends where a name does")
    func border() throws {
        let map = #"{"do": "mapRemote", "to": "https://b.test/pre", "from": "/keep"}"#
        #expect(try plan(map, Self.request("/keepx"))?.request.path == "/keepx")
        #expect(try plan(map, Self.request("/keep/x"))?.request.path == "/pre/x")
    }

    @Test(
        "changes the URL",
        arguments: [
            (
                #""url": [{"find": "https://api\\.([^/]+)", "with": "http://$1:8000"}]"#,
                "http://example.com:8000/a?x=1"
            ),
            (#""url": [{"find": "https:", "with": "gopher:"}]"#, "https://api.example.com/a?x=1"),
            (#""path": [{"find": "^", "with": "/v2"}]"#, "https://api.example.com/v2/a?x=1"),
            (#""path": [{"find": "a", "with": "a b#"}]"#, "https://api.example.com/a?x=1"),
            (#""setQuery": ["x=2&", "y=ü"]"#, "https://api.example.com/a?x=2%26&y=%C3%BC"),
            (#""removeQuery": ["x"]"#, "https://api.example.com/a"),
        ]
    )
    func url(keys: String, url: String) throws {
        let plan = try #require(try plan(#"{"do": "rewriteRequest", \#(keys)}"#))
        #expect(plan.request.url == url)
        #expect(plan.isChanged == (url != "https://api.example.com/a?x=1") || plan.isElsewhere)
    }

    @Test("names the text that a rewrite makes and that is no URL")
    func noURL() throws {
        let plan = try plan(
            #"{"do": "rewriteRequest", "url": [{"find": "https:", "with": "gopher:"}], "set": ["A: 1"]}"#
        )
        #expect(plan?.badURL == "gopher://api.example.com/a?x=1")
        #expect(plan?.hits.first?.effect == "changed a; gopher://api.example.com/a?x=1 is not a URL")
    }

    @Test("changes fields, and leaves the others byte for byte")
    func fields() throws {
        let request = Self.request(
            "/",
            [("A", "1"), ("Cookie", "s"), ("B", "one two"), ("a", "3"), ("C", "x")]
        )
        let plan = try plan(
            #"""
            {"do": "rewriteRequest", "remove": ["cookie"], "set": ["A: 2"], "add": ["C: y"],
             "replace": [{"field": "b", "find": "(\\w+) (\\w+)", "with": "$2 $1"}]}
            """#,
            request
        )
        let section = plan.map { String(decoding: $0.request.fields.section, as: UTF8.self) }
        #expect(section == "A: 2\r\nB: two one\r\nC: x\r\nC: y\r\n")
        #expect(plan?.hits.first?.effect == "changed cookie, a, c, b")
    }

    @Test("leaves a HEAD one")
    func head() throws {
        let plan = try plan(#"{"do": "rewriteRequest", "method": "POST"}"#, Self.request(method: "HEAD"))
        #expect(plan?.request.method == "HEAD")
        #expect(plan?.hits.first?.effect == "nothing to change")
    }

    @Test("writes no value that grows beyond its bound")
    func growth() throws {
        let long = String(repeating: "a", count: 8000)
        let plan = try plan(
            #"{"do": "rewriteRequest", "replace": [{"field": "a", "find": "(.*)", "with": "$1$1$1"}]}"#,
            Self.request("/", [("A", long)])
        )
        #expect(plan?.isChanged == false)
        #expect(plan?.request.fields.first("a") == long)
    }

    @Test("sends and removes credentials, and allows no cache")
    func small() throws {
        let request = Self.request("/", [("Authorization", "Basic x"), ("If-None-Match", "e")])
        let bearer = try plan(#"{"do": "setAuthentication", "bearer": "t"}"#, request)
        #expect(bearer?.request.fields.all("authorization") == ["Bearer t"])
        let none = try plan(#"{"do": "removeAuthentication"}"#, request)
        #expect(none?.request.fields.contains("authorization") == false)
        let fresh = try plan(#"{"do": "noCaching"}"#, request)
        #expect(fresh?.request.fields.contains("if-none-match") == false)
        #expect(fresh?.request.fields.first("cache-control") == "no-cache")
    }

    @Test("redirects by the part of the URL that an expression matches")
    func redirect() throws {
        let json = #"{"do": "redirect", "to": "https://b.test/$1", "find": "^https://api[^/]*/(\\w+)"}"#
        guard case .mock(let answer) = try plan(json)?.ending else {
            Issue.record("nothing was answered")
            return
        }
        #expect(answer.status == 302)
        #expect(answer.fields == [FieldLine("Location", "https://b.test/a")].compactMap(\.self))
        #expect(try plan(json, Self.request("/-"))?.ending == nil)
        let host = #"{"do": "redirect", "to": "https://$1/", "find": "/h/(.*)$"}"#
        #expect(try plan(host, Self.request("/h/"))?.ending == nil)
        #expect(try plan(host, Self.request("/h/a%3Cb"))?.ending == nil)
    }

    @Test("changes the response that its filter means")
    func response() throws {
        let book = try book(
            #"""
            {"do": "rewriteResponse", "when": "status == 200 & path == /a", "status": 503, "set": ["X: 1"]},
            {"do": "noCaching"}
            """#
        )
        var fields = HeaderFields()
        fields.append("ETag", "e")
        let response = RuleResponse(status: 200, fields: fields)
        let plan = try #require(book.plan(response, to: Self.request(), flow: { nil }))
        #expect(plan.response.status == 503)
        #expect(plan.response.fields.pairs.map(\.name) == ["X", "Cache-Control"])
        #expect(plan.hits.map(\.effect) == ["changed status 200 to 503, x", "changed etag, cache-control"])
        let other = book.plan(RuleResponse(status: 404, fields: fields), to: Self.request(), flow: { nil })
        #expect(other?.hits.map(\.kind) == ["noCaching"])
    }

    @Test("acts on a part of the requests that a filter matches, the same ones each time")
    func chance() throws {
        let json = #"{"do": "mock", "status": 503, "when": "path == /a", "chance": 0.1, "seed": 4}"#
        let runs = try (0..<2).map { _ in
            let book = try book(json)
            return (0..<500).map { number in
                let path = number.isMultiple(of: 2) ? "/a" : "/b"
                return book.plan(Self.request(path), flow: { nil })?.ending != nil
            }
        }
        #expect(runs[0] == runs[1])
        #expect(10...50 ~= runs[0].count { $0 })
        #expect(runs[0].indices.allSatisfy { !runs[0][$0] || $0.isMultiple(of: 2) })
    }

    @Test("acts on both messages of an exchange or on neither")
    func chanceOfBoth() throws {
        let book = try book(#"{"do": "noCaching", "chance": 0.5, "seed": 9}"#)
        let request = Self.request("/", [("If-None-Match", "\"1\"")])
        let answer = RuleResponse(status: 200, fields: HeaderFields())
        var acted = 0
        for number in 0..<200 {
            let plan = book.plan(request, flow: { nil })
            let isChanged = plan?.isChanged == true
            let other = book.plan(answer, to: request, after: plan, flow: { nil })
            #expect((other?.isChanged == true) == isChanged, "exchange \(number)")
            acted += isChanged ? 1 : 0
        }
        #expect(60...140 ~= acted)
    }

    @Test("draws at the response for a rule that only then matches")
    func chanceOfResponse() throws {
        let book = try book(#"{"do": "noCaching", "when": "status == 200", "chance": 0.5, "seed": 9}"#)
        let chance = Chance(odds: 0.5, seed: 9)
        for number in 0..<100 {
            let plan = book.plan(Self.request(), flow: { nil })
            #expect(plan == nil)
            for status in [404, 200] {
                let answer = RuleResponse(status: status, fields: HeaderFields())
                let other = book.plan(answer, to: Self.request(), after: plan, flow: { nil })
                #expect((other != nil) == (status == 200 && chance.draw()), "exchange \(number)")
            }
        }
    }
}
