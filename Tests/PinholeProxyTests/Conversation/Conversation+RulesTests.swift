import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Rules and exchanges, as the machine sees them: of clients of HTTP/1, and in streams of HTTP/2.
@Suite("Conversation, with rules")
struct ConversationRulesTests {
    private let one = ConversationPlays.lane(1)
    private let three = ConversationPlays.lane(3)
    private let lane = HTTP1Plays.lane
    private let dialed = HTTP1Plays.dialed

    private func begun(_ json: String, _ head: RequestHead) throws -> Playbook<Conversation> {
        let rules = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        var tunnel = try Plays.tunnel { $0.rules = RuleBook(rules) }
        tunnel.play(.feed(.request(head)), .record)
        var playbook = HTTP1Plays.conversation(after: tunnel, head)
        playbook.play(.beginning(lane), .arm(.idle))
        return playbook
    }

    /// An exchange of HTTP/2 has begun.
    private func begunStream(_ json: String) throws -> Playbook<Conversation> {
        let rules = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        var playbook = try ConversationPlays.toProxy { $0.rules = RuleBook(rules) }
        playbook.play(.feed(.request(one, try ConversationPlays.get("/x"))), .beginning(one))
        return playbook
    }

    /// The request is on its way to its server, which no rule changes.
    private func forwarded(_ json: String, _ head: RequestHead) throws -> Playbook<Conversation> {
        var playbook = try begun(json, head)
        playbook.play(.expect(.dial(dialed, Plays.plainTarget)))
        playbook.playDialed(forwarding: head)
        return playbook
    }

    @Test("forwards an unchanged head byte for byte")
    func unmatched() throws {
        let json = #"{"do": "block", "when": "host == b.test"}"#
        var playbook = try forwarded(json, try Plays.absolute())
        playbook.finish()
        var stream = try begunStream(json)
        stream.play(.expect(.dial(ConversationPlays.second, ConversationPlays.target)))
        stream.finish()
    }

    @Test("answers in the server's place, and takes the next request")
    func answers() throws {
        let head = try Plays.absolute()
        var playbook = try begun(#"{"do": "mock", "status": 201, "body": "tea"}"#, head)
        playbook.play(
            .rules(["mock"]),
            .answer(lane, 201),
            .answered(lane),
            .arm(.idle),
            .feed(.request(HTTP1Plays.next, head)),
            .beginning(HTTP1Plays.next),
            .arm(.idle),
            .rules(["mock"], HTTP1Plays.next),
            .answer(HTTP1Plays.next, 201),
            .answered(HTTP1Plays.next),
            .arm(.idle)
        )
        playbook.finish()
        var stream = try begunStream(#"{"do": "block", "with": 404}"#)
        stream.play(.rules(["block"], one), .answer(one, 404), .answered(one))
        stream.finish()
    }

    @Test("closes, or resets, without a response", arguments: ["close", "reset"])
    func cuts(how: String) throws {
        var playbook = try begun(#"{"do": "block", "with": "\#(how)"}"#, try Plays.absolute())
        playbook.play(.rules(["block"]))
        if how == "close" {
            playbook.play(.answered(lane), .arm(.idle), .expect(.closeClient))
        } else {
            playbook.play(
                .expect(.resetConnection),
                .answered(lane),
                .ended(.completed),
                .expect(.abort)
            )
        }
        playbook.finish()
    }

    @Test(
        "resets the stream alone",
        arguments: zip(["close", "reset"], [HTTP2ErrorCode.cancel, .internalError])
    )
    func cutsStream(how: String, code: HTTP2ErrorCode) throws {
        var playbook = try begunStream(#"{"do": "block", "with": "\#(how)"}"#)
        playbook.play(.rules(["block"], one), .expect(.reset(one, .client, code)), .answered(one))
        playbook.finish()
    }

    @Test("asks another server, which the request names")
    func elsewhere() throws {
        let authority = Authority(host: .name("b.test"), port: 443)
        let name = ServerName(authority: authority, host: authority.host, applicationProtocols: ["http/1.1"])
        var playbook = try begun(
            #"{"do": "mapRemote", "to": "https://b.test/y"}"#,
            try Plays.absolute(fields: "X: y\r\n")
        )
        playbook.play(
            .rules(["mapRemote"]),
            .expect(.dial(dialed, DialTarget(authority: authority, serverName: name, mayReuse: true))),
            .feed(.dialed(dialed, Plays.dialed())),
            .expect(.secure(dialed, name)),
            .armHandshake(dialed),
            .feed(.handshake(dialed, Plays.handshake(.server), Plays.trusted)),
            .expect(.open(dialed, isHTTP2: false)),
            .timings(lane),
            .arm(.idle),
            .expect(where: "a request to b.test") {
                guard case .forwardRequest(HTTP1Plays.lane, HTTP1Plays.dialed, let head) = $0 else {
                    return false
                }
                return head.target == .origin("/y/x") && head.fields.all("host") == ["b.test"]
                    && head.fields.first("x") == "y"
            }
        )
        playbook.finish()
    }

    @Test("asks another server, without TLS in HTTP/1.1, and names it")
    func elsewhereFromStream() throws {
        let authority = Authority(host: .name("b.test"), port: 3000)
        let target = Plays.plain(authority)
        var playbook = try begunStream(#"{"do": "mapRemote", "to": "http://b.test:3000/y"}"#)
        playbook.play(
            .rules(["mapRemote"], one),
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

    @Test("judges the certificate of the other server")
    func elsewhereRefused() throws {
        var playbook = try begun(#"{"do": "mapRemote", "to": "https://b.test"}"#, try Plays.absolute())
        playbook.play(
            .rules(["mapRemote"]),
            .expect(where: "a dial") { if case .driver(.dial) = $0 { true } else { false } },
            .feed(.dialed(dialed, Plays.dialed())),
            .expect(where: "a handshake") { if case .secure = $0 { true } else { false } },
            .armHandshake(dialed),
            .feed(.handshake(dialed, Plays.handshake(.server), Plays.refused)),
            .expect(.closeLink(dialed)),
            .timings(lane)
        )
        playbook.playRefusal(502, discards: false, saying: "led there")
        playbook.finish()
    }

    @Test("holds an exchange until the answer is there, and ignores an answer about another exchange")
    func held() throws {
        var playbook = try begun(#"{"do": "delay", "seconds": 5}"#, try Plays.absolute())
        playbook.play(
            .rules(["delay"]),
            .arm(.idle),
            .expect(.consult(lane, .wait(.seconds(5)))),
            .feed(.decided(HTTP1Plays.next, .proceed)),
            .feed(.decided(lane, .proceed)),
            .arm(.idle),
            .expect(.dial(dialed, Plays.plainTarget)),
            .feed(.decided(lane, .proceed))
        )
        playbook.finish()
    }

    @Test("holds one exchange, and lets others pass")
    func heldStream() throws {
        var playbook = try begunStream(#"{"do": "delay", "seconds": 5, "when": "path == /x"}"#)
        playbook.play(
            .rules(["delay"], one),
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

    @Test("ends a held exchange when the client goes away")
    func heldAndGone() throws {
        var playbook = try begun(#"{"do": "mapLocal", "folder": "/www"}"#, try Plays.absolute())
        playbook.play(
            .rules(["mapLocal"]),
            .arm(.idle),
            .expect(where: "a question") {
                if case .driver(.consult(HTTP1Plays.lane, .local)) = $0 { true } else { false }
            },
            .feed(.clientClosed(.reset("gone"), sentData: true)),
            .aborted(lane, by: .client),
            .ended(.aborted, .client),
            .expect(.abort),
            .feed(.decided(lane, .proceed))
        )
        playbook.finish()
    }

    @Test("sends nothing of a request that waits when its client closes, or the proxy stops")
    func heldAndClosed() throws {
        let delay = #"{"do": "delay", "seconds": 5}"#
        var playbook = try begun(delay, try Plays.absolute())
        playbook.play(
            .rules(["delay"]),
            .arm(.idle),
            .expect(.consult(lane, .wait(.seconds(5)))),
            .feed(.clientClosed(.orderly, sentData: true)),
            .aborted(lane, by: .client),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        playbook.finish()
        var stopped = try begun(delay, try Plays.absolute())
        stopped.play(
            .rules(["delay"]),
            .arm(.idle),
            .expect(.consult(lane, .wait(.seconds(5)))),
            .feed(.drain),
            .expect(.endExchange(lane, .failed("the proxy was stopped"))),
            .ended(.stopped),
            .expect(.abort)
        )
        stopped.finish()
    }

    @Test("keeps every byte of a path: as it came where no rule changes it, else percent-encoded")
    func bytes() throws {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        let line = Array("GET http://a.test/".utf8) + [0xff] + Array(" HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)
        var input = ByteQueue(line)
        guard case .request(let head)? = try reader.next(&input) else { throw Plays.Missing() }
        for (keys, path) in [("\"set\": [\"X: y\"]", nil), ("\"setQuery\": [\"a=1\"]", "/%FF?a=1")] {
            var playbook = try begun("{\"do\": \"rewriteRequest\", \(keys)}", head)
            playbook.play(
                .rules(["rewriteRequest"]),
                .expect(.dial(dialed, Plays.plainTarget)),
                .feed(.dialed(dialed, Plays.dialed())),
                .expect(.open(dialed, isHTTP2: false)),
                .timings(lane),
                .arm(.idle),
                .expect(where: "the path \(path ?? "as it came")") {
                    guard case .forwardRequest(_, _, let sent) = $0 else { return false }
                    return path.map { sent.target == .origin($0) } ?? (sent.rawTarget == head.rawTarget)
                }
            )
            playbook.finish()
        }
    }

    @Test("a rule cannot change the status 101, and the exchange notes that")
    func switched() throws {
        let head = try Plays.absolute(fields: "Upgrade: x\r\nConnection: upgrade\r\n")
        let response = try Plays.response(
            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
        )
        var playbook = try forwarded(
            #"{"do": "rewriteResponse", "status": 200, "set": ["X-B: 1"]}"#,
            head
        )
        playbook.play(
            .feed(.response(lane, response)),
            .expect(where: "a note that the status stays") {
                guard case .noteRules(_, let hits) = $0 else { return false }
                return hits.map(\.effect) == ["changed x-b; the status of a protocol switch stays"]
            },
            .expect(where: "a response 101 with another field") {
                guard case .forwardResponse(_, let head) = $0 else { return false }
                return head.status == 101 && head.fields.first("x-b") == "1"
            },
            .expect(.note(lane, .upgraded)),
            .record,
            .expect(.relay(lane)),
            .arm(.idle)
        )
        playbook.finish()
    }

    @Test("changes the response that its filter means, and lets the others be")
    func response() throws {
        let json = #"{"do": "rewriteResponse", "when": "~c 200", "status": 203}"#
        var playbook = try forwarded(json, try Plays.absolute())
        playbook.play(
            .feed(.response(lane, try Plays.ok)),
            .rules(["rewriteResponse"]),
            .expect(where: "a response 203, recorded as 200") {
                guard case .forwardResponse(_, let head) = $0 else { return false }
                return head.status == 203 && head.receivedStatus == 200 && head.framing == .length(2)
            }
        )
        playbook.finish()
        let other = try Plays.response("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
        var untouched = try forwarded(json, try Plays.absolute())
        untouched.play(.feed(.response(lane, other)), .expect(.forwardResponse(lane, other)))
        untouched.finish()
    }
}
