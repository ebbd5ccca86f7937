import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Requests and responses, as the machine sees them.
@Suite("Exchange")
struct ExchangeTests {
    @Test("forwards, ends, and awaits the next request")
    func keepAlive() throws {
        let head = try Plays.get()
        let response = try Plays.ok
        var playbook = try Plays.forwarded(head)
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: false)),
            .feed(.responseEnded),
            .expect(.endExchange(.completed)),
            .arm(.rest),
            .expect(.awaitRequest),
            .feed(.request(head)),
            .beginning,
            .arm(.idle),
            .expect(.note(.connectionReused)),
            .arm(.idle),
            .expect(.forwardRequest(head, target: nil))
        )
        playbook.finish()
    }

    @Test("dials again when the server closed between two requests")
    func redial() throws {
        let head = try Plays.get()
        var playbook = try Plays.resecuring(for: head)
        playbook.play(
            .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
            .timings,
            .arm(.idle),
            .expect(.forwardRequest(head, target: nil))
        )
        playbook.finish()
    }

    @Test("is marked where many wait for its server, and answered where it comes back")
    func circle() throws {
        let head = try Plays.absolute()
        var crowded = Plays.dialed()
        crowded.isCrowded = true
        var playbook = try Plays.dialingPlain(head)
        var machine = playbook.machine
        var waits = machine.waits(for: Plays.plainTarget.authority)
        #expect(waits)
        playbook.play(
            .feed(.dialed(crowded)),
            .timings,
            .expect(.note(.viaAdded)),
            .arm(.idle),
            .expect(where: "the request, marked") {
                guard case .forwardRequest(let sent, target: "/x") = $0 else { return false }
                return sent.fields.first("via") == "1.1 pinhole" && sent.fields.count == head.fields.count + 1
            }
        )
        playbook.finish()
        var back = try Plays.tunnel()
        back.play(
            .feed(.request(try Plays.absolute(fields: "Via: 1.1 pinhole\r\n"))),
            .record,
            .beginning,
            .arm(.idle),
            .answer(508, closing: false),
            .answered,
            .arm(.idle),
            .expect(.discardRequest),
            .expect(.awaitRequest)
        )
        back.finish()
        machine = back.machine
        waits = machine.waits(for: Plays.plainTarget.authority)
        #expect(!waits)
    }

    @Test("gives the page when the chain of a second connection is not accepted")
    func redialRefused() throws {
        var playbook = try Plays.resecuring(for: try Plays.get())
        playbook.play(
            .feed(
                .serverHandshake(
                    Plays.handshake(
                        .server,
                        failure: HandshakeFailure(
                            .serverCertificateRefused,
                            isHint: false,
                            endedBy: nil,
                            detail: ""
                        )
                    ),
                    Plays.refused
                )
            ),
            .expect(.closeServer),
            .timings
        )
        playbook.playRefusal(502)
        playbook.finish()
    }

    @Test(
        "repeats only what may be repeated, once, and only on a used connection",
        arguments: ["GET", "POST", "PUT with a body"]
    )
    func retry(what: String) throws {
        let method = String(what.prefix { $0 != " " })
        let body = what == method ? "" : "Content-Length: 1\r\n"
        let head = try Plays.absolute(method, fields: body)
        var playbook = try Plays.dialingPlain(head)
        playbook.play(
            .feed(.dialed(Plays.pooled(nil))),
            .timings,
            .expect(.note(.connectionReused)),
            .arm(.idle),
            .expect(.forwardRequest(head, target: "/x")),
            .feed(.requestEnded),
            .feed(.closed(.server, .reset("x")))
        )
        guard method == "GET" else {
            playbook.play(
                .expect(.closeServer),
                .answer(502, closing: false),
                .answered,
                .arm(.idle),
                .expect(.awaitRequest)
            )
            return playbook.finish()
        }
        var fresh = Plays.plainTarget
        fresh.mayReuse = false
        playbook.play(
            .expect(.closeServer),
            .expect(.note(.retried)),
            .expect(.dial(fresh)),
            .feed(.dialed(Plays.dialed())),
            .timings,
            .arm(.idle),
            .expect(.forwardRequest(head, target: "/x")),
            .feed(.closed(.server, .orderly)),
            .expect(.closeServer),
            .answer(502, closing: false),
            .answered,
            .arm(.idle),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test(
        "lets the client finish a request that was answered early",
        arguments: [CloseKind.orderly, .reset("x")]
    )
    func earlyAnswer(kind: CloseKind) throws {
        let response = try Plays.ok
        var playbook = try Plays.forwarded(
            try Plays.request("POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9\r\n\r\n")
        )
        playbook.play(
            .feed(.response(response)),
            .expect(.note(.answeredEarly)),
            .expect(.forwardResponse(response, closing: false)),
            .feed(.responseEnded),
            .arm(.idle),
            .feed(.closed(.server, kind))
        )
        if kind != .orderly { playbook.play(.expect(.closeServer), .expect(.discardRequest)) }
        playbook.play(
            .feed(.requestEnded),
            .expect(.endExchange(.completed)),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test("throws away the rest of a request that its server has answered and does not read")
    func stalledRequest() throws {
        let response = try Plays.ok
        var playbook = try Plays.forwarded(
            try Plays.request("POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9\r\n\r\n")
        )
        playbook.play(
            .feed(.response(response)),
            .expect(.note(.answeredEarly)),
            .expect(.forwardResponse(response, closing: false)),
            .feed(.responseEnded),
            .expect(.arm(.idle, .seconds(5))),
            .feed(.requestStalled),
            .expect(.closeServer),
            .expect(.discardRequest),
            .expect(.arm(.idle, Limits().idleTimeout)),
            .feed(.requestEnded),
            .expect(.endExchange(.completed)),
            .expect(.closeServer),
            .arm(.idle),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test("gives a client that is slow with the rest the usual time")
    func slowRest() throws {
        let response = try Plays.ok
        var playbook = try Plays.forwarded(
            try Plays.request("POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 9\r\n\r\n")
        )
        playbook.play(
            .feed(.response(response)),
            .expect(.note(.answeredEarly)),
            .expect(.forwardResponse(response, closing: false)),
            .feed(.responseEnded),
            .expect(.arm(.idle, .seconds(5))),
            .feed(.expired(.idle)),
            .expect(.arm(.idle, Limits().idleTimeout)),
            .feed(.requestEnded),
            .expect(.endExchange(.completed)),
            .arm(.rest),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test("removes Alt-Svc and says so; refuses a switch that nobody asked for")
    func altSvcAndSwitch() throws {
        let response = try Plays.response(
            "HTTP/1.1 200 OK\r\nAlt-Svc: h3=\":443\"\r\nContent-Length: 0\r\n\r\n"
        )
        let cleaned = try #require(response.withoutAltSvc())
        var playbook = try Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.note(.altSvcRemoved)),
            .expect(.forwardResponse(cleaned, closing: false))
        )
        playbook.finish()
        var switched = try Plays.forwarded(try Plays.get())
        switched.play(
            .feed(.requestEnded),
            .feed(.response(try Plays.response("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"))),
            .expect(.closeServer),
            .answer(502, closing: false),
            .answered,
            .arm(.idle),
            .expect(.awaitRequest)
        )
        switched.finish()
    }

    @Test("becomes a relay when the switch was asked for")
    func upgrade() throws {
        let head = try Plays.get(fields: "Upgrade: x\r\nConnection: upgrade\r\n")
        let response = try Plays.response(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
        )
        var playbook = try Plays.forwarded(head)
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: false)),
            .expect(.note(.upgraded)),
            .record,
            .expect(.relay),
            .arm(.idle),
            .feed(.closed(.client, .orderly)),
            .expect(.closeHalf(toward: .server)),
            .feed(.closed(.server, .orderly)),
            .expect(.endExchange(.completed)),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        playbook.finish()
    }

    @Test(
        "keeps a connection for the client whom the server authenticates on it, and gives it to nobody else",
        arguments: ["NTLM", "Negotiate oYG2", "Basic realm=x, NTLM", "Basic realm=x"]
    )
    func boundConnection(challenge: String) throws {
        let response = try Plays.response(
            "HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n"
        )
        let isBound = challenge != "Basic realm=x"
        var playbook = try Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: false)),
            .feed(.responseEnded),
            .expect(.endExchange(.completed)),
            .arm(isBound ? .idle : .rest),
            .expect(.awaitRequest),
            .feed(.closed(.client, .orderly)),
            .expect(isBound ? .closeServer : .releaseServer),
            .closeClient,
            .record
        )
        playbook.finish()
    }

    @Test("binds a connection to the client that sends what authenticates it")
    func binding() throws {
        let response = try Plays.ok
        var playbook = try Plays.forwarded(try Plays.get(fields: "Authorization: Negotiate YII=\r\n"))
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: false)),
            .feed(.responseEnded),
            .expect(.endExchange(.completed)),
            .arm(.idle),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test("lends its connection to others while the client asks for nothing")
    func resting() throws {
        let response = try Plays.ok
        var playbook = try Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: false)),
            .feed(.responseEnded),
            .expect(.endExchange(.completed)),
            .arm(.rest),
            .expect(.awaitRequest),
            .feed(.expired(.rest)),
            .expect(.releaseServer),
            .arm(.idle),
            .feed(.request(try Plays.get("/2"))),
            .beginning,
            .arm(.idle),
            .expect(.dial(Plays.target))
        )
        playbook.finish()
    }

    @Test("answers a CONNECT inside a connection in use")
    func connectInside() throws {
        var playbook = try Plays.opened()
        playbook.play(
            .feed(.request(try Plays.connect())),
            .beginning,
            .arm(.idle),
            .answer(501, closing: false),
            .answered,
            .arm(.rest),
            .expect(.discardRequest),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test("closes after HTTP/1.0, after Connection: close, and when it drains", arguments: 0..<3)
    func closing(index: Int) throws {
        let head =
            switch index {
            case 0: try Plays.request("GET / HTTP/1.0\r\nHost: www.example.com\r\n\r\n")
            case 1: try Plays.get(fields: "Connection: close\r\n")
            default: try Plays.get()
            }
        let response = try Plays.ok
        var playbook = try Plays.forwarded(head)
        if index == 2 { playbook.play(.feed(.drain)) }
        playbook.play(
            .feed(.requestEnded),
            .feed(.response(response)),
            .expect(.forwardResponse(response, closing: true)),
            .feed(.responseEnded),
            .expect(.endExchange(.completed)),
            .expect(.releaseServer),
            .arm(.idle),
            .closeClient,
            .feed(.closed(.client, .orderly)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
    }
}
