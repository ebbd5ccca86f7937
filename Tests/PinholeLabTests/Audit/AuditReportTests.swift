import PinholeModel
import Testing

@testable import PinholeLab

@Suite("AuditReport")
struct AuditReportTests {
    /// The report on a program that offers X25519MLKEM768 to Pinhole, which offered `toServer` to the server.
    ///
    /// With `isControl`, the program met the honest server in the same way.
    private func report(
        toServer groups: [UInt16],
        server: String,
        isControl: Bool = true
    ) throws -> AuditReport {
        let opened = Timestamp(seconds: 1)
        var flow = FlowRecord(id: FlowID(rawValue: 1), opened: opened, client: "127.0.0.1:1", listener: "")
        var hello = ClientHelloRecord()
        hello.groups = [4588, 29]
        hello.versions = [0x0304]
        flow.clientHello = hello
        var client = HandshakeRecord(peer: .client, started: opened, duration: .zero)
        client.group = "x25519"
        flow.clientHandshake = client
        var answer = HandshakeRecord(peer: .server, started: opened, duration: .zero)
        answer.group = server
        answer.version = "TLSv1.3"
        answer.offeredGroups = groups
        flow.serverHandshake = answer
        var observation = Observation(.accepted, "It sent a request.")
        observation.wire.flows = [flow, flow]
        let cells = [LabCell("program", .installed, .missed, "", [observation])]
        return AuditReport(
            report: LabReport(
                policies: [],
                scenarios: [.installed],
                cells: cells,
                host: try Host("www.example.com"),
                started: opened
            ),
            honest: isControl ? observation : Observation(.accepted, "It sent a request."),
            untrusted: Observation(.rejected, "It refused."),
            unoffered: nil
        )
    }

    @Test("tells once that the interception weakened the key exchange")
    func weakened() throws {
        let weakened = try report(toServer: [29], server: "x25519").remarks
        #expect(weakened.filter { $0.contains("may have weakened the key exchange") }.count == 1)
        let scenario = try report(toServer: [29], server: "x25519", isControl: false).remarks
        #expect(!scenario.isEmpty && !scenario.contains { $0.contains("weakened") })
        let same = try report(toServer: [4588, 29], server: "x25519").remarks
        #expect(!same.isEmpty && !same.contains { $0.contains("weakened") })
    }
}
