import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// HTTP/2 that is spoken to the proxy itself, as the machine sees it.
@Suite("Conversation with tunnels")
struct ConversationTunnelTests {
    private let one = ConversationPlays.lane(1)
    private let three = ConversationPlays.lane(3)

    private func get(_ authority: String, scheme: String = "http") throws -> RequestHead {
        var fields = HeaderFields()
        fields.append(":method", "GET")
        fields.append(":scheme", scheme)
        fields.append(":authority", authority)
        fields.append(":path", "/")
        return try RequestHead(stream: fields, endsStream: true)
    }

    private func dial(_ authority: String) -> Playbook<Conversation>.Step {
        .expect(where: "a dial to \(authority)") {
            guard case .driver(.dial(_, let target)) = $0 else { return false }
            return target.authority.description == authority && target.serverName == nil
        }
    }

    @Test("opens a tunnel for each CONNECT, and waits for them when it drains")
    func opens() throws {
        let connect = try ConversationPlays.connect()
        var playbook = try ConversationPlays.toProxy()
        playbook.opensTunnel(one, connect)
        playbook.play(
            .feed(.request(three, connect)),
            .expect(.openTunnel(three, connect)),
            .feed(.expired(.idle)),
            .idle,
            .feed(.drain),
            .expect(.announceEnd),
            .feed(.request(ConversationPlays.lane(5), connect)),
            .beginning(ConversationPlays.lane(5)),
            .expect(.reset(ConversationPlays.lane(5), .client, .refusedStream)),
            .expect(.endExchange(ConversationPlays.lane(5), .failed("the proxy was being stopped"))),
            .feed(.tunnelEnded(one)),
            .feed(.tunnelEnded(one)),
            .feed(.tunnelEnded(three)),
            .idle,
            .expect(.closeClient),
            .feed(.clientClosed(.orderly, sentData: true)),
            .expect(.closeClient),
            .ended(.completed)
        )
        playbook.finish()
    }

    @Test("closes when nothing moves and no tunnel is left")
    func idle() throws {
        let connect = try ConversationPlays.connect()
        var playbook = try ConversationPlays.toProxy()
        playbook.opensTunnel(one, connect)
        playbook.play(
            .feed(.tunnelEnded(one)),
            .feed(.expired(.idle)),
            .expect(.announceEnd),
            .idle,
            .expect(.closeClient)
        )
        playbook.finish()
    }

    @Test("tells tunnels how the client's connection ended", arguments: [true, false])
    func drops(isOrderly: Bool) throws {
        let connect = try ConversationPlays.connect()
        var playbook = try ConversationPlays.toProxy()
        playbook.opensTunnel(one, connect)
        playbook.play(
            .feed(.clientClosed(isOrderly ? .orderly : .reset("broken"), sentData: true)),
            .expect(.dropTunnels(isOrderly: isOrderly)),
            .expect(.closeClient),
            .ended(.completed),
            .feed(.tunnelEnded(one))
        )
        playbook.finish()
    }

    @Test("says that a client closed without a request")
    func silent() throws {
        var playbook = try ConversationPlays.toProxy()
        playbook.play(
            .feed(.clientClosed(.orderly, sentData: false)),
            .expect(.closeClient),
            .expect(where: "an end without a request") {
                guard case .record(let flow) = $0 else { return false }
                return flow.outcome?.detail == "the client closed without a request"
            }
        )
        playbook.finish()
    }

    @Test("drops tunnels when the client breaks a rule of the connection")
    func fails() throws {
        let connect = try ConversationPlays.connect()
        var playbook = try ConversationPlays.toProxy()
        playbook.opensTunnel(one, connect)
        playbook.play(
            .feed(.clientFailed("a flood")),
            .expect(.dropTunnels(isOrderly: false)),
            .idle,
            .expect(.closeClient)
        )
        playbook.finish()
    }

    @Test("sends requests to the servers that they name, by HTTP/1.1 where no TLS is wanted")
    func requests() throws {
        let first = try get("a.test")
        let second = try get("b.test:8080")
        var playbook = try ConversationPlays.toProxy()
        playbook.play(
            .feed(.request(one, first)),
            .beginning(one),
            dial("a.test:80"),
            .feed(.request(three, second)),
            .beginning(three),
            dial("b.test:8080"),
            .feed(.dialed(ConversationPlays.second, Plays.dialed())),
            .expect(.open(ConversationPlays.second, isHTTP2: false)),
            .timings(one),
            .expect(.forwardRequest(one, ConversationPlays.second, first))
        )
        playbook.finish()
    }

    @Test("speaks TLS to the server of a request for https")
    func https() throws {
        var playbook = try ConversationPlays.toProxy()
        playbook.play(
            .feed(.request(one, try get("a.test", scheme: "https"))),
            .beginning(one),
            .expect(where: "a dial for TLS") {
                guard case .driver(.dial(_, let target)) = $0 else { return false }
                return target.authority.description == "a.test:443"
                    && target.serverName?.applicationProtocols == ["h2", "http/1.1"]
            }
        )
        playbook.finish()
    }

    @Test("keeps no more idle connections to servers than it may make to one")
    func spareLinks() throws {
        var playbook = try ConversationPlays.toProxy { $0.limits.serverConnections = 1 }
        let response = try ConversationPlays.response()
        for (number, link) in [(1, ConversationPlays.second), (3, ConversationPlays.third)] {
            let lane = ConversationPlays.lane(number)
            let head = try get("\(number).test")
            playbook.play(
                .feed(.request(lane, head)),
                .beginning(lane),
                dial("\(number).test:80"),
                .feed(.dialed(link, Plays.dialed())),
                .expect(.open(link, isHTTP2: false)),
                .timings(lane),
                .expect(.forwardRequest(lane, link, head)),
                .feed(.requestEnded(lane)),
                .feed(.response(lane, response)),
                .expect(.forwardResponse(lane, response)),
                .feed(.responseEnded(lane)),
                .expect(.endExchange(lane, .completed))
            )
        }
        playbook.play(.expect(.closeLink(ConversationPlays.third)))
        playbook.finish()
    }

    @Test("asks for a password in each stream")
    func credentials() throws {
        var playbook = try ConversationPlays.toProxy { $0.access.credentials = "a:b" }
        var fields = try get("a.test").fields
        fields.append("proxy-authorization", "Basic YTpi")
        playbook.play(
            .feed(.request(one, try get("a.test"))),
            .beginning(one),
            .answer(one, 407),
            .answered(one),
            .feed(.request(three, try RequestHead(stream: fields, endsStream: true))),
            .beginning(three),
            .expect(.noteUser(three, "a")),
            dial("a.test:80")
        )
        playbook.finish()
    }

    @Test("lets a request wait while its login is verified, and drops the verdict if the request has ended")
    func users() throws {
        let book = try UserDirectory(Array("a:{SHA}piGucRdTwGb7+i3S1svNik60+fw=".utf8))
        var playbook = try ConversationPlays.toProxy { $0.access.users = book }
        var fields = try get("a.test").fields
        fields.append("proxy-authorization", "Basic YTpi")
        let head = try RequestHead(stream: fields, endsStream: true)
        let check = LoginCheck(
            login: Login(user: [0x61], password: [0x62]),
            users: book,
            client: try #require(IPAddress("127.0.0.1"))
        )
        for (lane, verdict, status) in [(one, LoginVerdict.wrong, 407), (three, .busy, 503)] {
            playbook.play(
                .feed(.request(lane, head)),
                .beginning(lane),
                .expect(.authenticate(lane, check)),
                .feed(.authenticated(lane, verdict)),
                .answer(lane, status),
                .answered(lane)
            )
        }
        let (five, seven) = (ConversationPlays.lane(5), ConversationPlays.lane(7))
        playbook.play(
            .feed(.request(five, head)),
            .beginning(five),
            .expect(.authenticate(five, check)),
            .feed(.authenticated(five, .right)),
            .expect(.noteUser(five, "a")),
            dial("a.test:80"),
            .feed(.authenticated(five, .wrong)),
            .feed(.request(seven, head)),
            .beginning(seven),
            .expect(.authenticate(seven, check)),
            .feed(.reset(seven, .client, .cancel, "it was cancelled")),
            .expect(where: "its end") { if case .endExchange(seven, _) = $0 { true } else { false } },
            .feed(.authenticated(seven, .right))
        )
        playbook.finish()
    }

    @Test(
        "answers for itself",
        arguments: ["pinhole.test", "127.0.0.1:8080", "localhost:8080", "desk.example:8080"]
    )
    func ownPage(authority: String) throws {
        var playbook = try ConversationPlays.toProxy { $0.machineNames = [.name("desk.example")] }
        playbook.play(
            .feed(.request(one, try get(authority))),
            .beginning(one),
            .answer(one, 200),
            .answered(one)
        )
        playbook.finish()
    }
}
