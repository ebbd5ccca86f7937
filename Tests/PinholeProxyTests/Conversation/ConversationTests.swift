import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Exchanges at one time, as the machine sees them.
@Suite("Conversation")
struct ConversationTests {
    private let one = ConversationPlays.lane(1)
    private let three = ConversationPlays.lane(3)
    private let five = ConversationPlays.lane(5)

    @Test("sends two exchanges over one connection, and lets them end in any order")
    func interleaved() throws {
        let head = try ConversationPlays.get("/", "POST")
        let response = try ConversationPlays.response()
        let long = try ConversationPlays.response(hasBody: true)
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, try ConversationPlays.get())
        playbook.play(
            .feed(.request(three, head)),
            .beginning(three),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, head)),
            .feed(.response(three, response)),
            .expect(.note(three, .answeredEarly)),
            .expect(.forwardResponse(three, response)),
            .feed(.responseEnded(three)),
            .feed(.requestEnded(three)),
            .expect(.endExchange(three, .completed)),
            .feed(.response(one, long)),
            .expect(.forwardResponse(one, long)),
            .feed(.responseEnded(one)),
            .expect(.endExchange(one, .completed))
        )
        playbook.finish()
    }

    @Test("ends one exchange on request, and the others go on")
    func byUser() throws {
        let head = try ConversationPlays.get()
        let response = try ConversationPlays.response()
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, head)
        playbook.play(
            .feed(.request(three, head)),
            .beginning(three),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, head)),
            .feed(.endedByUser(one)),
            .expect(.cancel(one)),
            .expect(.endExchange(one, .abortedByUser)),
            .feed(.endedByUser(one)),
            .feed(.response(three, response)),
            .expect(.forwardResponse(three, response)),
            .feed(.responseEnded(three)),
            .expect(.endExchange(three, .completed))
        )
        playbook.finish()
    }

    @Test("ends a connection on request, with all of its exchanges")
    func connectionByUser() throws {
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, try ConversationPlays.get())
        playbook.play(
            .feed(.endedByUser(nil)),
            .expect(.endExchange(one, .abortedByUser)),
            .expect(.closeLink(ConversationPlays.first)),
            .ended(.aborted),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("marks a request for which too many wait, and answers a request that comes back")
    func circle() throws {
        let head = try ConversationPlays.get()
        var fields = head.fields
        fields.append("via", "1.1 pinhole")
        let marked = try RequestHead(stream: fields, endsStream: true)
        var busy = Plays.dialed()
        busy.hasManyRequests = true
        var seed = try ConversationPlays.seed()
        seed.opening = busy
        var commands: [ConversationCommand] = []
        var machine = Conversation(seed)
        machine.begin(into: &commands)
        var playbook = Playbook(machine)
        playbook.play(
            .feed(.request(one, head)),
            .beginning(one),
            .timings(one),
            .expect(.note(one, .viaAdded)),
            .expect(.forwardRequest(one, ConversationPlays.first, marked)),
            .feed(.request(three, marked)),
            .beginning(three),
            .answer(three, 508),
            .answered(three)
        )
        playbook.finish()
        machine = playbook.machine
        let waits = machine.waits(for: Plays.authority)
        #expect(waits)
    }

    @Test("holds bytes back above the server's window, and sends them when it opens")
    func capacity() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened()
        playbook.play(
            .feed(.capacity(ConversationPlays.first, 1)),
            .feed(.request(one, head)),
            .beginning(one),
            .timings(one),
            .expect(.forwardRequest(one, ConversationPlays.first, head)),
            .feed(.request(three, head)),
            .beginning(three),
            .feed(.reset(one, .client, .cancel, "no")),
            .expect(.reset(one, .server, .cancel)),
            .aborted(one, by: .client),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, head))
        )
        playbook.finish()
    }

    @Test("makes more connections to a server of HTTP/1, one for each exchange at one time")
    func http1Links() throws {
        let head = try ConversationPlays.get()
        let response = try ConversationPlays.response()
        var playbook = try ConversationPlays.opened(server: "http/1.1")
        playbook.asks(one, head)
        playbook.play(
            .feed(.request(three, head)),
            .beginning(three),
            .expect(.dial(ConversationPlays.second, ConversationPlays.target)),
            .feed(.dialed(ConversationPlays.second, Plays.dialed())),
            .expect(.secure(ConversationPlays.second, ConversationPlays.name)),
            .expect(.armHandshake(ConversationPlays.second, Limits().handshakeTimeout)),
            // The first connection is free before the second one is ready.
            .feed(.response(one, response)),
            .expect(.forwardResponse(one, response)),
            .feed(.responseEnded(one)),
            .expect(.endExchange(one, .completed)),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, head)),
            .feed(
                .handshake(ConversationPlays.second, ConversationPlays.handshake("http/1.1"), Plays.trusted)
            ),
            .expect(.open(ConversationPlays.second, isHTTP2: false)),
            .feed(.request(five, head)),
            .beginning(five),
            .timings(five),
            .expect(.forwardRequest(five, ConversationPlays.second, head))
        )
        playbook.finish()
    }

    @Test("sends a refused request again, on a new connection after GOAWAY")
    func refusedAndGone() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, head)
        playbook.play(
            .feed(.linkDraining(ConversationPlays.first)),
            .feed(.refused(one)),
            .expect(.note(one, .retried)),
            .expect(.dial(ConversationPlays.second, ConversationPlays.target)),
            .feed(.dialed(ConversationPlays.second, Plays.dialed())),
            .expect(.secure(ConversationPlays.second, ConversationPlays.name)),
            .expect(.armHandshake(ConversationPlays.second, Limits().handshakeTimeout)),
            .feed(.handshake(ConversationPlays.second, ConversationPlays.handshake("h2"), Plays.trusted)),
            .expect(.open(ConversationPlays.second, isHTTP2: true)),
            .timings(one),
            .expect(.forwardRequest(one, ConversationPlays.second, head))
        )
        playbook.finish()
    }

    @Test("forwards REFUSED_STREAM for a request with a body, which cannot be sent again")
    func refusedWithBody() throws {
        let head = try ConversationPlays.get("/", "POST")
        var playbook = try ConversationPlays.opened()
        playbook.play(
            .feed(.request(one, head)),
            .beginning(one),
            .timings(one),
            .expect(.forwardRequest(one, ConversationPlays.first, head)),
            .feed(.refused(one)),
            .expect(.reset(one, .client, .refusedStream)),
            .aborted(one, by: .server)
        )
        playbook.finish()
    }

    @Test("passes on a server's reset; that it wants no more after its response is no failure")
    func serverResets() throws {
        let head = try ConversationPlays.get("/", "POST")
        let response = try ConversationPlays.response()
        var playbook = try ConversationPlays.opened()
        playbook.play(
            .feed(.request(one, head)),
            .beginning(one),
            .timings(one),
            .expect(.forwardRequest(one, ConversationPlays.first, head)),
            .feed(.reset(one, .server, .enhanceYourCalm, "no")),
            .expect(.reset(one, .client, .enhanceYourCalm)),
            .aborted(one, by: .server),
            .feed(.request(three, head)),
            .beginning(three),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, head)),
            .feed(.response(three, response)),
            .expect(.note(three, .answeredEarly)),
            .expect(.forwardResponse(three, response)),
            .feed(.responseEnded(three)),
            .feed(.requestUnwanted(three)),
            .expect(.discardRequest(three, isStopped: true)),
            .expect(.endExchange(three, .completed))
        )
        playbook.finish()
    }

    @Test("answers the exchanges of a broken connection, and repeats safe requests")
    func linkBreaks() throws {
        let get = try ConversationPlays.get()
        let post = try ConversationPlays.get("/", "POST")
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, get)
        playbook.play(
            .feed(.request(three, post)),
            .beginning(three),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, post)),
            .feed(.linkClosed(ConversationPlays.first, .truncated)),
            .expect(.closeLink(ConversationPlays.first)),
            .expect(.note(one, .retried)),
            .expect(.dial(ConversationPlays.second, ConversationPlays.target)),
            .answer(three, 502),
            .expect(.discardRequest(three, isStopped: false)),
            .answered(three),
            .feed(.dialFailed(ConversationPlays.second, DialFailure(.refused, "nobody listens"), [])),
            .answer(one, 502),
            .answered(one)
        )
        playbook.finish()
    }

    @Test("resets open streams when the connection breaks")
    func linkBreaksLate() throws {
        let get = try ConversationPlays.get()
        let response = try ConversationPlays.response(hasBody: true)
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, get)
        playbook.play(
            .feed(.response(one, response)),
            .expect(.forwardResponse(one, response)),
            .feed(.linkClosed(ConversationPlays.first, .reset("broken"))),
            .expect(.closeLink(ConversationPlays.first)),
            .expect(.reset(one, .client, .internalError)),
            .aborted(one, by: .server)
        )
        playbook.finish()
    }

    @Test("gives the page instead of asking a server whose chain was refused")
    func fault() throws {
        var machine = Conversation(try ConversationPlays.seed(chain: Plays.refused))
        var commands: [ConversationCommand] = []
        machine.begin(into: &commands)
        var playbook = Playbook(machine)
        playbook.play(
            .feed(.request(one, try ConversationPlays.get())),
            .beginning(one),
            .answer(one, 502),
            .answered(one)
        )
        playbook.finish()
    }

    @Test("resets a malformed request alone, and has it in the record")
    func malformed() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened()
        playbook.play(
            .feed(.requestRefused(one, RequestHead(refused: HeaderFields(), assuming: .https), "no")),
            .beginning(one),
            .expect(.reset(one, .client, .protocolError)),
            .expect(.endExchange(one, .aborted(by: .client, "no"))),
            .feed(.request(three, head)),
            .beginning(three),
            .timings(three),
            .expect(.forwardRequest(three, ConversationPlays.first, head))
        )
        #expect(playbook.machine.flow.exchanges == 2)
        playbook.finish()
    }

    @Test(
        "notes an error of a server that asked for a client certificate and got none",
        arguments: ["200", "400", "403", "404"],
        [true, false]
    )
    func certificateMissing(status: String, asks: Bool) throws {
        let response = try ConversationPlays.response(status)
        var playbook = try ConversationPlays.opened(asksForCertificate: asks)
        playbook.asks(one, try ConversationPlays.get())
        playbook.play(.feed(.response(one, response)))
        if asks, ["400", "403"].contains(status) {
            playbook.play(.expect(.note(one, .clientCertificateMissing)))
        }
        playbook.play(.expect(.forwardResponse(one, response)))
        playbook.finish()
    }

    @Test("says that a server wants a client certificate that refuses its lack after the handshake")
    func certificateRefused() throws {
        var playbook = try ConversationPlays.opened(asksForCertificate: true)
        playbook.asks(one, try ConversationPlays.get())
        playbook.play(
            .feed(.linkClosed(ConversationPlays.first, .alert(Alert(code: 116)))),
            .expect(.closeLink(ConversationPlays.first)),
            .expect(where: "the page") {
                guard case .answer(one, let answer) = $0 else { return false }
                let text = String(decoding: answer.body, as: UTF8.self)
                return answer.status == 502 && text.contains("--client-certificate www.example.com=FILE")
            },
            .answered(one)
        )
        #expect(playbook.machine.flow.serverHandshake?.failure?.cause == .clientCertificateRequired)
        playbook.finish()
    }

    @Test("drains: open streams end, new ones are refused")
    func drains() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, head)
        playbook.play(
            .feed(.drain),
            .expect(.announceEnd),
            .feed(.request(three, head)),
            .beginning(three),
            .expect(.reset(three, .client, .refusedStream)),
            .expect(.endExchange(three, .failed("the proxy was being stopped"))),
            .feed(.response(one, try ConversationPlays.response())),
            .expect(where: "the response") { if case .forwardResponse = $0 { true } else { false } },
            .feed(.responseEnded(one)),
            .expect(.endExchange(one, .completed)),
            .expect(.closeLink(ConversationPlays.first)),
            .idle,
            .expect(.closeClient),
            .feed(.clientClosed(.orderly, sentData: true)),
            .expect(.closeClient),
            .ended(.completed)
        )
        playbook.finish()
    }

    @Test("ends everything when the client goes away")
    func clientGone() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened()
        playbook.asks(one, head)
        playbook.play(
            .feed(.clientClosed(.truncated, sentData: true)),
            .aborted(one, by: .client),
            .expect(.closeLink(ConversationPlays.first)),
            .ended(.aborted, .client),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("reports a probable pin if a client sends nothing after the handshake")
    func silentRejection() throws {
        var playbook = try ConversationPlays.opened()
        playbook.play(
            .feed(.clientClosed(.orderly, sentData: false)),
            .expect(.closeLink(ConversationPlays.first)),
            .expect(.closeClient),
            .ended(.handshakeFailed, .client)
        )
        playbook.finish()
    }
}
