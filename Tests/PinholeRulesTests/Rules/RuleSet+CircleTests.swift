import PinholeModel
import Testing

@testable import PinholeRules

@Suite("RuleSet, redirections in circles")
struct RuleSetCircleTests {
    @Test(
        "finds a redirection that leads back to itself, and no other",
        arguments: [
            (#"{"do": "redirect", "to": "/maintenance"}"#, [0]),
            (#"{"do": "redirect", "to": "/a?x", "when": "path == /A"}"#, [0]),
            (#"{"do": "redirect", "to": "/b", "when": "path == /a & host == h"}"#, []),
            (
                #"{"do": "redirect", "to": "/r2", "when": "path == /r1"}, {"do": "redirect", "to": "/r1", "when": "path == /r2"}, {"do": "redirect", "to": "/r1", "when": "path == /r3"}"#,
                [0, 1]
            ),
            (
                #"{"do": "redirect", "to": "/b", "when": "path == /c"}, {"do": "redirect", "to": "/c", "when": "path == /b & ~m get"}"#,
                []
            ),
            (#"{"do": "redirect", "to": "https://a/d", "when": "path == /d"}"#, [0]),
            (#"{"do": "redirect", "to": "http://a.test/"}"#, [0]),
            (#"{"do": "redirect", "to": "http://A.test:8080", "when": "host == a.test"}"#, [0]),
            (#"{"do": "redirect", "to": "//a.test/x?y", "when": "host == a.test"}"#, [0]),
            (#"{"do": "redirect", "to": "http://b.test/", "when": "host == a.test"}"#, []),
            (
                #"{"do": "redirect", "to": "http://b.test/", "when": "host == a.test"}, {"do": "redirect", "to": "https://a.test/z", "when": "host == b.test"}"#,
                [0, 1]
            ),
            (#"{"do": "redirect", "to": "https://a.test/", "when": "host == a.test & scheme == http"}"#, []),
            (#"{"do": "redirect", "to": "ftp://a.test/", "when": "host == a.test"}"#, []),
            (#"{"do": "redirect", "to": "x/y", "when": "host == a.test"}"#, []),
            (
                #"{"do": "mock", "when": "path == /maintenance"}, {"do": "redirect", "to": "/maintenance"}"#,
                []
            ),
            (#"{"do": "mock", "when": "~m post"}, {"do": "redirect", "to": "/maintenance"}"#, []),
        ] as [(String, [Int])]
    )
    func circles(json: String, expected: [Int]) throws {
        let set = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        #expect(set.rules.indices.filter { !set.circle(from: $0).isEmpty } == expected)
    }
}
