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
        expectsHTTP2: Bool = false,
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
                mode: .reverse(try ReverseOrigin(origin, keepsHost: keepsHost)),
                expectsHTTP2: expectsHTTP2
            )
        )
    }

    @Test("requests go to the server, which they name", arguments: [false, true])
    func forwards(keepsHost: Bool) throws {
        var playbook = try tunnel("http://origin.test:81", keepsHost: keepsHost)
        let authority = Authority(host: .name("origin.test"), port: 81)
        let target = Plays.plain(authority)
        playbook.play(
            .feed(.request(try Plays.get("/a?b"))),
            .record(where: "the server") {
                $0.authority == "origin.test:81"
                    && $0.reason == "the listener stands before http://origin.test:81"
            },
            .expect(where: "an exchange with the server") {
                guard case .beginExchange(let head, .http, authority, "/a?b") = $0 else { return false }
                return head.fields.first("host") == "www.example.com"
            },
            .arm(.idle),
            .expect(.dial(target)),
            .feed(.dialed(Plays.dialed())),
            .timings,
            .arm(.idle),
            .expect(where: "the request, naming its server") {
                guard case .forwardRequest(let head, nil) = $0 else { return false }
                return head.fields.all("host") == [keepsHost ? "www.example.com" : "origin.test:81"]
            }
        )
        playbook.finish()
    }

    @Test("by TLS the client is shown a leaf for whom it asked, and for the server")
    func leaf() throws {
        var playbook = try tunnel("https://origin.test")
        playbook.play(
            .feed(.clientHello(Plays.hello("front.test", ["h2"]))),
            .arm(.handshake(.client)),
            .expect(where: "a leaf for both names") {
                guard case .mint(let request) = $0 else { return false }
                return request.names.map(\.description) == ["front.test", "origin.test"]
            },
            .feed(.minted),
            .expect(.secureClient(scope: "https://origin.test front.test", applicationProtocol: "h2"))
        )
        playbook.finish()
    }

    @Test("it is no proxy: CONNECT is refused")
    func connect() throws {
        var playbook = try tunnel("https://origin.test")
        playbook.play(
            .feed(.request(try Plays.connect())),
            .record,
            .beginning,
            .arm(.idle),
            .answer(405, closing: false),
            .answered,
            .arm(.idle),
            .expect(.discardRequest),
            .expect(.awaitRequest)
        )
        playbook.finish()
    }

    @Test("the address of the client counts, and no password")
    func access() throws {
        var playbook = try tunnel("http://origin.test") {
            $0.access = AccessRules(clients: [try AddressRange("10.0.0.0/8")], credentials: "a:b")
        }
        playbook.play(
            .feed(.request(try Plays.get())),
            .record,
            .answer(403, closing: true),
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

    /// A request whose server's handshake goes on.
    private func securing(_ head: RequestHead) throws -> Playbook<Tunnel> {
        var playbook = try tunnel("https://origin.test")
        playbook.play(
            .feed(.request(head)),
            .record,
            .beginning,
            .arm(.idle),
            .expect(where: "a connection") { if case .dial = $0 { true } else { false } },
            .feed(.dialed(Plays.dialed())),
            .timings,
            .expect(where: "a handshake for HTTP/1.1") {
                guard case .secureServer(let name) = $0 else { return false }
                return name.applicationProtocols == ["http/1.1"]
            },
            .arm(.handshake(.server))
        )
        return playbook
    }

    private func asked(wasSent: Bool) -> Playbook<Tunnel>.Step {
        .expect(where: "the request in HTTP/2") {
            guard case .multiplex(clientSpeaksHTTP2: false, let request?) = $0 else { return false }
            return request.wasSent == wasSent && request.head.fields.first("host") == "origin.test"
        }
    }

    @Test("a server that is expected to speak HTTP/2 is asked so from the start")
    func expected() throws {
        var playbook = try tunnel("h2c://origin.test", expectsHTTP2: true)
        let head = try Plays.request(Self.upload)
        playbook.play(
            .feed(.request(head)),
            .record,
            .expect(.multiplex(clientSpeaksHTTP2: false, request: HandedRequest(head: head, wasSent: false)))
        )
        playbook.finish()
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
            .feed(.serverHandshake(Plays.handshake(.server, failure: failure), Plays.trusted)),
            .expect(.closeServer),
            .timings,
            .expect(.expectHTTP2(Self.origin)),
            .expect(.closeServer),
            asked(wasSent: false)
        )
        playbook.finish()
    }

    @Test(
        "a server that agrees to nothing and goes away is asked again where that does no harm",
        arguments: [("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", true), (upload, false), (chunked, false)]
    )
    func goesAway(text: String, isAsked: Bool) throws {
        var playbook = try securing(try Plays.request(text))
        var handshake = Plays.handshake(.server)
        handshake.applicationProtocol = nil
        playbook.play(
            .feed(.serverHandshake(handshake, Plays.trusted)),
            .timings,
            .arm(.idle),
            .expect(where: "the request") { if case .forwardRequest = $0 { true } else { false } },
            .feed(.closed(.server, .orderly)),
            .expect(.expectHTTP2(Self.origin)),
            .expect(.closeServer)
        )
        if isAsked {
            playbook.play(asked(wasSent: true))
        } else {
            playbook.playRefusal(502)
        }
        playbook.finish()
    }
}
