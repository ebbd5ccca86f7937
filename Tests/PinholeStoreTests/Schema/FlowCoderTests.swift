import Foundation
import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Flows as JSON")
struct FlowCoderTests {
    private static func flow() -> FlowRecord {
        var flow = FlowRecord.sample(7)
        flow.clientProcess = ClientProcess(pid: 7, name: "Béla's \"curl\"", path: "/usr/bin/\u{1b}curl")
        flow.listenerKind = .socks5
        flow.treatment = .intercepted
        flow.dials = [
            DialRecord(
                address: "[2001:db8::1]:443",
                started: epoch,
                duration: .microseconds(1),
                failure: "refused"
            )
        ]
        flow.clientHello = ClientHelloRecord()
        flow.clientHello?.versions = [0x0304, .max]
        var handshake = HandshakeRecord(peer: .server, started: epoch, duration: .milliseconds(9))
        handshake.presentedChain = [[0x30, 1, 0], [0x30, 0]]
        handshake.clientCertificate = [0x30, 0]
        handshake.failure = HandshakeFailure(
            .looksPinned,
            isHint: true,
            endedBy: .client,
            alert: Alert(code: 48),
            bytesAfterHandshake: .max >> 4,
            detail: "/ a line\nand another"
        )
        flow.serverHandshake = handshake
        flow.bytesFromClient = 1 << 60
        return flow
    }

    /// Writes a flow, replaces its JSON, and reads it.
    private func read(_ flow: FlowRecord, json: String? = nil) throws -> FlowRecord? {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.flow(flow)])
        store.close()
        if let json {
            try Database(path: scratch.capture).execute("UPDATE flow SET record = ?", [.text(json)])
        }
        return try CaptureReader(path: scratch.capture).flow(flow.id)
    }

    @Test("a flow is read as it was written, with its certificates")
    func roundTrip() throws {
        #expect(try read(Self.flow()) == Self.flow())
    }

    @Test("the JSON that Foundation wrote in captures of earlier versions is read")
    func earlierVersions() throws {
        struct Row: Encodable { var flow: FlowRecord }
        var flow = Self.flow()
        flow.serverHandshake?.presentedChain = []
        flow.serverHandshake?.clientCertificate = nil
        for formatting in [[], .prettyPrinted, .sortedKeys] as [JSONEncoder.OutputFormatting] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            let json = String(decoding: try encoder.encode(Row(flow: flow)), as: UTF8.self)
            #expect(try read(flow, json: json) == flow)
        }
    }

    @Test("earlier versions read the JSON of this one")
    func laterVersion() throws {
        var flow = Self.flow()
        flow.serverHandshake = nil
        let json = try FlowCoder.encode(flow) { _ in 1 }
        let decoded = try JSONDecoder().decode([String: FlowRecord].self, from: Data(json))
        #expect(decoded == ["flow": flow])
        let hits = [RuleHit(rule: "a \"slow\" one", kind: "delay", effect: "1 s")]
        let text = try RuleHitCoder.encode(hits)
        #expect(try JSONDecoder().decode([RuleHit].self, from: Data(text.utf8)) == hits)
        #expect(RuleHitCoder.decode(text) == hits)
    }

    /// A flow in which every property has a value.
    private static func wholeFlow() -> FlowRecord {
        var flow = flow()
        flow.closed = epoch + .seconds(3)
        flow.proxyUser = "ann"
        var handshake = HandshakeRecord(peer: .client, started: epoch, duration: .milliseconds(12))
        handshake.version = "TLSv1.3"
        handshake.cipher = "TLS_AES_128_GCM_SHA256"
        handshake.group = "x25519"
        handshake.applicationProtocol = "h2"
        handshake.serverName = "a.example"
        handshake.isResumed = true
        handshake.verification = "self-signed"
        handshake.exemption = "a.example"
        handshake.clientCertificate = [0x30, 0]
        handshake.requestedClientCertificate = true
        handshake.failure = flow.serverHandshake?.failure
        handshake.offeredGroups = [0x11ec, 0x001d]
        handshake.offeredShares = [0x11ec]
        flow.clientHandshake = handshake
        flow.inbound = InboundTransport(handshake: handshake, applicationProtocol: "h2")
        flow.inbound?.connection = FlowID(rawValue: 3)
        flow.inbound?.stream = 5
        flow.authority = "a.example:443"
        flow.reason = "no rule excludes the host"
        flow.server = "192.0.2.7:443"
        flow.nextHop = "192.0.2.8:3128"
        flow.clientHello?.serverName = "a.example"
        flow.clientHello?.applicationProtocols = ["h2", "a\"b"]
        flow.clientHello?.ja4 = "t13d"
        flow.clientHello?.keyShares = [0x11ec]
        flow.clientEnd = ClientEnd(.alert, alert: Alert(code: 42), elapsed: .milliseconds(4), sentData: true)
        flow.exchanges = 2
        flow.outcome = Outcome(.aborted, fault: .client, detail: "left\nearly")
        return flow
    }

    /// The paths of the properties of a value that are `nil`.
    private func missing(in value: Any, _ path: String = "") -> [String] {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional, mirror.children.isEmpty { return [path] }
        return mirror.children.flatMap { missing(in: $0.value, "\(path).\($0.label ?? "")") }
    }

    private func text(of row: FlowCoder.Row) -> String {
        let text = FlowCoder.text(of: row.flow, row.clientCertificates, row.serverCertificates)
        return String(decoding: text, as: UTF8.self)
    }

    @Test("the JSON of a flow equals the output of the synthesized encoders")
    func declaredMembers() throws {
        let whole = Self.wholeFlow()
        #expect(missing(in: whole.clientHandshake as Any) == [])
        var certified = whole
        certified.serverHandshake = whole.clientHandshake
        #expect(missing(in: certified) == [])
        for flow in [whole, certified, Self.flow(), FlowRecord.sample(1)] {
            var row = FlowCoder.Row(flow: flow)
            row.flow.clientHandshake?.presentedChain = []
            row.flow.clientHandshake?.clientCertificate = nil
            row.flow.serverHandshake?.presentedChain = []
            row.flow.serverHandshake?.clientCertificate = nil
            #expect(text(of: row) == (try JSONText.encoding(row)))
            row.clientCertificates = FlowCoder.Certificates(presented: [1, .max], validated: [2], client: 3)
            row.serverCertificates = FlowCoder.Certificates()
            #expect(text(of: row) == (try JSONText.encoding(row)))
        }
    }

    @Test("an invalid list of rules counts as empty", arguments: ["", "{}", "[{\"rule\":1}]", "[", "null"])
    func noRules(_ text: String) {
        #expect(RuleHitCoder.decode(text) == [])
    }
}
