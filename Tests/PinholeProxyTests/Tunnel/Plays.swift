import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

extension Tunnel: PlayedMachine {}

/// Heads, records and openings for playbooks.
enum Plays {
    static let authority = Authority(host: .name("www.example.com"), port: 443)
    static let name = ServerName(
        authority: authority,
        host: authority.host,
        applicationProtocols: ["http/1.1"]
    )
    static let target = DialTarget(authority: authority, serverName: name, mayReuse: true)
    /// What is dialed for a CONNECT.
    static let guessedTarget = DialTarget(
        authority: authority,
        serverName: name,
        mayReuse: true,
        isNameGuessed: true
    )
    /// The same, for a user of the proxy.
    static func guessedTarget(of user: String) -> DialTarget {
        var target = guessedTarget
        target.user = user
        return target
    }

    static let plainTarget = plain(Authority(host: .name("a.test"), port: 80))

    /// What is dialed for requests for plain http.
    static func plain(_ authority: Authority) -> DialTarget {
        var target = DialTarget(authority: authority, serverName: nil, mayReuse: true)
        target.isPlain = true
        return target
    }

    static func tunnel(_ change: (inout ProxyPolicy) throws -> Void = { _ in }) throws -> Playbook<Tunnel> {
        var policy = try Tunnels.world.policy()
        try change(&policy)
        let flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1_000_000_000),
            client: "127.0.0.1:50000",
            listener: "127.0.0.1:8080"
        )
        return Playbook(
            Tunnel(policy: Shared(policy), flow: flow, clientAddress: try #require(IPAddress("127.0.0.1")))
        )
    }

    static func request(_ text: String) throws -> RequestHead {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue(Array(text.utf8))
        guard case .request(let head)? = try reader.next(&input) else { throw Missing() }
        return head
    }

    static func response(_ text: String, to method: String = "GET") throws -> ResponseHead {
        var reader = HTTP1Reader(reading: .responses, limits: Limits())
        reader.expectResponse(toMethod: method)
        var input = ByteQueue(Array(text.utf8))
        guard case .response(let head)? = try reader.next(&input) else { throw Missing() }
        return head
    }

    struct Missing: Error {}

    static func connect() throws -> RequestHead {
        try request("CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n")
    }

    static func get(_ path: String = "/", fields: String = "") throws -> RequestHead {
        try request("GET \(path) HTTP/1.1\r\nHost: www.example.com\r\n\(fields)\r\n")
    }

    static func absolute(_ method: String = "GET", fields: String = "") throws -> RequestHead {
        try request("\(method) http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n")
    }

    static var ok: ResponseHead {
        get throws { try response("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n") }
    }

    static func hello(
        _ serverName: String? = "www.example.com",
        _ protocols: [String] = ["http/1.1"]
    ) -> ClientHelloRecord {
        var hello = ClientHelloRecord()
        hello.serverName = serverName
        hello.applicationProtocols = protocols
        return hello
    }

    static func dialed() -> DialedServer {
        var server = DialedServer(address: "192.0.2.1:443")
        server.dials = [
            DialRecord(
                address: server.address,
                started: Timestamp(seconds: 1_000_000_000),
                duration: .milliseconds(3),
                failure: nil
            )
        ]
        return server
    }

    static func pooled(_ chain: JudgedChain? = trusted, name: String? = nil) -> DialedServer {
        var server = DialedServer(address: "192.0.2.1:443")
        server.isReused = true
        server.secured = chain.map { SecuredServer(handshake: handshake(.server), chain: $0) }
        server.secured?.handshake.serverName = name
        return server
    }

    static let trusted = JudgedChain.of(
        ChainVerification.found(nil),
        mirrors: false,
        failure: nil
    )

    static let refused = JudgedChain.of(
        ChainVerification.found(ServerFault(.expired, "the certificate expired")),
        mirrors: false,
        failure: "refused"
    )

    static func handshake(
        _ peer: Side,
        failure: HandshakeFailure? = nil,
        asksForCertificate: Bool = false
    ) -> HandshakeRecord {
        var record = HandshakeRecord(
            peer: peer,
            started: Timestamp(seconds: 1_000_000_000),
            duration: .milliseconds(5)
        )
        record.applicationProtocol = "http/1.1"
        record.failure = failure
        record.requestedClientCertificate = asksForCertificate
        return record
    }

    /// A CONNECT whose server is dialed.
    static func dialing(
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var playbook = try tunnel(change)
        playbook.play(.feed(.request(try connect())), .record, .arm(.idle), .expect(.dial(guessedTarget)))
        return playbook
    }

    /// A tunnel that is open, and whose client has not said anything.
    static func peeking(
        _ server: DialedServer = dialed(),
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var playbook = try dialing(change)
        playbook.play(.feed(.dialed(server)), .expect(.acceptConnect), .expect(.peek), .arm(.idle))
        return playbook
    }

    /// The handshake with the server.
    static func securing(
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var playbook = try peeking(dialed(), change)
        playbook.play(
            .feed(.clientHello(hello())),
            .expect(.secureServer(name)),
            .arm(.handshake(.server))
        )
        return playbook
    }

    /// A tunnel in which the first request can come, with a connection to its server.
    static func opened(
        asksForCertificate: Bool = false,
        _ change: (inout ProxyPolicy) throws -> Void = { _ in }
    ) throws -> Playbook<Tunnel> {
        var playbook = try securing(change)
        playbook.play(
            .feed(
                .serverHandshake(handshake(.server, asksForCertificate: asksForCertificate), trusted)
            ),
            .expect(.mint(LeafRequest(names: [authority.host]))),
            .feed(.minted),
            .expect(
                .secureClient(
                    scope: "www.example.com:443 www.example.com",
                    applicationProtocol: "http/1.1",
                    host: authority.host
                )
            ),
            .arm(.handshake(.client)),
            .feed(.clientHandshake(handshake(.client))),
            .record,
            .arm(.idle),
            .expect(.awaitRequest)
        )
        return playbook
    }

    /// A relay of opaque bytes.
    static func relaying() throws -> Playbook<Tunnel> {
        var playbook = try tunnel { $0.interception.passthrough = try HostRules(["*"]) }
        playbook.play(
            .feed(.request(try connect())),
            .record,
            .arm(.idle),
            .expect(.dial(DialTarget(authority: authority, serverName: nil, mayReuse: false))),
            .feed(.dialed(dialed())),
            .expect(.acceptConnect),
            .expect(.peek),
            .arm(.idle),
            .feed(.clientHello(hello())),
            .record,
            .expect(.relay),
            .arm(.idle)
        )
        return playbook
    }
}

extension Playbook.Step where Machine == Tunnel {
    /// The flow is recorded.
    static var record: Self { record(where: "a record") { _ in true } }

    static func record(
        where description: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isMeant: @escaping (FlowRecord) -> Bool
    ) -> Self {
        .expect(where: description, sourceLocation: sourceLocation) {
            if case .record(let flow) = $0 { isMeant(flow) } else { false }
        }
    }

    /// The last record: the flow is over.
    static func ended(
        _ kind: Outcome.Kind,
        _ fault: Side? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        record(where: "an end that is \(kind)", sourceLocation: sourceLocation) {
            $0.closed != nil && $0.outcome?.kind == kind && $0.outcome?.fault == fault
        }
    }

    static func arm(_ deadline: Deadline, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .expect(where: "a deadline for \(deadline)", sourceLocation: sourceLocation) {
            if case .driver(.arm(deadline, _)) = $0 { true } else { false }
        }
    }

    static func answer(
        _ status: Int,
        saying part: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .expect(where: "an answer \(status)", sourceLocation: sourceLocation) {
            if case .answer(let answer) = $0 {
                answer.status == status && (part.isEmpty || answer.reason.contains(part))
            } else {
                false
            }
        }
    }

    static var closeClient: Self { .expect(.closeClient(isAnnounced: true)) }
}

extension ChainVerification {
    static func found(_ fault: ServerFault?) -> ChainVerification {
        ChainVerification(presented: [], validated: [], fault: fault, exemption: nil)
    }
}
