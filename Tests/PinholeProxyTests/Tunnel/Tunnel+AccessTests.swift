import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// Logins that take their time to be verified.
@Suite("Tunnel and its login")
struct TunnelAccessTests {
    private static let book = Result { try UserDirectory(Array("a:{SHA}piGucRdTwGb7+i3S1svNik60+fw=".utf8)) }
    private static let fields = "Proxy-Authorization: Basic YTpi\r\n"

    private func change(_ policy: inout ProxyPolicy) throws { policy.access.users = try Self.book.get() }

    private func check() throws -> LoginCheck {
        LoginCheck(
            login: Login(user: [0x61], password: [0x62]),
            users: try Self.book.get(),
            client: try #require(IPAddress("127.0.0.1"))
        )
    }

    private func connect() throws -> Playbook<Tunnel>.Step {
        let line = "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n"
        return .feed(.request(try Plays.request("\(line)\(Self.fields)\r\n")))
    }

    @Test("dials for a CONNECT when its login is right, and not before")
    func right() throws {
        var playbook = try Plays.tunnel(change)
        playbook.play(
            try connect(),
            .arm(.idle),
            .expect(.authenticate(try check())),
            .feed(.authenticated(.right)),
            .record(where: "whose it is") { $0.proxyUser == "a" },
            .arm(.idle),
            .expect(.dial(Plays.guessedTarget(of: "a"))),
            .feed(.authenticated(.wrong))
        )
        playbook.finish()
    }

    @Test("continues with a plain request")
    func plain() throws {
        let head = try Plays.absolute(fields: Self.fields)
        var target = Plays.plainTarget
        target.user = "a"
        var playbook = try Plays.tunnel(change)
        playbook.play(
            .feed(.request(head)),
            .arm(.idle),
            .expect(.authenticate(try check())),
            .feed(.authenticated(.right)),
            .record(where: "plain") { $0.treatment == .plain && $0.proxyUser == "a" }
        )
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        conversation.play(
            .beginning(HTTP1Plays.lane),
            .arm(.idle),
            .expect(.dial(HTTP1Plays.dialed, target))
        )
        conversation.finish()
    }

    @Test(
        "refuses wrong logins, and logins above the limit",
        arguments: [(LoginVerdict.wrong, 407), (.busy, 503)]
    )
    func refuses(verdict: LoginVerdict, status: Int) throws {
        var playbook = try Plays.tunnel(change)
        playbook.play(
            try connect(),
            .arm(.idle),
            .expect(.authenticate(try check())),
            .feed(.authenticated(verdict)),
            .record(where: "a refusal") {
                $0.outcome?.kind == .refused && $0.authority == "www.example.com:443"
                    && $0.proxyUser == nil
            },
            .answer(status),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        playbook.finish()
    }

    @Test("verifies nothing for a request without a login")
    func absent() throws {
        var playbook = try Plays.tunnel(change)
        playbook.play(
            .feed(.request(try Plays.connect())),
            .record,
            .answer(407),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        playbook.finish()
    }

    @Test("closes at once when the proxy drains, whatever the verdict will be")
    func drains() throws {
        var playbook = try Plays.tunnel(change)
        playbook.play(
            try connect(),
            .arm(.idle),
            .expect(.authenticate(try check())),
            .feed(.drain),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.authenticated(.right))
        )
        playbook.finish()
    }

    @Test("lets a client of SOCKS wait", arguments: [LoginVerdict.right, .wrong, .busy])
    func socks(verdict: LoginVerdict) throws {
        var playbook = try Plays.tunnel(change)
        playbook.play(
            .feed(.clientSpeaksSOCKS(.socks5)),
            .feed(.socks(.credentials(user: [0x61], password: [0x62]))),
            .expect(.authenticate(try check())),
            .feed(.authenticated(verdict)),
            .expect(.answerSOCKS(.credentials(areRight: verdict == .right)))
        )
        if verdict != .right {
            playbook.play(
                .record(where: "a refusal") {
                    $0.outcome?.kind == .refused && $0.outcome?.fault == .client && $0.proxyUser == nil
                },
                .expect(.closeServer),
                .arm(.idle),
                .expect(.closeClient(isAnnounced: true))
            )
        } else {
            playbook.play(
                .feed(.socks(.request(try Authority("www.example.com:443")))),
                .record(where: "whose it is") { $0.proxyUser == "a" },
                .arm(.idle),
                .expect(.dial(Plays.guessedTarget(of: "a")))
            )
        }
        playbook.finish()
    }
}
