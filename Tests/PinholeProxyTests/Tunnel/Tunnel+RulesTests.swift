import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// What rules do with exchanges of HTTP/1, as the machine sees it.
@Suite("Tunnel, with rules")
struct TunnelRulesTests {
    private func tunnel(_ json: String) throws -> Playbook<Tunnel> {
        let rules = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        return try Plays.tunnel { $0.rules = RuleBook(rules) }
    }

    private func begun(_ json: String, _ head: RequestHead) throws -> Playbook<Tunnel> {
        var playbook = try tunnel(json)
        playbook.play(.feed(.request(head)), .record, .beginning, .arm(.idle))
        return playbook
    }

    @Test("forwards the very head that came where no rule means it")
    func unmatched() throws {
        let head = try Plays.absolute()
        var playbook = try begun(#"{"do": "block", "when": "host == b.test"}"#, head)
        playbook.play(
            .expect(.dial(Plays.plainTarget)),
            .feed(.dialed(Plays.dialed())),
            .timings,
            .arm(.idle),
            .expect(.forwardRequest(head, target: "/x"))
        )
        playbook.finish()
    }

    @Test("answers in the server's place, and awaits the next request")
    func answers() throws {
        var playbook = try begun(#"{"do": "mock", "status": 201, "body": "tea"}"#, try Plays.absolute())
        playbook.play(
            .rules(["mock"]),
            .answer(201, closing: false),
            .answered,
            .arm(.idle),
            .expect(.discardRequest),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test("closes, or resets, without an answer", arguments: ["close", "reset"])
    func cuts(how: String) throws {
        var playbook = try begun(#"{"do": "block", "with": "\#(how)"}"#, try Plays.absolute())
        playbook.play(.rules(["block"]), .answered)
        if how == "close" {
            playbook.play(.expect(.closeServer), .arm(.idle), .closeClient)
        } else {
            playbook.play(.expect(.resetClient), .ended(.completed), .expect(.abort))
        }
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
            .arm(.idle),
            .expect(.dial(DialTarget(authority: authority, serverName: name, mayReuse: true))),
            .feed(.dialed(Plays.dialed())),
            .timings,
            .expect(.secureServer(name)),
            .arm(.handshake(.server)),
            .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
            .timings,
            .arm(.idle),
            .expect(where: "a request to b.test") {
                guard case .forwardRequest(let head, nil) = $0 else { return false }
                return head.target == .origin("/y/x") && head.fields.all("host") == ["b.test"]
                    && head.fields.first("x") == "y"
            }
        )
        playbook.finish()
    }

    @Test("judges the certificate of the other server")
    func elsewhereRefused() throws {
        var playbook = try begun(#"{"do": "mapRemote", "to": "https://b.test"}"#, try Plays.absolute())
        playbook.play(
            .rules(["mapRemote"]),
            .arm(.idle),
            .expect(where: "a dial") { if case .dial = $0 { true } else { false } },
            .feed(.dialed(Plays.dialed())),
            .timings,
            .expect(where: "a handshake") { if case .secureServer = $0 { true } else { false } },
            .arm(.handshake(.server)),
            .feed(.serverHandshake(Plays.handshake(.server), Plays.refused)),
            .timings
        )
        playbook.playRefusal(502, saying: "led there")
        playbook.finish()
    }

    @Test("holds an exchange until the answer is there, and ignores one to another question")
    func held() throws {
        let head = try Plays.absolute()
        var playbook = try begun(#"{"do": "delay", "seconds": 5}"#, head)
        playbook.play(
            .rules(["delay"]),
            .arm(.idle),
            .expect(.consult(1, .wait(.seconds(5)))),
            .feed(.decided(2, .proceed)),
            .feed(.decided(1, .proceed)),
            .arm(.idle),
            .expect(.dial(Plays.plainTarget)),
            .feed(.decided(1, .proceed))
        )
        playbook.finish()
    }

    @Test("ends a held exchange when the client goes away")
    func heldAndGone() throws {
        var playbook = try begun(#"{"do": "mapLocal", "folder": "/www"}"#, try Plays.absolute())
        playbook.play(
            .rules(["mapLocal"]),
            .arm(.idle),
            .expect(where: "a question") { if case .consult(1, .local) = $0 { true } else { false } },
            .feed(.closed(.client, .reset("gone"))),
            .aborted(.client),
            .ended(.aborted, .client),
            .expect(.abort),
            .feed(.decided(1, .proceed))
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
            .expect(.consult(1, .wait(.seconds(5)))),
            .feed(.requestEnded),
            .feed(.closed(.client, .orderly)),
            .aborted(.client),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        playbook.finish()
        var stopped = try begun(delay, try Plays.absolute())
        stopped.play(
            .rules(["delay"]),
            .arm(.idle),
            .expect(.consult(1, .wait(.seconds(5)))),
            .feed(.drain),
            .expect(.endExchange(.failed("the proxy was stopped"))),
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
                .arm(.idle),
                .expect(.dial(Plays.plainTarget)),
                .feed(.dialed(Plays.dialed())),
                .timings,
                .arm(.idle),
                .expect(where: "the path \(path ?? "as it came")") {
                    guard case .forwardRequest(let sent, _) = $0 else { return false }
                    return path.map { sent.target == .origin($0) } ?? (sent.rawTarget == head.rawTarget)
                }
            )
            playbook.finish()
        }
    }

    @Test("keeps the status of a switch of protocols, and says so")
    func switched() throws {
        let head = try Plays.absolute(fields: "Upgrade: x\r\nConnection: upgrade\r\n")
        var playbook = try begun(#"{"do": "rewriteResponse", "status": 200, "set": ["X-B: 1"]}"#, head)
        playbook.play(
            .expect(.dial(Plays.plainTarget)),
            .feed(.dialed(Plays.dialed())),
            .timings,
            .arm(.idle),
            .expect(.forwardRequest(head, target: "/x")),
            .feed(.requestEnded),
            .feed(
                .response(
                    try Plays.response("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
                )
            ),
            .expect(where: "a note that the status stays") {
                guard case .noteRules(let hits) = $0 else { return false }
                return hits.map(\.effect) == ["changed x-b; the status of a protocol switch stays"]
            },
            .expect(where: "a response 101 with another field") {
                guard case .forwardResponse(let head, _) = $0 else { return false }
                return head.status == 101 && head.fields.first("x-b") == "1"
            },
            .expect(.note(.upgraded)),
            .record,
            .expect(.relay),
            .arm(.idle)
        )
        playbook.finish()
    }

    @Test("changes the response that its filter means, and lets the others be")
    func response() throws {
        let head = try Plays.absolute()
        var playbook = try begun(#"{"do": "rewriteResponse", "when": "~c 200", "status": 203}"#, head)
        playbook.play(
            .expect(.dial(Plays.plainTarget)),
            .feed(.dialed(Plays.dialed())),
            .timings,
            .arm(.idle),
            .expect(.forwardRequest(head, target: "/x")),
            .feed(.requestEnded),
            .feed(.response(try Plays.ok)),
            .rules(["rewriteResponse"]),
            .expect(where: "a response 203, recorded as 200") {
                guard case .forwardResponse(let head, _) = $0 else { return false }
                return head.status == 203 && head.receivedStatus == 200 && head.framing == .length(2)
            }
        )
        playbook.finish()
    }
}

extension Playbook.Step where Machine == Tunnel {
    /// Rules of these kinds are noted.
    fileprivate static func rules(
        _ kinds: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(where: "a note of \(kinds)", sourceLocation: sourceLocation) {
            if case .noteRules(let hits) = $0 { hits.map(\.kind) == kinds } else { false }
        }
    }
}
