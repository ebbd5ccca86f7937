import PinholeModel
import Testing

@Suite("KeyExchange")
struct KeyExchangeTests {
    private struct Row: CustomTestStringConvertible {
        let name: String
        var offered: [UInt16] = [4588, 29, 23]
        var versions: [UInt16] = [0x0304, 0x0303]
        var client: String? = "x25519"
        var toServer: [UInt16]? = [29, 23]
        var server: String? = "x25519"
        var version = "TLSv1.3"
        var failure: HandshakeFailure?
        let effect: KeyExchange.Effect?
        var words: [String]

        var testDescription: String { name }
    }

    private static let rows = [
        Row(name: "an old library", effect: .perhapsWeakened, words: ["offered", "perhapsWeakened"]),
        Row(name: "a client without", offered: [29, 23], effect: nil, words: []),
        Row(
            name: "both sides",
            client: "X25519MLKEM768",
            toServer: [4588, 29],
            server: "X25519MLKEM768",
            effect: nil,
            words: ["offered", "client", "server"]
        ),
        Row(name: "the server's own choice", toServer: [4588, 29], effect: nil, words: ["offered"]),
        Row(
            name: "the server's side alone",
            toServer: [4588, 29],
            server: "x25519mlkem768",
            effect: .weakened,
            words: ["offered", "server", "weakened"]
        ),
        Row(
            name: "pure ML-KEM",
            offered: [513, 29],
            effect: .perhapsWeakened,
            words: ["offered", "perhapsWeakened"]
        ),
        Row(
            name: "a group of the server that the client does not have",
            offered: [25497, 29],
            toServer: [4588, 29],
            server: "X25519MLKEM768",
            effect: .perhapsWeakened,
            words: ["offered", "server", "perhapsWeakened"]
        ),
        Row(
            name: "a group that the proxy did not offer beside another",
            offered: [4587, 29],
            toServer: [4588, 29],
            effect: .perhapsWeakened,
            words: ["offered", "perhapsWeakened"]
        ),
        Row(
            name: "two groups, of which the proxy offered one",
            offered: [4588, 4587, 29],
            client: "X25519MLKEM768",
            toServer: [4588, 29],
            effect: .perhapsWeakened,
            words: ["offered", "client", "perhapsWeakened"]
        ),
        Row(
            name: "the client's side alone, by the server's choice",
            offered: [4587, 29],
            client: "SecP256r1MLKEM768",
            toServer: [4588, 4587, 29],
            effect: nil,
            words: ["offered", "client"]
        ),
        Row(
            name: "different post-quantum groups",
            offered: [4587, 29],
            client: "SecP256r1MLKEM768",
            toServer: [4588, 4587, 29],
            server: "X25519MLKEM768",
            effect: nil,
            words: ["offered", "client", "server"]
        ),
        Row(name: "a server of TLS 1.2", version: "TLSv1.2", effect: nil, words: ["offered"]),
        Row(name: "a client of TLS 1.2", versions: [0x0303], effect: nil, words: ["offered"]),
        Row(name: "an older capture", toServer: nil, effect: nil, words: ["offered"]),
        Row(name: "no server", client: "x25519", server: nil, effect: nil, words: ["offered"]),
        Row(
            name: "a failed handshake",
            failure: HandshakeFailure(.closed, isHint: true, endedBy: .client, detail: ""),
            effect: nil,
            words: ["offered"]
        ),
    ]

    @Test("says weakened only where the server agreed or was not asked", arguments: rows)
    private func effect(_ row: Row) throws {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1),
            client: "127.0.0.1:1",
            listener: ""
        )
        var hello = ClientHelloRecord()
        hello.groups = row.offered
        hello.keyShares = [row.offered[0]]
        hello.versions = row.versions
        flow.clientHello = hello
        var client = HandshakeRecord(peer: .client, started: flow.opened, duration: .zero)
        client.group = row.client
        client.failure = row.failure
        flow.clientHandshake = client
        if row.server != nil {
            var server = HandshakeRecord(peer: .server, started: flow.opened, duration: .zero)
            server.group = row.server
            server.version = row.version
            server.offeredGroups = row.toServer
            server.offeredShares = row.toServer.map { [$0[0]] }
            flow.serverHandshake = server
        }
        let exchange = try #require(KeyExchange(flow))
        #expect(exchange.effect == row.effect)
        #expect(exchange.words == row.words)
        #expect((exchange.explanation != nil) == (row.effect != nil))
        // An offer with a post-quantum group comes from a library that is new enough.
        let isOld = row.toServer?.contains { TLSGroup(rawValue: $0).isPostQuantum } != true
        #expect(exchange.explanation?.contains("OpenSSL 3.5") ?? isOld == isOld)
        #expect(exchange.shares?.map(\.rawValue) == [row.offered[0]])
        #expect(exchange.sharesToServer?.first == exchange.offeredToServer?.first)
    }

    @Test("has none for a client that sent no groups")
    func withoutGroups() {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 1),
            client: "127.0.0.1:1",
            listener: ""
        )
        #expect(KeyExchange(flow) == nil)
        flow.clientHello = ClientHelloRecord()
        #expect(KeyExchange(flow) == nil)
    }
}

@Suite("TLSGroup")
struct TLSGroupTests {
    @Test("finds each group by its name in any case")
    func names() {
        for (number, name) in TLSGroup.names {
            #expect(TLSGroup(named: name)?.rawValue == number)
            #expect(TLSGroup(named: name.uppercased())?.rawValue == number)
            #expect(TLSGroup(rawValue: number).description == name)
            let isHybridOrPure = name.contains("MLKEM") || name.contains("Kyber")
            #expect(TLSGroup(rawValue: number).isPostQuantum == isHybridOrPure)
        }
        #expect(TLSGroup(named: "x25520") == nil)
    }

    @Test("shows a number without a name in hexadecimal")
    func unnamed() {
        #expect(TLSGroup(rawValue: 0x00fe).description == "0x00fe")
        #expect(!TLSGroup(rawValue: 0x00fe).isPostQuantum)
    }
}
