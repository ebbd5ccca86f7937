import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// CONNECT, until it is answered.
@Suite("Connect")
struct ConnectTests {
    @Test("dials first and answers only then")
    func opens() throws {
        var playbook = try Plays.opened()
        playbook.finish()
    }

    @Test(
        "says why there is no connection",
        arguments: [
            (DialFailure.Kind.unresolvable, 502), (.refused, 502), (.unreachable, 502), (.timedOut, 504),
            (.loop, 508), (.hopLoop, 508),
        ]
    )
    func dialFails(kind: DialFailure.Kind, status: Int) throws {
        var playbook = try Plays.dialing()
        playbook.play(
            .feed(.dialFailed(DialFailure(kind, "it failed"), [])),
            .answer(status),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.closed(.client, .orderly)),
            .ended(.dialFailed, .server),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test(
        "names --offline where a rule may answer for a server that cannot be reached",
        arguments: [("host == www.example.com", true), ("path == /x", true), ("host == example.net", false)]
    )
    func mayBeAnswered(filter: String, isNamed: Bool) throws {
        let document = #"[{"when": "\#(filter)", "do": "mock"}, {"do": "delay", "seconds": 1}]"#
        let rules = try RuleSet(JSONValue(parsing: Array(document.utf8)), path: "rules")
        var playbook = try Plays.dialing { $0.rules = RuleBook(rules) }
        let advice = isNamed ? ". With --offline (upstream.offline), rules answer without the server." : ""
        playbook.play(
            .feed(.dialFailed(DialFailure(.unresolvable, "it failed"), [])),
            .answer(502),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.closed(.client, .orderly)),
            .record(where: "the reason") { $0.outcome?.detail == "it failed\(advice)" },
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("names earlier proxies to the next proxy, and refuses a request that came through this proxy")
    func via() throws {
        let line = "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\nVia: 1.1 a\r\n"
        var playbook = try Plays.tunnel()
        var target = Plays.guessedTarget
        target.via = "1.1 a, 1.1 pinhole"
        playbook.play(
            .feed(.request(try Plays.request("\(line)\r\n"))),
            .record,
            .arm(.idle),
            .expect(.dial(target))
        )
        playbook.finish()
        var back = try Plays.tunnel()
        back.play(
            .feed(.request(try Plays.request("\(line)Via: 1.1 pinhole, 1.1 b\r\n\r\n"))),
            .record(where: "a refusal") { $0.outcome?.kind == .refused },
            .answer(508),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        back.finish()
    }

    @Test("asks for a password, and accepts the right one")
    func credentials() throws {
        var playbook = try Plays.tunnel { $0.access.credentials = "a:b" }
        playbook.play(
            .feed(.request(try Plays.connect())),
            .record(where: "a refusal") {
                $0.outcome?.kind == .refused && $0.authority == "www.example.com:443"
            },
            .expect(where: "a challenge") {
                guard case .answer(let answer) = $0 else { return false }
                return answer.status == 407 && answer.fields.contains { $0.name == "Proxy-Authenticate" }
            },
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        playbook.finish()
        var second = try Plays.tunnel { $0.access.credentials = "a:b" }
        let head = try Plays.request(
            "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\nProxy-Authorization: Basic YTpi\r\n\r\n"
        )
        second.play(
            .feed(.request(head)),
            .record,
            .arm(.idle),
            .expect(.dial(Plays.guessedTarget(of: "a")))
        )
        second.finish()
    }

    @Test("refuses addresses that are not on the list, for CONNECT and for plain requests")
    func addresses() throws {
        for head in [try Plays.connect(), try Plays.absolute()] {
            var playbook = try Plays.tunnel { $0.access.clients = [try AddressRange("192.0.2.0/24")] }
            playbook.play(
                .feed(.request(head)),
                .record,
                .answer(403),
                .expect(.closeServer),
                .arm(.idle),
                .closeClient
            )
            playbook.finish()
        }
    }

    @Test("passes through hosts that the CA may not sign for")
    func notPermitted() throws {
        var playbook = try Plays.tunnel { $0.interception.permitted = { _ in false } }
        playbook.play(
            .feed(.request(try Plays.connect())),
            .record(where: "a pass") {
                $0.treatment == .passedThrough && $0.reason?.contains("permittedDomains") == true
            },
            .arm(.idle),
            .expect(.dial(DialTarget(authority: Plays.authority, serverName: nil, mayReuse: false)))
        )
        playbook.finish()
    }

    @Test("does not time a dial by the head's deadline")
    func headDeadline() throws {
        var playbook = try Plays.dialing()
        playbook.play(.feed(.expired(.idle)), .ended(.timedOut), .expect(.abort))
        playbook.finish()
    }

    @Test("answers 408 when no head comes, and closes quietly when the client goes")
    func noHead() throws {
        var playbook = try Plays.tunnel()
        playbook.play(
            .feed(.requestBegan),
            .feed(.expired(.head)),
            .answer(408),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.expired(.idle)),
            .ended(.timedOut, .client),
            .expect(.abort)
        )
        playbook.finish()
        for (begins, words) in [(false, "without a request"), (true, "inside its first request")] {
            var quiet = try Plays.tunnel()
            if begins { quiet.play(.feed(.requestBegan)) }
            quiet.play(
                .feed(.closed(.client, .orderly)),
                .record(where: words) { $0.outcome?.detail.contains(words) == true },
                .expect(.abort)
            )
            quiet.finish()
        }
    }

    @Test("drops everything when the client goes while the server is dialed, and ignores the late answer")
    func clientGoes() throws {
        var playbook = try Plays.dialing()
        playbook.play(
            .feed(.closed(.client, .reset("x"))),
            .expect(.releaseServer),
            .ended(.aborted, .client),
            .expect(.abort),
            .feed(.dialed(Plays.dialed())),
            .feed(.dialFailed(DialFailure(.refused, ""), [])),
            .feed(.stop)
        )
        playbook.finish()
    }
}
