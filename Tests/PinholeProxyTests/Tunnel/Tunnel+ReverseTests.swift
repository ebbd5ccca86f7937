import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

/// Listeners that stand before one server.
@Suite("Tunnel, before a server")
struct TunnelReverseTests {
    private func tunnel(
        _ origin: String,
        keepsHost: Bool = false,
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var policy = try Tunnels.world.policy()
        try change(&policy)
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1_000_000_000),
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        flow.listenerKind = .reverse
        return Playbook(
            Tunnel(
                policy: Shared(policy),
                flow: flow,
                clientAddress: try #require(IPAddress("127.0.0.1")),
                mode: .reverse(try ReverseOrigin(origin, keepsHost: keepsHost))
            )
        )
    }

    @Test("requests go to the server, which they name", arguments: [false, true])
    func forwards(keepsHost: Bool) throws {
        let head = try Plays.get("/a?b")
        let (lane, link) = (HTTP1Plays.lane, HTTP1Plays.dialed)
        let authority = Authority(host: .name("origin.test"), port: 81)
        var playbook = try tunnel("http://origin.test:81", keepsHost: keepsHost)
        playbook.play(
            .feed(.request(head)),
            .record(where: "the server") {
                $0.authority == "origin.test:81"
                    && $0.reason == "the listener stands before http://origin.test:81"
            }
        )
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        conversation.play(
            .expect(where: "an exchange with the server") {
                guard case .beginExchange(lane, let head, .http, authority, "/a?b", nil) = $0 else {
                    return false
                }
                return head.fields.first("host") == "www.example.com"
            },
            .arm(.idle),
            .expect(.dial(link, Plays.plain(authority))),
            .feed(.dialed(link, Plays.dialed())),
            .expect(.open(link, isHTTP2: false)),
            .timings(lane),
            .arm(.idle),
            .expect(where: "the request, naming its server") {
                guard case .forwardRequest(lane, link, let head) = $0 else { return false }
                return head.fields.all("host") == [keepsHost ? "www.example.com" : "origin.test:81"]
                    && head.rawTarget == "/a?b"
            }
        )
        conversation.finish()
    }

    @Test("with TLS the client gets a leaf for the requested name, and for the server")
    func leaf() throws {
        var playbook = try tunnel("https://origin.test")
        playbook.play(
            .feed(.clientHello(Plays.hello("front.test", ["h2"]))),
            .arm(.handshake(.client)),
            .expect(where: "a leaf for both names") {
                guard case .driver(.mint(let request)) = $0 else { return false }
                return request.names.map(\.description) == ["front.test", "origin.test"]
            },
            .feed(.minted),
            .expect(.secureClient(scope: "https://origin.test front.test", applicationProtocol: "h2"))
        )
        playbook.finish()
    }

    @Test("a reverse listener refuses CONNECT")
    func connect() throws {
        let head = try Plays.connect()
        let lane = HTTP1Plays.lane
        var playbook = try tunnel("https://origin.test")
        playbook.play(.feed(.request(head)), .record)
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        conversation.play(.beginning(lane), .arm(.idle), .answer(lane, 405), .answered(lane), .arm(.idle))
        conversation.finish()
    }

    @Test("the address of the client counts, and no password")
    func access() throws {
        var playbook = try tunnel("http://origin.test") {
            $0.access = AccessRules(clients: [try AddressRange("10.0.0.0/8")], credentials: "a:b")
        }
        playbook.play(
            .feed(.request(try Plays.get())),
            .record,
            .answer(403),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        playbook.finish()
    }

    // MARK: Servers of HTTP/2 alone

    private static let upload = "POST /u HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\n"
    private static let chunked = "PUT /u HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let origin = Authority(host: .name("origin.test"), port: 443)

    private let lane = HTTP1Plays.lane
    private let dialed = HTTP1Plays.dialed
    private let again = LinkID(rawValue: 2)

    /// The conversation that begins with `head`, before `origin`.
    private func conversation(
        before origin: String,
        _ head: RequestHead,
        expectsHTTP2: Bool = false
    ) throws -> Playbook<Conversation> {
        var opening = try tunnel(origin)
        opening.play(.feed(.request(head)), .record)
        var playbook = HTTP1Plays.conversation(after: opening, head) { $0.expectsHTTP2 = expectsHTTP2 }
        playbook.play(.beginning(lane), .arm(.idle))
        return playbook
    }

    /// A request whose server's handshake goes on.
    private func securing(_ head: RequestHead, expectsHTTP2: Bool = false) throws -> Playbook<Conversation> {
        var playbook = try conversation(before: "https://origin.test", head, expectsHTTP2: expectsHTTP2)
        playbook.play(dials(dialed))
        playbook.play(.feed(.dialed(dialed, Plays.dialed())))
        playbook.play(secures(dialed, expectsHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]))
        playbook.play(.armHandshake(dialed))
        return playbook
    }

    private func dials(_ link: LinkID) -> Playbook<Conversation>.Step {
        .expect(where: "a connection \(link.rawValue) to the server") {
            guard case .driver(.dial(link, let target)) = $0 else { return false }
            return target.authority.host == Self.origin.host
        }
    }

    private func secures(_ link: LinkID, _ protocols: [String]) -> Playbook<Conversation>.Step {
        .expect(where: "a handshake for \(protocols)") {
            guard case .secure(link, let name) = $0 else { return false }
            return name.applicationProtocols == protocols && name.authority == Self.origin
        }
    }

    /// The request goes out in HTTP/2, and names its server.
    private func asked(on link: LinkID, _ method: String) -> Playbook<Conversation>.Step {
        .expect(where: "the request in HTTP/2") {
            guard case .forwardRequest(HTTP1Plays.lane, link, let head) = $0 else { return false }
            return head.version == .http2 && head.method == method
                && head.authority(for: .https)?.host == Self.origin.host
        }
    }

    /// A new connection to the server is made by TLS, agrees to HTTP/2, and takes the request.
    private func playAgain(_ playbook: inout Playbook<Conversation>, _ method: String) {
        var handshake = Plays.handshake(.server)
        handshake.applicationProtocol = "h2"
        playbook.play(dials(again))
        playbook.play(.feed(.dialed(again, Plays.dialed())))
        playbook.play(secures(again, ["h2", "http/1.1"]))
        playbook.play(
            .armHandshake(again),
            .feed(.handshake(again, handshake, Plays.trusted)),
            .expect(.open(again, isHTTP2: true)),
            .timings(lane),
            .arm(.idle)
        )
        playbook.play(asked(on: again, method))
    }

    @Test("a server that is expected to speak HTTP/2 is asked so from the start")
    func expected() throws {
        var playbook = try conversation(
            before: "h2c://origin.test",
            try Plays.request(Self.upload),
            expectsHTTP2: true
        )
        playbook.play(dials(dialed))
        playbook.play(
            .feed(.dialed(dialed, Plays.dialed())),
            .expect(.open(dialed, isHTTP2: true)),
            .timings(lane),
            .arm(.idle)
        )
        playbook.play(asked(on: dialed, "POST"))
        playbook.finish()
        var secured = try securing(try Plays.request(Self.upload), expectsHTTP2: true)
        var handshake = Plays.handshake(.server)
        handshake.applicationProtocol = "h2"
        secured.play(
            .feed(.handshake(dialed, handshake, Plays.trusted)),
            .expect(.open(dialed, isHTTP2: true)),
            .timings(lane),
            .arm(.idle)
        )
        secured.play(asked(on: dialed, "POST"))
        secured.finish()
    }

    @Test("a server that takes no HTTP/1.1 is asked for HTTP/2, and nothing was sent before")
    func noCommonProtocol() throws {
        var playbook = try securing(try Plays.request(Self.upload))
        let failure = HandshakeFailure(
            .noCommonProtocol,
            isHint: false,
            endedBy: .server,
            detail: ""
        )
        playbook.play(
            .feed(.handshake(dialed, Plays.handshake(.server, failure: failure), Plays.trusted)),
            .expect(.closeLink(dialed)),
            .expect(.expectHTTP2(Self.origin))
        )
        playAgain(&playbook, "POST")
        playbook.finish()
    }

    @Test("a server that takes neither is asked no third time")
    func noCommonProtocolAgain() throws {
        var playbook = try securing(try Plays.request(Self.upload), expectsHTTP2: true)
        let failure = HandshakeFailure(
            .noCommonProtocol,
            isHint: false,
            endedBy: .server,
            detail: ""
        )
        playbook.play(
            .feed(.handshake(dialed, Plays.handshake(.server, failure: failure), Plays.trusted)),
            .expect(.closeLink(dialed)),
            .timings(lane)
        )
        playbook.playRefusal(502)
        playbook.finish()
    }

    @Test(
        "a server that agrees to nothing and goes away is asked again where that does no harm",
        arguments: [("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", true), (upload, false), (chunked, false)]
    )
    func goesAway(text: String, isAsked: Bool) throws {
        let head = try Plays.request(text)
        var playbook = try securing(head)
        var handshake = Plays.handshake(.server)
        handshake.applicationProtocol = nil
        playbook.play(
            .feed(.handshake(dialed, handshake, Plays.trusted)),
            .expect(.open(dialed, isHTTP2: false)),
            .timings(lane),
            .arm(.idle),
            .expect(where: "the request") { if case .forwardRequest = $0 { true } else { false } },
            .feed(.linkClosed(dialed, .orderly)),
            .expect(.closeLink(dialed)),
            .expect(.expectHTTP2(Self.origin))
        )
        if isAsked {
            playbook.play(.expect(.note(lane, .retried)))
            playAgain(&playbook, head.method)
        } else {
            playbook.play(
                .answer(lane, 502),
                .expect(.discardRequest(lane, isStopped: false)),
                .answered(lane),
                .arm(.idle)
            )
        }
        playbook.finish()
    }
}
