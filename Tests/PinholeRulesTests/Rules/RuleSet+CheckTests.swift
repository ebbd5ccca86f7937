import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("RuleSet, checked")
struct RuleSetCheckTests {
    @Test(
        "finds what cannot be meant",
        arguments: [
            (#"{"do": "block"}, {"do": "delay", "seconds": 1, "when": "~m get"}"#, "answers first"),
            (
                #"{"do": "block", "when": "host == a"}, {"do": "mock", "when": "~m get & host == a"}"#,
                "answers first"
            ),
            (
                #"{"do": "noCaching", "when": "~m get"}, {"do": "noCaching", "when": "~m get"}"#,
                "is the same as"
            ),
            (
                #"{"do": "mapRemote", "to": "http://a"}, {"do": "mapRemote", "to": "http://b"}"#,
                "overrules rules[0]"
            ),
            (#"{"do": "mock", "when": "status == 404"}"#, "the filter asks for one"),
            (#"{"do": "block", "when": "~c 404 & ~m get"}"#, "the filter asks for one"),
            (#"{"do": "mock", "file": "missing"}"#, "there is no file missing"),
            (#"{"do": "mapLocal", "folder": "file"}"#, "there is no folder file"),
            (#"{"do": "rewriteResponse"}"#, "nothing that it changes"),
        ]
    )
    func remarks(json: String, expected: String) throws {
        let set = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        let remarks = set.remarks { $0 == "file" ? .file : $0 == "folder" ? .folder : .missing }
        #expect(remarks.count == 1)
        #expect(remarks.first?.description.contains(expected) == true, "\(remarks)")
    }

    @Test("lets be what can act")
    func fine() throws {
        let json = #"""
            [{"do": "block", "when": "host == a"}, {"do": "block", "when": "host == b | status == 1"},
             {"do": "redirect", "to": "/$1", "find": "(b)"}, {"do": "mapLocal", "folder": "folder"},
             {"do": "delay", "seconds": 1, "enabled": false}]
            """#
        let set = try RuleSet(JSONValue(parsing: Array(json.utf8)), path: "rules")
        #expect(set.remarks { _ in .folder } == [])
    }
}
