import PinholeModel
import Testing

@testable import PinholeRules

@Suite("Rule, the paths that it means")
struct RulePathsTests {
    @Test(
        "says that no path begins as the rule has it, and nothing where one may",
        arguments: [
            (#""mapRemote", "to": "http://a/b", "from": "/z", "when": "path == /m""#, "never applies"),
            (#""mapLocal", "folder": "f", "from": "/z", "when": "path startswith /m""#, "with 404 alone"),
            (#""mapRemote", "to": "http://a/b", "from": "/z", "when": "path startswith /Z/m""#, nil),
            (#""mapRemote", "to": "http://a/b", "from": "/z/y", "when": "path startswith /z""#, nil),
            (#""mapRemote", "to": "http://a", "when": "path == /m""#, nil),
            (#""mapLocal", "file": "f", "from": "/z", "when": "path == /m""#, nil),
            (#""mapLocal", "folder": "f", "from": "/z", "when": "path == /m | host == a""#, nil),
        ] as [(String, String?)]
    )
    func beginnings(json: String, expected: String?) throws {
        let set = try RuleSet(JSONValue(parsing: Array(#"[{"do": \#(json)}]"#.utf8)), path: "rules")
        let remarks = try #require(set.rules.first).remarksOnPaths
        #expect(remarks.count == (expected == nil ? 0 : 1))
        #expect(expected.map { remarks.first?.contains($0) == true } != false, "\(remarks)")
    }
}
