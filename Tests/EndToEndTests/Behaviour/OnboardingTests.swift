import Foundation
import PinholeCrypto
import PinholeTestKit
import Testing

@Suite("Onboarding and key log", .serialized)
struct OnboardingTests {
    /// A configuration profile, or a payload in it.
    private struct Payload<Content: Decodable>: Decodable {
        enum CodingKeys: String, CodingKey {
            case type = "PayloadType"
            case identifier = "PayloadIdentifier"
            case uuid = "PayloadUUID"
            case content = "PayloadContent"
        }

        let type: String
        let identifier: String
        let uuid: UUID
        let content: Content
    }

    private static func get(_ path: String, _ stage: Stage) throws -> Response {
        let client = try Connection(to: stage.port)
        try client.send(
            "GET http://pinhole.test\(path) HTTP/1.1\r\nHost: pinhole.test\r\nConnection: close\r\n\r\n"
        )
        return try client.readResponse()
    }

    @Test("http://pinhole.test/ hands out the CA, and never the key")
    func downloads() async throws {
        try await Stage.run { stage in
            let pem = try stage.directory.read("ca/rootCA.pem")
            let keyFile = try stage.directory.read("ca/rootCA-key.pem")
            let key = try #require(PEM.blocks(in: keyFile).first?.content)
            try await blocking {
                let page = try Self.get("/", stage)
                #expect(page.status == 200)
                #expect(page.text.contains("/pinhole-ca.pem"))
                #expect(try Self.get("/pinhole-ca.pem", stage).body == pem)
                #expect(try Self.get("/pinhole-ca.crt", stage).body == pem)
                #expect(try Self.get("/pinhole-ca.der", stage).body == stage.root.der)
                #expect(try Self.get("/pinhole-ca.p12", stage).status == 200)
                let profile = try Self.get("/pinhole-ca.mobileconfig", stage)
                #expect(profile.field("Content-Type") == "application/x-apple-aspen-config")
                let read = try PropertyListDecoder().decode(
                    Payload<[Payload<Data>]>.self,
                    from: Data(profile.body)
                )
                let inner = try #require(read.content.first)
                #expect(read.type == "Configuration" && inner.type == "com.apple.security.root")
                #expect(read.identifier != inner.identifier && read.uuid != inner.uuid)
                #expect(Array(inner.content) == stage.root.der)
                let links = page.text.components(separatedBy: "href=\"/").dropFirst().map {
                    "/" + $0.prefix { $0 != "\"" }
                }
                #expect(links.count >= 4)
                let guesses = [
                    "/rootCA-key.pem", "/ca/rootCA-key.pem", "/../ca/rootCA-key.pem",
                    "/%2e%2e/ca/rootCA-key.pem",
                    "/pinhole-ca-key.pem", "/pinhole-ca.key", "//ca/rootCA-key.pem", "/ca", "/config.json",
                ]
                for path in links + guesses {
                    let response = try Self.get(path, stage)
                    #expect(response.status == (links.contains(path) ? 200 : 404), "\(path)")
                    #expect(!response.text.contains("PRIVATE KEY"), "\(path)")
                    #expect(Data(response.body).range(of: Data(key)) == nil, "\(path)")
                }
            }
            await stage.stop()
        }
    }

    @Test("SSLKEYLOGFILE gets the secrets of both sides, for its owner alone")
    func keyLog() async throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        var setup = Stage.Setup()
        setup.environment = ["SSLKEYLOGFILE": directory.file("keys")]
        try await Stage.run(setup) { stage in
            try await stage.expectAlive()
            await stage.stop()
        }
        let lines = String(decoding: try directory.read("keys"), as: UTF8.self).split(separator: "\n")
        for label in [
            "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_TRAFFIC_SECRET_0", "CLIENT_TRAFFIC_SECRET_0",
        ] {
            let randoms = lines.filter { $0.hasPrefix("\(label) ") }.map { $0.split(separator: " ")[1] }
            #expect(Set(randoms).count == 2, "\(label): one line for each side")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file("keys"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
