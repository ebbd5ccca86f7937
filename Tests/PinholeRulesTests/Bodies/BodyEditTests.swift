import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("BodyEdit")
struct BodyEditTests {
    private func edit(_ json: String) throws -> BodyEdit {
        let rules = try RuleSet(
            JSONValue(parsing: Array(#"[{"do": "rewriteResponse", \#(json)}]"#.utf8)),
            path: "rules"
        )
        guard case .rewriteResponse(let edit)? = rules.rules.first?.action else { throw Missing() }
        return edit.body
    }

    private struct Missing: Error {}

    private func applied(
        _ json: String,
        _ body: String,
        _ type: String? = "application/json"
    ) throws -> String {
        let outcome = try edit(json).applied(to: Array(body.utf8), type: type)
        return outcome.body.map { String(decoding: $0, as: UTF8.self) } ?? outcome.effect
    }

    @Test("does its steps in their order, not in the order of its keys")
    func steps() throws {
        #expect(
            try applied(
                #""setJSON": [{"at": "/b", "value": {"c": [1, null]}}], "removeJSON": ["/a"], "replaceBody": [{"find": "(\\w+)@(\\w+)", "with": "$2 at $1"}]"#,
                #"{"a":1,"b":2,"m":"x@y"}"#
            ) == #"{"b":{"c":[1,null]},"m":"y at x"}"#
        )
    }

    @Test("replaces all of it")
    func whole() throws {
        #expect(try applied(#""body": "tea\n""#, "coffee", "image/png") == "tea\n")
        #expect(try applied(#""body": "tea""#, "tea") == "nothing to change in the body")
        let file = try edit(#""file": "a.txt""#)
        #expect(file.applied(to: Array("read".utf8), type: nil).body == Array("read".utf8))
        #expect(try applied(#""body": "{}", "setJSON": [{"at": "/a", "value": 1}]"#, "x") == #"{"a":1}"#)
    }

    @Test("does the possible steps, and names the failed one")
    func partly() throws {
        let edit = try edit(#""body": "tea", "setJSON": [{"at": "/a", "value": 1}]"#)
        let outcome = edit.applied(to: Array("coffee".utf8), type: "text/plain")
        #expect(outcome.body == Array("tea".utf8))
        #expect(outcome.effect.hasPrefix("changed the body to 3 bytes; not applied: "), "\(outcome.effect)")
    }

    @Test("says why it did nothing")
    func obstacles() throws {
        #expect(
            try applied(#""replaceBody": [{"find": "a", "with": "b"}]"#, "a", "image/png")
                == "not applied: image/png is not a text"
        )
        #expect(try applied(#""removeJSON": ["/a"]"#, "{}") == "nothing to change in the body")
        #expect(
            try applied(#""setJSON": [{"at": "/a/b", "value": 1}]"#, "{}")
                == "not applied: the body has no place for /a/b"
        )
        #expect(
            try applied(#""removeJSON": ["/a"]"#, "{").hasPrefix("not applied: the body is not valid JSON: ")
        )
    }

    @Test(
        "names the key that is wrong",
        arguments: [
            (#""body": "a", "file": "b""#, "rules[0]: expected body or file, found both"),
            (#""removeJSON": ["a"]"#, "rules[0].removeJSON[0]: expected a JSON pointer"),
            (#""setJSON": [{"at": "/a"}]"#, "rules[0].setJSON[0]: expected the key “value”"),
            (#""setJSON": [{"at": "/~", "value": 1}]"#, "rules[0].setJSON[0].at: expected a JSON pointer"),
            (#""replaceBody": [{"find": "(", "with": ""}]"#, "rules[0].replaceBody[0]"),
        ]
    )
    func refused(json: String, message: String) {
        #expect {
            try edit(json)
        } throws: { error in
            "\(error)".hasPrefix(message)
        }
    }

    @Test("gives a rule a task, and no other effect where the head stays")
    func tasks() throws {
        let set = try RuleSet(
            JSONValue(
                parsing: Array(
                    #"""
                    [{"name": "a", "do": "rewriteRequest", "body": "x"},
                     {"name": "b", "do": "rewriteRequest", "body": "y", "set": ["X: y"]},
                     {"name": "c", "do": "rewriteResponse", "removeJSON": ["/a"]}]
                    """#.utf8
                )
            ),
            path: "rules"
        )
        let book = RuleBook(set)
        let request = RuleRequest(
            scheme: .https,
            authority: Authority(host: .name("a.test"), port: 443),
            method: "POST",
            path: "/",
            fields: HeaderFields()
        )
        let plan = try #require(book.plan(request, flow: { nil }))
        #expect(plan.hits.map(\.rule) == ["b"])
        #expect(plan.tasks.map(\.rule) == ["a", "b"])
        #expect(plan.tasks.first?.hit("done") == RuleHit(rule: "a", kind: "rewriteRequest", effect: "done"))
        let response = RuleResponse(status: 200, fields: HeaderFields())
        let other = try #require(book.plan(response, to: request, flow: { nil }))
        #expect(other.hits.isEmpty && !other.isChanged && other.tasks.map(\.rule) == ["c"])
        let resolved = RuleSet([
            Rule(name: "f", action: .rewriteResponse(try fileEdit("a.txt")))
        ]).resolvingPaths { "/base/\($0)" }
        guard case .rewriteResponse(let edit)? = resolved.rules.first?.action else { throw Missing() }
        #expect(edit.body.content == .file("/base/a.txt"))
        #expect(
            resolved.remarks(in: RuleSurroundings { _ in .missing }).map(\.text) == [
                "there is no file /base/a.txt"
            ]
        )
    }

    private func fileEdit(_ file: String) throws -> ResponseEdit {
        var made = ResponseEdit()
        made.body.content = .file(file)
        return made
    }
}
