import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("Rule, from a document")
struct RuleReadingTests {
    private func rules(_ text: String) throws -> [Rule] {
        try RuleSet(JSONValue(parsing: Array(text.utf8)), path: "rules").rules
    }

    private func failure(_ text: String) -> String {
        do {
            _ = try rules(text)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test("reads every kind")
    func kinds() throws {
        let rules = try rules(
            #"""
            [{"do": "block", "with": "reset", "when": "~u ads", "name": "ads"},
             {"do": "mock", "status": 201, "fields": ["X-A: 1", "X-A: 2"], "body": "tea"},
             {"do": "mapLocal", "folder": "www", "from": "/static"}, {"do": "replay", "file": "a.sqlite"},
             {"do": "mapRemote", "to": "http://localhost:3000/v1", "from": "/api", "keepHost": true},
             {"do": "redirect", "to": "https://b.test/$1", "find": "a.test/(.*)", "status": 308},
             {"do": "rewriteRequest", "method": "PUT", "set": ["X: y"], "remove": ["Cookie"], "setQuery": ["a=b"],
              "replace": [{"field": "Accept", "find": "html", "with": "json"}], "url": [{"find": "a", "with": "b"}]},
             {"do": "rewriteResponse", "status": 500, "add": ["Set-Cookie: a=b"]},
             {"do": "noCaching", "enabled": false}, {"do": "setAuthentication", "basic": "a:b"},
             {"do": "removeAuthentication"}, {"do": "delay", "seconds": 0.5}, {"do": "throttle", "preset": "DSL"},
             {"do": "dropMessage", "from": "client", "type": "ping"},
             {"do": "rewriteMessage", "find": "a(.)", "with": "$1"},
             {"do": "injectMessage", "to": "server", "base64": "AAE=", "after": {"from": "server", "find": "x"}},
             {"do": "breakpoint", "at": "both", "seconds": 5}, {"do": "askProgram", "program": "mark"}]
            """#
        )
        #expect(rules.map(\.action.kind) == RuleKind.allCases)
        #expect(rules[0].name == "ads" && rules[1].name == "rule 2" && !rules[8].isEnabled)
        #expect(rules[0].action == .block(.reset))
        #expect(rules[2].action == .mapLocal(LocalMap(root: "www", isFolder: true, prefix: "/static")))
        #expect(
            rules[4].action
                == .mapRemote(
                    RemoteMap(
                        scheme: .http,
                        authority: Authority(host: .name("localhost"), port: 3000),
                        path: "/v1",
                        from: "/api",
                        keepsHost: true
                    )
                )
        )
        #expect(rules[9].action == .setAuthentication("Basic YTpi"))
        #expect(rules[11].action == .delay(.milliseconds(500)))
        #expect(rules[16].action == .breakpoint(Breakpoint(stage: .both, patience: .seconds(5))))
        #expect(rules.last?.action == .askProgram(ProgramCall(name: "mark")))
    }

    @Test("reads a chance and its seed, or draws one")
    func chance() throws {
        let json =
            #"[{"do": "block", "chance": 0.25, "seed": 8}, {"do": "block", "chance": 1}, {"do": "block"}]"#
        let rules = try RuleSet(JSONValue(parsing: Array(json.utf8)), path: "rules")
        #expect(rules.rules[0].chance == Chance(odds: 0.25, seed: 8))
        #expect(rules.rules[1].chance?.odds == 1 && rules.rules[1].chance?.isSeedDrawn == true)
        #expect(rules.rules[2].chance == nil)
        let remarks = rules.seedRemarks
        #expect(remarks.count == 2 && remarks[0] == "“rule 1” acts by chance 0.25, seed 8")
        #expect(remarks[1].contains("repeats the draws"))
    }

    @Test(
        "names the place, the expected value, the found one and a remedy",
        arguments: [
            (#"{}"#, "rules: expected a list […], found an object"),
            (#"[{"do": "blok"}]"#, "rules[0].do: expected “block” or"),
            (#"[{"do": "block", "wiht": 1}]"#, "write “rules[0].with”"),
            (#"[{"do": "block", "when": "stauts == 1"}]"#, "rules[0].when: column 1: expected a known field"),
            (#"[{"do": "block", "with": 99}]"#, "rules[0].with: expected a status of 200 to 599"),
            (#"[{"do": "mock", "body": "a", "file": "b"}]"#, "expected body or file, found both"),
            (#"[{"do": "mock", "status": 204, "body": "a"}]"#, "which forbids it"),
            (#"[{"do": "mock", "fields": ["X: a\r\nY: b"]}]"#, "without line breaks"),
            (#"[{"do": "mock", "fields": ["no colon"]}]"#, "expected “Name: value”"),
            (#"[{"do": "mock", "fields": ["Content-Length: 1"]}]"#, "which Pinhole writes itself"),
            (#"[{"do": "rewriteRequest", "set": ["Host: a"]}]"#, "use mapRemote, which changes the server"),
            (#"[{"do": "rewriteRequest", "method": "HEAD"}]"#, "a method other than CONNECT and HEAD"),
            (#"[{"do": "rewriteResponse", "status": 304}]"#, "a status of 200 to 599 that may have content"),
            (#"[{"do": "mapRemote", "to": "localhost:3000"}]"#, "rules[0].to: expected http://HOST"),
            (#"[{"do": "mapRemote"}]"#, "expected the key “to”"),
            (#"[{"do": "mapLocal"}]"#, "expected either file or folder, found none"),
            (#"[{"do": "redirect", "to": "/", "status": 304}]"#, "301, 302, 303, 307 or 308"),
            (
                #"[{"do": "redirect", "to": "$2", "find": "(a)"}]"#,
                "rules[0].to: expected a group of the expression"
            ),
            (
                #"[{"do": "redirect", "to": "/", "find": "("}]"#,
                "rules[0].find: expected “)” for the “(” before it at character 1"
            ),
            (#"[{"do": "redirect", "to": "https://a.test/$1"}]"#, "rules[0].to: expected “find” beside it"),
            (#"[{"do": "redirect", "to": "/x y é"}]"#, "rules[0].to: expected a URL with its host"),
            (
                #"[{"do": "rewriteRequest", "path": [{"find": "(a)", "with": "$9"}]}]"#,
                "rules[0].path[0].with: "
            ),
            (
                #"[{"do": "rewriteRequest", "setQuery": ["=x"]}]"#,
                "rules[0].setQuery[0]: expected “name=value”"
            ),
            (
                #"[{"do": "setAuthentication", "bearer": ""}]"#,
                "rules[0].bearer: expected a text that is not empty"
            ),
            (#"[{"do": "block", "when": ""}]"#, "rules[0].when: expected a text that is not empty"),
            (#"[{"do": "mapRemote", "to": "https://bücher.example/"}]"#, "names of other scripts as xn--"),
            (
                #"[{"do": "rewriteRequest", "url": [{"find": "(?=a)", "with": ""}]}]"#,
                "looking ahead or behind"
            ),
            (#"[{"do": "rewriteRequest", "url": [{"find": "a", "with": "a\nb"}]}]"#, "without line breaks"),
            (#"[{"do": "setAuthentication", "basic": "a:b", "bearer": "c"}]"#, "found both"),
            (#"[{"do": "setAuthentication", "basic": "a"}]"#, "USER:PASSWORD"),
            (#"[{"do": "delay", "seconds": 0}]"#, "seconds, a number"),
            (#"[{"do": "block", "chance": 0}]"#, "rules[0].chance: expected a number above 0 and at most 1"),
            (#"[{"do": "block", "chance": 10}]"#, "write 0.1 for one match in ten"),
            (#"[{"do": "block", "chance": "0.1"}]"#, "expected a number above 0 and at most 1, found"),
            (#"[{"do": "block", "seed": 1}]"#, "rules[0].seed: a seed needs “chance” beside it"),
            (
                #"[{"do": "block", "chance": 0.1, "seed": -1}]"#,
                "rules[0].seed: expected a whole number of 0 to"
            ),
        ]
    )
    func refused(text: String, expected: String) {
        #expect(failure(text).contains(expected), "\(failure(text))")
    }
}
