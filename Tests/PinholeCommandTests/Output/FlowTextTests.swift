import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("FlowText")
struct FlowTextTests {
    /// A flow whose server sent one certificate, and whose client was shown one; neither can be read.
    private func lines(_ width: Int?) -> [String] {
        let opened = Timestamp(seconds: 1_700_000_000)
        var record = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: opened,
            client: "127.0.0.1:5",
            listener: "127.0.0.1:6"
        )
        for peer in [Side.client, .server] {
            var handshake = HandshakeRecord(peer: peer, started: opened, duration: .milliseconds(3))
            handshake.presentedChain = [[UInt8](repeating: 0, count: peer == .client ? 7 : 9)]
            if peer == .client {
                record.clientHandshake = handshake
            } else {
                record.serverHandshake = handshake
            }
        }
        record.outcome = Outcome(.handshakeFailed, detail: String(repeating: "word ", count: 60))
        return FlowText(record: record, style: .plain, width: width).lines.flatMap {
            $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test("chains are shown side by side, or below each other in a narrow terminal")
    func chains() {
        let wide = lines(200)
        #expect(wide.contains { $0.contains("the server's chain") && $0.contains("shown to the client") })
        #expect(wide.contains { $0.contains("(9 bytes)") && $0.contains("(7 bytes)") }, "\(wide)")
        let narrow = lines(80)
        #expect(
            narrow.suffix(5) == [
                "the server's chain", "0 cannot be read (9 bytes)", "", "shown to the client",
                "0 cannot be read (7 bytes)",
            ],
            "\(narrow)"
        )
    }

    @Test("the offers to both sides are shown with the names of groups, key shares and signature schemes")
    func offers() {
        let opened = Timestamp(seconds: 1_700_000_000)
        var record = FlowRecord(id: FlowID(rawValue: 1), opened: opened, client: "", listener: "")
        var hello = ClientHelloRecord()
        hello.groups = [0x11ec, 29]
        hello.keyShares = []
        hello.signatureSchemes = [0x0904, 0x0905, 0x0906, 0x0403, 0x0999]
        record.clientHello = hello
        var server = HandshakeRecord(peer: .server, started: opened, duration: .zero)
        server.offeredGroups = [0x11ec, 29]
        server.offeredShares = [29]
        record.serverHandshake = server
        let lines = FlowText(record: record, style: .plain, width: nil).tls
        let offers = [
            "signatures  mldsa44 mldsa65 mldsa87 ecdsa_secp256r1_sha256 0x0999",
            "groups      the client offered X25519MLKEM768 x25519 (key shares: none)",
            "            Pinhole offered X25519MLKEM768 x25519 (key shares: x25519)",
        ]
        #expect(lines.filter { offers.contains($0) } == offers, "\(lines)")
    }

    @Test("no line is wider than the terminal, and a pipe gets each fact in one line", arguments: [80, 200])
    func width(_ width: Int) {
        #expect(lines(width).allSatisfy { $0.count <= width })
        #expect(lines(nil).contains { $0.hasPrefix("outcome") && $0.count > 300 })
    }
}
