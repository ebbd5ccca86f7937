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
        let decoded = try JSONDecoder().decode([String: FlowRecord].self, from: Data(json.utf8))
        #expect(decoded == ["flow": flow])
        let hits = [RuleHit(rule: "a \"slow\" one", kind: "delay", effect: "1 s")]
        let text = try RuleHitCoder.encode(hits)
        #expect(try JSONDecoder().decode([RuleHit].self, from: Data(text.utf8)) == hits)
        #expect(RuleHitCoder.decode(text) == hits)
    }

    @Test("what is no list of rules counts as none", arguments: ["", "{}", "[{\"rule\":1}]", "[", "null"])
    func noRules(_ text: String) {
        #expect(RuleHitCoder.decode(text) == [])
    }
}
