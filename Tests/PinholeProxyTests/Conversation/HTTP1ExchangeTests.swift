import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Requests and responses of clients of HTTP/1, as the machine sees them.
@Suite("Conversation, exchanges of HTTP/1")
struct HTTP1ExchangeTests {
    private let lane = HTTP1Plays.lane
    private let next = HTTP1Plays.next
    private let first = HTTP1Plays.first
    private let dialed = HTTP1Plays.dialed
    private let again = LinkID(rawValue: 2)

    @Test("forwards, ends, and takes the next request")
    func keepAlive() throws {
        let head = try Plays.get()
        var playbook = try HTTP1Plays.rested()
        playbook.play(
            .feed(.request(next, head)),
            .beginning(next),
            .arm(.idle),
            .expect(.note(next, .connectionReused)),
            .arm(.idle),
            .forward(head, next)
        )
        playbook.finish()
    }

    @Test("dials again when the server closed between two requests", arguments: [true, false])
    func redial(isFirst: Bool) throws {
        let head = try Plays.get()
        let exchange = isFirst ? lane : next
        var playbook: Playbook<Conversation>
        if isFirst {
            playbook = try HTTP1Plays.resecuring(for: head)
        } else {
            playbook = try HTTP1Plays.rested()
            playbook.play(
                .feed(.linkClosed(first, .orderly)),
                .expect(.closeLink(first)),
                .feed(.request(next, head)),
                .beginning(next),
                .arm(.idle),
                .expect(.dial(dialed, HTTP1Plays.target)),
                .feed(.dialed(dialed, Plays.dialed())),
                .expect(.secure(dialed, Plays.name)),
                .armHandshake(dialed)
            )
        }
        playbook.play(
            .feed(.handshake(dialed, Plays.handshake(.server), Plays.trusted)),
            .expect(.open(dialed, isHTTP2: false)),
            .timings(exchange),
            .arm(.idle),
            .forward(head, exchange, on: dialed)
        )
        playbook.finish()
    }

    @Test("is marked where many wait for its server, and answered where it comes back")
    func circle() throws {
        let head = try Plays.absolute()
        var busy = Plays.dialed()
        busy.hasManyRequests = true
        var playbook = try HTTP1Plays.dialingPlain(head)
        var machine = playbook.machine
        var waits = machine.waits(for: Plays.plainTarget.authority)
        #expect(waits)
        playbook.play(
            .feed(.dialed(dialed, busy)),
            .expect(.open(dialed, isHTTP2: false)),
            .timings(lane),
            .expect(.note(lane, .viaAdded)),
            .arm(.idle),
            .expect(where: "the request, marked") {
                guard case .forwardRequest(HTTP1Plays.lane, HTTP1Plays.dialed, let sent) = $0 else {
                    return false
                }
                return sent.fields.first("via") == "1.1 pinhole" && sent.fields.count == head.fields.count + 1
            }
        )
        playbook.finish()
        let returned = try Plays.absolute(fields: "Via: 1.1 pinhole\r\n")
        var tunnel = try Plays.tunnel()
        tunnel.play(.feed(.request(returned)), .record)
        var back = HTTP1Plays.conversation(after: tunnel, returned)
        back.play(.beginning(lane), .arm(.idle), .answer(lane, 508), .answered(lane), .arm(.idle))
        machine = back.machine
        waits = machine.waits(for: Plays.plainTarget.authority)
        #expect(!waits)
        back.finish()
    }

    @Test("gives the page when the chain of a second connection is not accepted")
    func redialRefused() throws {
        let failure = HandshakeFailure(.serverCertificateRefused, isHint: false, endedBy: nil, detail: "")
        var playbook = try HTTP1Plays.resecuring(for: try Plays.get())
        playbook.play(
            .feed(.handshake(dialed, Plays.handshake(.server, failure: failure), Plays.refused)),
            .expect(.closeLink(dialed)),
            .timings(lane)
        )
        playbook.playRefusal(502, discards: false)
        playbook.finish()
    }

    @Test(
        "repeats only safe requests, once, and only after a reused connection",
        arguments: ["GET", "POST", "PUT with a body"]
    )
    func retry(what: String) throws {
        let method = String(what.prefix { $0 != " " })
        let hasBody = what != method
        let head = try Plays.absolute(method, fields: hasBody ? "Content-Length: 1\r\n" : "")
        var playbook = try HTTP1Plays.dialingPlain(head)
        playbook.play(
            .feed(.dialed(dialed, Plays.pooled(nil))),
            .expect(.open(dialed, isHTTP2: false)),
            .expect(.note(lane, .connectionReused)),
            .arm(.idle),
            .forward(head, on: dialed)
        )
        if hasBody { playbook.play(.feed(.requestEnded(lane))) }
        playbook.play(.feed(.linkClosed(dialed, .reset("x"))), .expect(.closeLink(dialed)))
        guard method == "GET" else {
            playbook.play(.answer(lane, 502), .answered(lane), .arm(.idle))
            return playbook.finish()
        }
        var fresh = Plays.plainTarget
        fresh.mayReuse = false
        playbook.play(.expect(.note(lane, .retried)), .expect(.dial(again, fresh)))
        playbook.playDialed(again, forwarding: head)
        playbook.play(
            .feed(.linkClosed(again, .orderly)),
            .expect(.closeLink(again)),
            .answer(lane, 502),
            .answered(lane),
            .arm(.idle)
        )
        playbook.finish()
    }

    @Test("repeats nothing of which an answer has come")
    func answeredInPart() throws {
        let (head, response) = (try Plays.absolute(), try Plays.ok)
        var playbook = try HTTP1Plays.dialingPlain(head)
        playbook.play(
            .feed(.dialed(dialed, Plays.pooled(nil))),
            .expect(.open(dialed, isHTTP2: false)),
            .expect(.note(lane, .connectionReused)),
            .arm(.idle),
            .forward(head, on: dialed),
            .feed(.response(lane, response)),
            .expect(.forwardResponse(lane, response)),
            .feed(.linkClosed(dialed, .reset("x"))),
            .expect(.closeLink(dialed)),
            .expect(.reset(lane, .client, .internalError)),
            .aborted(lane, by: .server),
            .arm(.idle)
        )
        playbook.finish()
    }

    @Test(
        "lets the client finish a request that was answered early",
        arguments: [CloseKind.orderly, .reset("x")]
    )
    func earlyAnswer(kind: CloseKind) throws {
        let response = try Plays.ok
        var playbook = try HTTP1Plays.uploading()
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.note(lane, .answeredEarly)),
            .expect(.forwardResponse(lane, response)),
            .feed(.responseEnded(lane)),
            .arm(.idle),
            .feed(.linkClosed(first, kind))
        )
        if kind != .orderly {
            playbook.play(
                .expect(.closeLink(first)),
                .expect(.discardRequest(lane, isStopped: false)),
                .arm(.idle)
            )
        }
        playbook.play(.feed(.requestEnded(lane)), .expect(.endExchange(lane, .completed)))
        if kind == .orderly { playbook.play(.expect(.closeLink(first))) }
        playbook.play(.arm(.idle))
        let head = try Plays.get()
        playbook.play(
            .feed(.request(next, head)),
            .beginning(next),
            .arm(.idle),
            .expect(.dial(dialed, HTTP1Plays.target))
        )
        playbook.finish()
    }

    @Test("throws away the rest of a request that its server has answered and does not read")
    func stalledRequest() throws {
        let response = try Plays.ok
        var playbook = try HTTP1Plays.uploading()
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.note(lane, .answeredEarly)),
            .expect(.forwardResponse(lane, response)),
            .feed(.responseEnded(lane)),
            .expect(.arm(.idle, .seconds(5))),
            .feed(.requestStalled(lane)),
            .expect(.closeLink(first)),
            .expect(.discardRequest(lane, isStopped: false)),
            .expect(.arm(.idle, Limits().idleTimeout)),
            .feed(.requestEnded(lane)),
            .expect(.endExchange(lane, .completed)),
            .arm(.idle)
        )
        playbook.finish()
    }

    @Test("gives a client that is slow with the rest the usual time")
    func slowRest() throws {
        let response = try Plays.ok
        var playbook = try HTTP1Plays.uploading()
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.note(lane, .answeredEarly)),
            .expect(.forwardResponse(lane, response)),
            .feed(.responseEnded(lane)),
            .expect(.arm(.idle, .seconds(5))),
            .feed(.expired(.idle)),
            .expect(.arm(.idle, Limits().idleTimeout)),
            .feed(.requestEnded(lane)),
            .expect(.endExchange(lane, .completed)),
            .arm(.rest)
        )
        playbook.finish()
    }

    @Test("completes an early answer of a server that resets, although the client sends no rest")
    func restNeverComes() throws {
        let response = try Plays.ok
        var playbook = try HTTP1Plays.uploading()
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.note(lane, .answeredEarly)),
            .expect(.forwardResponse(lane, response)),
            .feed(.responseEnded(lane)),
            .expect(.arm(.idle, .seconds(5))),
            .feed(.linkClosed(first, .reset("x"))),
            .expect(.closeLink(first)),
            .expect(.discardRequest(lane, isStopped: false)),
            .expect(.arm(.idle, Limits().idleTimeout)),
            .feed(.expired(.idle)),
            .expect(.endExchange(lane, .completed)),
            .expect(.arm(.idle, Tunnel.linger)),
            .expect(.closeClient),
            .feed(.expired(.idle)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("removes Alt-Svc with a note, and refuses a 101 without Upgrade")
    func altSvcAndSwitch() throws {
        let response = try Plays.response(
            "HTTP/1.1 200 OK\r\nAlt-Svc: h3=\":443\"\r\nContent-Length: 0\r\n\r\n"
        )
        let cleaned = try #require(response.withoutAltSvc())
        var playbook = try HTTP1Plays.forwarded(try Plays.get())
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.note(lane, .altSvcRemoved)),
            .expect(.forwardResponse(lane, cleaned))
        )
        playbook.finish()
        let unasked = try Plays.response("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
        var switched = try HTTP1Plays.forwarded(try Plays.get())
        switched.play(
            .feed(.response(lane, unasked)),
            .answer(lane, 502),
            .answered(lane),
            .expect(.closeLink(first)),
            .arm(.idle)
        )
        switched.finish()
    }

    @Test("becomes a relay when the switch was asked for")
    func upgrade() throws {
        let head = try Plays.get(fields: "Upgrade: x\r\nConnection: upgrade\r\n")
        let response = try Plays.response(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
        )
        var playbook = try HTTP1Plays.forwarded(head)
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.forwardResponse(lane, response)),
            .expect(.note(lane, .upgraded)),
            .record,
            .expect(.relay(lane)),
            .arm(.idle),
            .feed(.clientClosed(.orderly, sentData: true)),
            .expect(.closeHalf(lane, toward: .server)),
            .feed(.linkClosed(first, .orderly)),
            .expect(.endExchange(lane, .completed)),
            .expect(.closeLink(first)),
            .arm(.idle),
            .expect(.closeClient)
        )
        playbook.finish()
    }

    @Test(
        "keeps a connection that authenticates its client for this client only",
        arguments: ["NTLM", "Negotiate oYG2", "Basic realm=x, NTLM", "Basic realm=x"]
    )
    func boundConnection(challenge: String) throws {
        let response = try Plays.response(
            "HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n"
        )
        let isBound = challenge != "Basic realm=x"
        var playbook = try HTTP1Plays.forwarded(try Plays.get())
        playbook.play(.feed(.response(lane, response)), .expect(.forwardResponse(lane, response)))
        playbook.playEnd(keeping: isBound ? .idle : .rest)
        playbook.play(.feed(.clientClosed(.orderly, sentData: true)))
        if isBound {
            playbook.play(.arm(.idle), .expect(.closeLink(first)))
        } else {
            playbook.play(.expect(.releaseLink(first)), .arm(.idle))
        }
        playbook.play(.expect(.closeClient), .record)
        playbook.finish()
    }

    @Test("binds a connection to the client that authenticated it (NTLM)")
    func binding() throws {
        let response = try Plays.ok
        var playbook = try HTTP1Plays.forwarded(try Plays.get(fields: "Authorization: Negotiate YII=\r\n"))
        playbook.play(.feed(.response(lane, response)), .expect(.forwardResponse(lane, response)))
        playbook.playEnd(keeping: .idle)
        let head = try Plays.get("/2")
        playbook.play(
            .feed(.request(next, head)),
            .beginning(next),
            .arm(.idle),
            .expect(.note(next, .connectionReused)),
            .arm(.idle),
            .forward(head, next)
        )
        playbook.finish()
    }

    @Test("lends its connection to others while the client asks for nothing")
    func resting() throws {
        var playbook = try HTTP1Plays.rested()
        playbook.play(
            .feed(.expired(.rest)),
            .expect(.releaseLink(first)),
            .arm(.idle),
            .feed(.request(next, try Plays.get("/2"))),
            .beginning(next),
            .arm(.idle),
            .expect(.dial(dialed, HTTP1Plays.target))
        )
        playbook.finish()
    }

    @Test("answers a CONNECT inside a connection in use")
    func connectInside() throws {
        var playbook = try HTTP1Plays.opened(try Plays.connect())
        playbook.play(.beginning(lane), .arm(.idle), .answer(lane, 501), .answered(lane), .arm(.rest))
        playbook.finish()
    }

    @Test("answers a CONNECT after a request to the proxy itself")
    func connectAfterRequest() throws {
        let (head, response) = (try Plays.absolute(), try Plays.ok)
        var playbook = try HTTP1Plays.dialingPlain(head)
        playbook.playDialed(forwarding: head)
        playbook.play(.feed(.response(lane, response)), .expect(.forwardResponse(lane, response)))
        playbook.playEnd()
        playbook.play(
            .feed(.request(next, try Plays.connect())),
            .beginning(next),
            .arm(.idle),
            .answer(next, 501),
            .answered(next),
            .arm(.rest)
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
        let isDraining = index == 2
        var playbook = try HTTP1Plays.forwarded(head)
        if isDraining { playbook.play(.feed(.drain), .expect(.closeAfter(lane))) }
        playbook.play(
            .feed(.response(lane, response)),
            .expect(.forwardResponse(lane, response)),
            .feed(.responseEnded(lane)),
            .expect(.endExchange(lane, .completed))
        )
        // The stack knows that the connection of a client of HTTP/1.0 or with Connection: close ends here.
        if !isDraining { playbook.play(.arm(.rest), .feed(.clientFinished)) }
        playbook.play(
            .expect(.releaseLink(first)),
            .arm(.idle),
            .expect(.closeClient),
            .feed(.clientFinished),
            .feed(.clientClosed(.orderly, sentData: true)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
    }
}
