import PinholeModel
import PinholeRuntime
import Testing

@testable import PinholeSession

@Suite("The traffic of each kind of client")
struct ClientActivityTests {
    private static let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148 Safari/604.1"
    private let sightings = ClientActivity { client in
        client.hasPrefix("127.") ? .machine : client.hasPrefix("172.17.") ? .container : .elsewhere
    }

    private func flow(
        _ id: Int64,
        from client: String = "127.0.0.1:5000",
        at listener: String = "127.0.0.1:8080",
        program: String? = nil,
        change: (inout FlowRecord) -> Void = { _ in }
    ) -> FlowEvent {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: Timestamp(seconds: id),
            client: client,
            listener: listener
        )
        record.authority = "shop.test:443"
        record.clientProcess = program.map { ClientProcess(pid: 7, name: $0, path: nil) }
        change(&record)
        return .flow(record)
    }

    private func failed(
        _ id: Int64,
        from client: String = "127.0.0.1:5000",
        program: String? = nil,
        _ side: Side = .client,
        _ cause: HandshakeFailure.Cause = .authorityNotTrusted
    ) -> FlowEvent {
        flow(id, from: client, program: program) { record in
            record.closed = Timestamp(seconds: id)
            record.outcome = Outcome(.handshakeFailed, fault: side, detail: "")
            var handshake = HandshakeRecord(peer: side, started: Timestamp(seconds: id), duration: .zero)
            handshake.failure = HandshakeFailure(
                cause,
                isHint: false,
                endedBy: side,
                detail: "it was refused"
            )
            if side == .client {
                record.clientHandshake = handshake
            } else {
                record.serverHandshake = handshake
            }
        }
    }

    private func exchange(
        of flow: Int64,
        _ agent: String?,
        _ scheme: Scheme = .https,
        to host: String = "shop.test:443",
        notes: [ExchangeNote] = [],
        outcome: ExchangeOutcome? = .completed
    ) throws -> FlowEvent {
        let field = agent.map { "User-Agent: \($0)\r\n" } ?? ""
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 1000 + flow),
            flow: FlowID(rawValue: flow),
            scheme: scheme,
            authority: try Authority(host),
            method: "GET",
            path: "/",
            request: MessageRecord(head: Array("GET / HTTP/1.1\r\n\(field)\r\n".utf8)),
            timings: ExchangeTimings(started: Timestamp(seconds: flow))
        )
        record.notes = notes
        record.outcome = outcome
        return .exchange(record)
    }

    @Test("a request makes a sighting of its kinds, once for its connection")
    func requests() throws {
        #expect(sightings.sightings.isEmpty)
        sightings.take([flow(1), try exchange(of: 1, "python-requests/2.34.2", .http, outcome: nil)])
        sightings.take([try exchange(of: 1, "python-requests/2.34.2", .http)])
        #expect(Set(sightings.sightings.keys) == [.terminal, .python])
        #expect(sightings.sightings[.python]?.connections == 1)
        #expect(sightings.sightings[.python]?.isRead == false)
        sightings.take([flow(2), try exchange(of: 2, "python-requests/2.34.2")])
        #expect(
            sightings.sightings[.python]?.connections == 2 && sightings.sightings[.python]?.isRead == true
        )
        #expect(sightings.sightings[.python]?.last == Timestamp(seconds: 2))
    }

    @Test("the program of a connection counts if it becomes known before the request")
    func programs() throws {
        sightings.take([
            flow(1), .clientProcess(FlowID(rawValue: 1), ClientProcess(pid: 1, name: "java", path: nil)),
            try exchange(of: 1, "Shop/1.0"),
        ])
        #expect(sightings.sightings[.java]?.client == "java")
    }

    @Test("a refused handshake is an obstacle until a request of the same client is read")
    func refused() throws {
        sightings.take([flow(1, program: "curl"), failed(1, program: "curl")])
        let sighting = try #require(sightings.sightings[.terminal])
        #expect(sighting.last == nil && sighting.connections == 0)
        #expect(
            sighting.obstacles.map(\.authority) == ["shop.test:443"] && sighting.obstacles[0].client == "curl"
        )
        // A request without TLS proves nothing about the CA.
        sightings.take([flow(2, program: "curl"), try exchange(of: 2, "curl/8", .http)])
        #expect(sightings.sightings[.terminal]?.obstacles.count == 1)
        sightings.take([flow(3, program: "wget"), try exchange(of: 3, "Wget/1", to: "other.test:443")])
        #expect(sightings.sightings[.terminal]?.obstacles.count == 1, "another program trusts the CA")
        sightings.take([flow(4, program: "curl"), try exchange(of: 4, "curl/8", to: "other.test:443")])
        #expect(sightings.sightings[.terminal]?.obstacles.isEmpty == true)
    }

    @Test("a pinned host stays an obstacle while other hosts are read")
    func pinned() throws {
        sightings.take([failed(1, program: "curl", .client, .looksPinned)])
        sightings.take([flow(2, program: "curl"), try exchange(of: 2, "curl/8", to: "other.test:443")])
        #expect(sightings.sightings[.terminal]?.obstacles.map(\.failure) == [.looksPinned])
        sightings.take([flow(3, program: "curl"), try exchange(of: 3, "curl/8")])
        #expect(sightings.sightings[.terminal]?.obstacles.isEmpty == true)
    }

    @Test("a device that sent a request before is named by its address when it refuses the CA")
    func devices() throws {
        sightings.take([failed(1, from: "192.168.1.23:4000")])
        #expect(Set(sightings.sightings.keys) == [.android, .ios, .computer], "nothing is known of it")
        sightings.take([flow(2, from: "192.168.1.24:4000"), try exchange(of: 2, Self.phone, .http)])
        sightings.take([failed(3, from: "192.168.1.24:4001")])
        #expect(sightings.sightings[.ios]?.obstacles.map(\.client) == ["192.168.1.23", "192.168.1.24"])
        #expect(sightings.sightings[.android]?.obstacles.map(\.client) == ["192.168.1.23"])
        // Its first request tells what it is, and takes the obstacle back from the other kinds.
        sightings.take([flow(4, from: "192.168.1.23:4002"), try exchange(of: 4, Self.phone, .http)])
        #expect(sightings.sightings[.android]?.obstacles.isEmpty == true)
        #expect(sightings.sightings[.ios]?.obstacles.count == 2)
    }

    @Test("a server's refusal is an obstacle until the server answers")
    func servers() throws {
        sightings.take([flow(1), failed(1, .server, .serverCertificateRefused)])
        #expect(sightings.sightings[.terminal]?.obstacles.map(\.failure) == [.serverCertificateRefused])
        sightings.take([
            flow(2), try exchange(of: 2, "curl/8", outcome: .answeredByProxy("a bad certificate")),
        ])
        #expect(sightings.sightings[.terminal]?.obstacles.count == 1, "Pinhole's own answer proves nothing")
        sightings.take([flow(3), try exchange(of: 3, "curl/8", notes: [.clientCertificateMissing])])
        #expect(
            sightings.sightings[.terminal]?.obstacles.map(\.failure).contains(.clientCertificateRequired)
                == true
        )
        sightings.take([flow(4), try exchange(of: 4, "curl/8")])
        #expect(sightings.sightings[.terminal]?.obstacles.isEmpty == true)
    }

    @Test("a server that offers HTTP/3 is reported once")
    func http3() throws {
        for id in Int64(1)...3 {
            sightings.take([flow(id), try exchange(of: id, "curl/8", notes: [.altSvcRemoved])])
        }
        #expect(sightings.sightings[.terminal]?.obstacles.map(\.failure) == [nil])
    }

    @Test("containers are known by their network, or by the listener of their run")
    func containers() throws {
        sightings.take([flow(1, from: "172.17.0.2:4000"), try exchange(of: 1, "curl/8")])
        #expect(sightings.sightings[.docker]?.connections == 1)
        sightings.expectContainer(at: "127.0.0.1:9999")
        sightings.take([flow(2, at: "127.0.0.1:9999"), try exchange(of: 2, "curl/8")])
        #expect(sightings.sightings[.docker]?.connections == 2 && sightings.sightings[.terminal] == nil)
        sightings.forget("127.0.0.1:9999")
        sightings.take([flow(3, at: "127.0.0.1:9999"), try exchange(of: 3, "curl/8")])
        #expect(sightings.sightings[.terminal]?.connections == 1)
    }

    @Test("at most five obstacles of a kind are kept, the newest")
    func most() {
        for id in Int64(1)...9 {
            sightings.take([
                flow(id, program: "curl") { record in
                    record.authority = "host\(id).test:443"
                    record.closed = Timestamp(seconds: id)
                    var handshake = HandshakeRecord(
                        peer: .client,
                        started: Timestamp(seconds: id),
                        duration: .zero
                    )
                    handshake.failure = HandshakeFailure(
                        .looksPinned,
                        isHint: true,
                        endedBy: .client,
                        detail: ""
                    )
                    record.clientHandshake = handshake
                }
            ])
        }
        let hosts = sightings.sightings[.terminal]?.obstacles.map(\.authority)
        #expect(hosts == (5...9).map { "host\($0).test:443" })
    }

    @Test("a connection that is passed through counts")
    func passedOn() {
        sightings.take([
            flow(1, program: "curl") { record in
                record.treatment = .passedThrough
                record.bytesFromServer = 10
                record.closed = Timestamp(seconds: 2)
            }
        ])
        #expect(
            sightings.sightings[.terminal]?.connections == 1
                && sightings.sightings[.terminal]?.isRead == false
        )
    }
}
