import PinholeModel
import Testing

@testable import PinholeRules

@Suite("CaptureReplay")
struct CaptureReplayTests {
    private func request(
        _ path: String,
        method: String = "GET",
        scheme: Scheme = .https,
        authority: String = "a.test:443",
        fields: String = ""
    ) throws -> RuleRequest {
        RuleRequest(
            scheme: scheme,
            authority: try Authority(authority),
            method: method,
            path: path,
            fields: HeaderFields(section: Array("\(fields)\r\n".utf8))
        )
    }

    @Test("method, scheme, server, path and query tell requests apart")
    func everything() throws {
        let replay = CaptureReplay(file: "x")
        let key = replay.key(of: try request("/a?b=1"))
        #expect(key == replay.key(of: try request("/a?b=1", fields: "X: 1\r\n")))
        for other in [
            try request("/a?b=2"), try request("/a"), try request("/a?"), try request("/A?b=1"),
            try request("/a?b=1", method: "PUT"), try request("/a?b=1", scheme: .http),
            try request("/a?b=1", authority: "b.test:443"), try request("/a?b=1", authority: "a.test:444"),
        ] { #expect(key != replay.key(of: other), "\(other.url)") }
    }

    @Test("ignored fields do not distinguish requests")
    func ignored() throws {
        var replay = CaptureReplay(file: "x", ignored: [.scheme, .host, .port])
        #expect(
            replay.key(of: try request("/a?b=1"))
                == replay.key(of: try request("/a?b=1", scheme: .http, authority: "b.test:80"))
        )
        replay.ignoredParameters = ["_", "a b"]
        #expect(
            replay.key(of: try request("/a?_=1&b=1&a%20b=2")) == replay.key(of: try request("/a?b=1&_=2"))
        )
        #expect(replay.key(of: try request("/a?_=1")) == replay.key(of: try request("/a")))
        replay.ignored.insert(.query)
        #expect(replay.key(of: try request("/a?x")) == replay.key(of: try request("/a")))
    }

    @Test("fields are compared where that is wanted")
    func fields() throws {
        let replay = CaptureReplay(file: "x", fields: ["accept"])
        let one = try request("/", fields: "Accept: a\r\nB: 1\r\n")
        #expect(replay.key(of: one) == replay.key(of: try request("/", fields: "accept: a\r\nB: 2\r\n")))
        #expect(replay.key(of: one) != replay.key(of: try request("/", fields: "Accept: b\r\n")))
    }

    private func rule(_ json: String) throws -> Rule {
        try Rule(JSONValue(parsing: Array(json.utf8)), number: 1, path: "rules[0]")
    }

    @Test("is read from a rule")
    func reading() throws {
        let rule = try rule(
            #"{"do": "replay", "file": "a.sqlite", "ignore": ["host", "port", "query:_"], "headers": ["Accept"],"#
                + #" "unknown": "pass", "once": true}"#
        )
        #expect(
            rule.action
                == .replay(
                    CaptureReplay(
                        file: "a.sqlite",
                        ignored: [.host, .port],
                        ignoredParameters: ["_"],
                        fields: ["accept"],
                        isStrict: false,
                        isOnce: true
                    )
                )
        )
        let set = RuleSet([rule]).resolvingPaths { "/etc/\($0)" }
        #expect(set.remarks(in: RuleSurroundings { $0 == "/etc/a.sqlite" ? .file : .missing }).isEmpty)
        #expect(
            set.remarks(in: RuleSurroundings { _ in .missing }).map(\.text) == [
                "there is no capture /etc/a.sqlite"
            ]
        )
    }

    @Test(
        "names the expected value",
        arguments: [
            (#"{"do": "replay"}"#, "file"),
            (
                #"{"do": "replay", "file": "x", "ignore": ["path"]}"#,
                "rules[0].ignore[0]: expected scheme, host, port, query or query:NAME, found “path”"
            ),
            (#"{"do": "replay", "file": "x", "headers": ["a b"]}"#, "the name of a header"),
            (#"{"do": "replay", "file": "x", "unknown": "kill"}"#, "refuse"),
        ]
    )
    func mistakes(json: String, expected: String) throws {
        #expect {
            try rule(json)
        } throws: {
            "\($0)".contains(expected)
        }
    }

    @Test("a later rule may act where this one lets requests pass")
    func declines() throws {
        let rules = { (unknown: String) in
            RuleSet([
                try self.rule(#"{"do": "replay", "file": "x", "unknown": "\#(unknown)"}"#),
                try self.rule(#"{"name": "none", "do": "mock", "status": 404}"#),
            ])
        }
        #expect(try rules("pass").remarks(in: RuleSurroundings { _ in .file }).isEmpty)
        #expect(try rules("refuse").remarks(in: RuleSurroundings { _ in .file }).map(\.index) == [1])
    }
}
