import Foundation
import PinholeLab
import PinholeTestKit
import Testing

@Suite("Access", .serialized)
struct AccessTests {
    private static func connect(_ stage: Stage, _ fields: String = "") async throws -> Response {
        try await blocking {
            let client = try Connection(to: stage.port)
            try client.send(
                "CONNECT \(stage.authority) HTTP/1.1\r\nHost: \(stage.authority)\r\n\(fields)\r\n"
            )
            return try client.readHead()
        }
    }

    private static func basic(_ text: String) -> String {
        "Proxy-Authorization: Basic \(Data(text.utf8).base64EncodedString())\r\n"
    }

    @Test(
        "without the right credentials there is 407, with them a tunnel",
        arguments: ["flag", "file", "environment"]
    )
    func authentication(source: String) async throws {
        var setup = Stage.Setup()
        let secret = "alice:se:cret ü"
        switch source {
        case "flag": setup.arguments = ["--proxy-auth", secret]
        case "file":
            setup.prepare = { _, directory in try directory.write("\(secret)\n", to: "secret") }
            setup.arguments = ["--proxy-auth", "@secret"]
        default: setup.environment = ["PINHOLE_PROXY_AUTH": secret]
        }
        try await Stage.run(setup) { stage in
            for fields in [
                "", Self.basic("alice:wrong"), Self.basic("alice:"), Self.basic(":"),
                Self.basic("bob:se:cret ü"),
                Self.basic("alice:se:cret ü "), "Proxy-Authorization: Basic\r\n",
                "Proxy-Authorization: Bearer x\r\n",
                "Proxy-Authorization: Basic !!!!\r\n",
                "Authorization: Basic \(Data(secret.utf8).base64EncodedString())\r\n",
            ] {
                let refused = try await Self.connect(stage, fields)
                #expect(refused.status == 407, "\(fields)")
                #expect(refused.field("proxy-authenticate")?.hasPrefix("Basic realm=") == true)
            }
            #expect(stage.origin.acceptedCount == 0)
            #expect(try await Self.connect(stage, Self.basic(secret)).status == 200)
            try await stage.event { $0.type == "flow" && $0.outcome == "refused" }
            await stage.stop()
        }
    }

    @Test("credentials for the proxy reach no server and no capture")
    func credentialsStay() async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--proxy-auth", "alice:secret"]
        try await Stage.run(setup) { stage in
            try await blocking {
                let client = try Connection(to: stage.port)
                let host = "shop.example.test:\(stage.plainPort)"
                try client.send(
                    "GET http://\(host)/echo HTTP/1.1\r\nHost: \(host)\r\n\(Self.basic("alice:secret"))\r\n"
                )
                let response = try client.readResponse()
                #expect(response.status == 200)
                let head = try Echo(response).headText.lowercased()
                #expect(!head.contains("proxy-authorization"))
            }
            await stage.stop()
            let secret = Data("alice:secret".utf8).base64EncodedString()
            let files = try FileManager.default.contentsOfDirectory(atPath: stage.directory.path)
            for file in files where file.hasPrefix("capture.sqlite") {
                let content = Data(try stage.directory.read(file))
                #expect(content.range(of: Data(secret.utf8)) == nil, "\(file) holds the password")
            }
        }
    }

    @Test("a client whose address is not on the list is answered with 403")
    func clients() async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--allow", "192.0.2.0/24"]
        try await Stage.run(setup) { stage in
            let response = try await Self.connect(stage)
            #expect(response.status == 403)
            #expect(stage.origin.acceptedCount == 0)
            await stage.stop()
        }
        setup.arguments = ["--allow", "192.0.2.0/24", "--allow", "127.0.0.0/8"]
        try await Stage.run(setup) { stage in
            #expect(try await Self.connect(stage).status == 200)
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}
