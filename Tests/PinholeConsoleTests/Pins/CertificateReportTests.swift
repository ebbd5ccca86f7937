import Foundation
import PinholeCrypto
import PinholeModel
import PinholeStore
import Testing

@testable import PinholeConsole

@Suite("Both handshakes of a flow")
struct CertificateReportTests {
    private func certificate(_ name: String) throws -> [UInt8] {
        var template = CertificateTemplate(
            commonName: name,
            notBefore: ConsoleStage.epoch - .seconds(60),
            notAfter: ConsoleStage.epoch + .seconds(86_400)
        )
        template.names = [.name("pinned.example")]
        template.purposes = [.serverAuth]
        return try template.signed(by: nil, key: PrivateKey.generateP256()).der
    }

    @Test("shows the real chain and the forged chain, with their differences and every pin")
    func differences() async throws {
        var flow = FlowRecord.sample(1, failed: true)
        flow.clientHandshake?.presentedChain = [try certificate("forged")]
        var server = HandshakeRecord(peer: .server, started: ConsoleStage.epoch, duration: .milliseconds(1))
        server.presentedChain = [try certificate("real"), try certificate("issuer")]
        flow.serverHandshake = server
        let stage = try ConsoleStage([.flow(flow), .exchange(try .sample(2)), .flow(.sample(3))])
        let report = try await stage.ask("GET", "/api/flows/1/tls").json()
        let chains = try #require(report["chains"] as? [String: [[String: Any]]])
        #expect(chains["real"]?.count == 2 && chains["forged"]?.count == 1)
        let leaf = try #require(chains["real"]?.first)
        #expect(leaf["subject"] as? String == "CN=real" && leaf["names"] as? [String] == ["pinned.example"])
        let key = try #require(leaf["key"] as? [String: Any])
        #expect(key["type"] as? String == "EC" && key["bits"] as? Int == 256)
        let extensions = try #require(leaf["extensions"] as? [[String: Any]])
        let name = try #require(extensions.first { $0["oid"] as? String == "2.5.29.17" })
        #expect(name["text"] as? String == "DNS:pinned.example")
        let pins = try #require(leaf["pins"] as? [String: String])
        for notation in [
            "spki-sha256", "okhttp", "hpkp", "android", "ios-ats", "trustkit", "curl", "tlsa-3-1-1",
        ] {
            #expect(pins[notation]?.isEmpty == false, "\(notation)")
        }
        let differences = try #require(report["differences"] as? [[String: Any]]).compactMap {
            $0["field"] as? String
        }
        #expect(differences.contains("subject") && differences.contains("spki-sha256"))
        #expect(differences.contains("chain length") && !differences.contains("names"))
        #expect(report["cause"] as? String == "The client does not trust the CA.")
        #expect((report["remedy"] as? String)?.contains("docs/INSTALL.md") == true)
        #expect(try await stage.ask("GET", "/api/flows/2/tls").json()["flow"] is [String: Any])
        #expect(await stage.ask("GET", "/api/flows/99/tls").status == 404)
    }

    @Test(
        "gives a remedy that fits the peer",
        arguments: [
            (HandshakeFailure.Cause.notTLS, Side.server, "http://"), (.notTLS, .client, "tls.passthrough"),
            (.noCommonCipher, .server, "tls.server"), (.noCommonCipher, .client, "tls.client"),
            (.noCommonGroup, .client, "tls.passthrough"),
        ]
    )
    func remedies(cause: HandshakeFailure.Cause, peer: Side, remedy: String) async throws {
        var flow = FlowRecord.sample(1)
        var handshake = HandshakeRecord(peer: peer, started: ConsoleStage.epoch, duration: .milliseconds(1))
        handshake.failure = HandshakeFailure(cause, isHint: false, endedBy: nil, detail: "It failed.")
        if peer == .server { flow.serverHandshake = handshake } else { flow.clientHandshake = handshake }
        let report = try await ConsoleStage([.flow(flow)]).ask("GET", "/api/flows/1/tls").json()
        #expect((report["remedy"] as? String)?.contains(remedy) == true, "\(report)")
    }

    @Test("a file that is not a certificate is reported")
    func nonsense() async throws {
        var flow = FlowRecord.sample(1)
        var server = HandshakeRecord(peer: .server, started: ConsoleStage.epoch, duration: .milliseconds(1))
        server.presentedChain = [[1, 2, 3]]
        flow.serverHandshake = server
        let stage = try ConsoleStage([.flow(flow)])
        let chains =
            try await stage.ask("GET", "/api/flows/1/tls").json()["chains"] as? [String: [[String: Any]]]
        #expect(chains?["real"]?.first?["trouble"] is String)
    }
}
