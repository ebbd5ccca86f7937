import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// What rules do with exchanges of HTTP/2, as the machine sees it.
@Suite("Conversation, with rules")
struct ConversationRulesTests {
    private let one = ConversationPlays.lane(1)
    private let three = ConversationPlays.lane(3)

    private func begun(_ json: String) throws -> Playbook<Conversation> {
        let rules = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        var playbook = try ConversationPlays.toProxy { $0.rules = RuleBook(rules) }
        playbook.play(
            .feed(.request(one, try ConversationPlays.get("/x"))),
            .beginning(one)
        )
        return playbook
    }

    @Test("a request without a matching rule goes to the server")
    func unmatched() throws {
        var playbook = try begun(#"{"do": "block", "when": "host == b.test"}"#)
        playbook.play(.expect(.dial(ConversationPlays.second, ConversationPlays.target)))
        playbook.finish()
    }

    @Test("answers in the server's place")
    func answers() throws {
        var playbook = try begun(#"{"do": "block", "with": 404}"#)
        playbook.play(.rules(one, ["block"]), .answer(one, 404), .answered(one))
        playbook.finish()
    }

    @Test(
        "resets the stream alone",
        arguments: zip(["close", "reset"], [HTTP2ErrorCode.cancel, .internalError])
    )
    func cuts(how: String, code: HTTP2ErrorCode) throws {
        var playbook = try begun(#"{"do": "block", "with": "\#(how)"}"#)
        playbook.play(.rules(one, ["block"]), .expect(.reset(one, .client, code)), .answered(one))
        playbook.finish()
    }

    @Test("asks another server, without TLS in HTTP/1.1, and names it")
    func elsewhere() throws {
        let authority = Authority(host: .name("b.test"), port: 3000)
        let target = Plays.plain(authority)
        var playbook = try begun(#"{"do": "mapRemote", "to": "http://b.test:3000/y"}"#)
        playbook.play(
            .rules(one, ["mapRemote"]),
            .expect(.dial(ConversationPlays.second, target)),
            .feed(.dialed(ConversationPlays.second, Plays.dialed())),
            .expect(.open(ConversationPlays.second, isHTTP2: false)),
            .timings(one),
            .expect(where: "a request to b.test") {
                guard case .forwardRequest(_, _, let head) = $0 else { return false }
                return head.rawTarget == "/y/x" && head.authority(for: .https) == authority
                    && head.scheme == .http
            }
        )
        playbook.finish()
    }

    @Test("holds one exchange, and lets others pass")
    func held() throws {
        var playbook = try begun(#"{"do": "delay", "seconds": 5, "when": "path == /x"}"#)
        playbook.play(
            .rules(one, ["delay"]),
            .idle,
            .expect(.consult(one, .wait(.seconds(5)))),
            .feed(.request(three, try ConversationPlays.get("/y"))),
            .beginning(three),
            .expect(.dial(ConversationPlays.second, ConversationPlays.target)),
            .feed(.decided(three, .proceed)),
            .feed(.reset(one, .client, .cancel, "no")),
            .aborted(one, by: .client),
            .feed(.decided(one, .proceed))
        )
        playbook.finish()
    }
}

extension Playbook.Step where Machine == Conversation {
    /// Rules of these kinds are noted.
    fileprivate static func rules(
        _ lane: Lane,
        _ kinds: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(where: "a note of \(kinds)", sourceLocation: sourceLocation) {
            if case .noteRules(lane, let hits) = $0 { hits.map(\.kind) == kinds } else { false }
        }
    }
}
