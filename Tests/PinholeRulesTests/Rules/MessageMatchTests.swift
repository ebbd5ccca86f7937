import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("MessageMatch")
struct MessageMatchTests {
    private func rules(_ json: String) throws -> MessageRules {
        MessageRules(try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules").rules)
    }

    private func outcome(
        _ json: String,
        _ text: String,
        from sender: Side = .client,
        _ kind: WebSocketMessage.Kind = .text
    ) throws -> MessageRules.Outcome {
        try rules(json).outcome(of: kind, from: sender, Array(text.utf8))
    }

    @Test("means messages by direction, kind and content")
    func means() throws {
        let drop = #"{"do": "dropMessage", "from": "server", "find": "b+"}"#
        #expect(try outcome(drop, "abba", from: .server).content == nil)
        #expect(try outcome(drop, "abba").content == Array("abba".utf8))
        #expect(try outcome(drop, "none", from: .server).content != nil)
        #expect(try outcome(drop, "abba", from: .server, .ping).content != nil)
        #expect(try outcome(#"{"do": "dropMessage", "type": "pong"}"#, "", .pong).content == nil)
    }

    @Test("judges every rule by the sent message; the first drop ends the list")
    func order() throws {
        let outcome = try outcome(
            #"""
            {"do": "rewriteMessage", "find": "a", "with": "b"}, {"do": "rewriteMessage", "find": "b", "with": "c"},
            {"do": "injectMessage", "to": "client", "text": "own", "after": {"find": "a"}},
            {"do": "dropMessage", "find": "b"}
            """#,
            "a"
        )
        #expect(outcome.content == Array("c".utf8) && outcome.rules == ["rule 1", "rule 2"])
        #expect(outcome.own.map(\.rule) == ["rule 3"])
    }

    @Test("draws anew for each message that a rule matches")
    func chance() throws {
        let rules = try rules(#"{"do": "dropMessage", "find": "a", "chance": 0.5, "seed": 5}"#)
        let chance = Chance(odds: 0.5, seed: 5)
        for number in 0..<200 {
            // Other messages take no draw.
            let isMatch = !number.isMultiple(of: 3)
            let outcome = rules.outcome(of: .text, from: .client, Array((isMatch ? "a" : "b").utf8))
            #expect((outcome.content == nil) == (isMatch && chance.draw()), "message \(number)")
        }
    }

    @Test("opens with messages that wait for none")
    func openings() throws {
        let rules = try rules(
            #"""
            {"do": "injectMessage", "to": "server", "text": "hi"},
            {"do": "injectMessage", "to": "server", "text": "later", "after": {}}
            """#
        )
        #expect(rules.openings.map(\.content) == [.text("hi")])
    }

    @Test(
        "refuses empty and contradictory rules",
        arguments: [
            (#"{"do": "rewriteMessage"}"#, "either with, text or base64, found none"),
            (#"{"do": "rewriteMessage", "with": "x"}"#, "find beside with"),
            (#"{"do": "rewriteMessage", "with": "x", "text": "y", "find": "z"}"#, "found several"),
            (#"{"do": "rewriteMessage", "type": "ping", "text": "y"}"#, "control frames are not rewritten"),
            (#"{"do": "injectMessage", "text": "y"}"#, "the key “to”"),
            (#"{"do": "injectMessage", "to": "server"}"#, "text or base64, found none"),
            (#"{"do": "injectMessage", "to": "all", "text": "y"}"#, "“client” or “server”"),
            (#"{"do": "injectMessage", "to": "server", "base64": "*"}"#, "bytes in Base64"),
            (#"{"do": "dropMessage", "type": "close"}"#, "“text”, “binary”, “ping” or “pong”"),
        ]
    )
    func refused(json: String, expected: String) {
        #expect {
            _ = try rules(json)
        } throws: {
            "\($0)".contains(expected)
        }
    }
}
