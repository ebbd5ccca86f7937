import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("RuleSet, checked")
struct RuleSetCheckTests {
    @Test(
        "finds impossible settings",
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
            (
                #"{"do": "block", "when": "request.size > 1MB"}"#,
                "what is not known when block is done (request.size)"
            ),
            (
                #"{"do": "rewriteResponse", "status": 299, "when": "~bs x & path == /a"}"#,
                "not known when rewriteResponse is done (response.body)"
            ),
            (
                #"{"do": "block", "when": "!(process == curl) & pid > 1"}"#,
                "what is not known when block is done (process, pid)"
            ),
            (#"{"do": "block", "when": "marked"}"#, "nothing is what the filter asks for (marked)"),
            (
                #"{"do": "block", "when": "path startswith /a"}, {"do": "mock", "when": "path == /a/b"}"#,
                "answers first"
            ),
            (#"{"do": "mock", "file": "missing"}"#, "there is no file missing"),
            (#"{"do": "mock", "file": "secret"}"#, "may not read the file secret"),
            (#"{"do": "replay", "file": "secret"}"#, "may not read the capture secret"),
            (#"{"do": "mock", "file": "pipe"}"#, "pipe is no file, but a pipe"),
            (#"{"do": "mock", "file": "large"}"#, "large is larger than 64 MiB"),
            (#"{"do": "mapLocal", "folder": "file"}"#, "there is no folder file: it is a file"),
            (#"{"do": "mapLocal", "folder": "missing"}"#, "there is no folder missing"),
            (#"{"do": "mapLocal", "file": "folder"}"#, "there is no file folder: it is a folder"),
            (#"{"do": "rewriteResponse"}"#, "nothing that it changes"),
            (#"{"do": "throttle"}"#, "nothing that it changes"),
            (
                #"{"do": "throttle", "preset": "3G", "when": "host == a"}, {"do": "throttle", "preset": "DSL"}"#,
                "overrules rules[0]"
            ),
            (
                #"{"do": "block", "when": "host == b | host == a"}, {"do": "mock", "when": "host == b"}"#,
                "answers first"
            ),
            (
                #"{"do": "rewriteResponse", "status": 201, "when": "status > 400 & status < 300"}"#,
                "never act"
            ),
            (#"{"do": "block", "when": "port == 80 & port == 81"}"#, "never act"),
            (
                #"{"do": "setAuthentication", "bearer": "a", "when": "~m get"}, {"do": "removeAuthentication"}"#,
                "overrules rules[0]"
            ),
            (
                #"{"do": "removeAuthentication"}, {"do": "setAuthentication", "bearer": "a"}"#,
                "overrules rules[0]"
            ),
            (
                #"{"do": "delay", "seconds": 1, "name": "a"}, {"do": "noCaching", "name": "a"}"#,
                "rules[0] has the same name"
            ),
        ]
    )
    func remarks(json: String, expected: String) throws {
        let set = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        let kinds: [String: RuleSet.PathKind] = [
            "file": .file, "folder": .folder, "pipe": .special, "large": .large, "secret": .unreadable,
        ]
        let remarks = set.remarks(in: RuleSurroundings { kinds[$0] ?? .missing })
        #expect(remarks.count == 1)
        #expect(remarks.first?.description.contains(expected) == true, "\(remarks)")
    }

    @Test("accepts rules that can act")
    func fine() throws {
        let json = #"""
            [{"do": "block", "when": "host == a"}, {"do": "block", "when": "host == b | status == 404"},
             {"do": "redirect", "to": "/$1", "find": "(b)"}, {"do": "mapLocal", "folder": "folder"},
             {"do": "delay", "seconds": 1, "enabled": false}]
            """#
        let set = try RuleSet(JSONValue(parsing: Array(json.utf8)), path: "rules")
        #expect(set.remarks(in: RuleSurroundings { _ in .folder }) == [])
    }

    @Test("accepts rules that only seem unable to act")
    func fineTogether() throws {
        let json = #"""
            [{"do": "setAuthentication", "bearer": "a"}, {"do": "removeAuthentication", "when": "~m get"},
             {"do": "rewriteResponse", "status": 201, "when": "status > 400 & status < 402"},
             {"name": "a", "do": "noCaching", "enabled": false}, {"name": "a", "do": "noCaching"},
             {"do": "block", "when": "host == a", "chance": 0.1, "seed": 1},
             {"do": "block", "when": "host == a", "chance": 0.1, "seed": 1}, {"do": "mock", "when": "host == a"},
             {"do": "throttle", "preset": "3G"}, {"do": "throttle", "preset": "DSL", "chance": 0.5}]
            """#
        let set = try RuleSet(JSONValue(parsing: Array(json.utf8)), path: "rules")
        #expect(set.remarks(in: RuleSurroundings { _ in .missing }) == [])
    }
}
