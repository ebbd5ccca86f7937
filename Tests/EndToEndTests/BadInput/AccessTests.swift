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
        "wrong credentials get 407, right ones a tunnel",
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

    /// A password that was made up, as htpasswd writes it by bcrypt and by apr1.
    private static let users = """
        anna:$2y$04$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrFK
        ben:$apr1$JeHv5ans$d/pKFfD26rnoooOUmfHw7.

        """

    @Test("users of a file get tunnels and answers, others 407, and SIGHUP reads the file again")
    func users() async throws {
        var setup = Stage.Setup()
        setup.prepare = { _, directory in try directory.write(Self.users, to: "users") }
        setup.configuration = #"{"proxy": {"users": "users"}}"#
        try await Stage.run(setup) { stage in
            for user in ["anna", "ben", "anna"] {
                #expect(try await Self.connect(stage, Self.basic("\(user):open-sesame")).status == 200)
                let status = try await Self.post(stage, Self.basic("\(user):open-sesame"))
                #expect(status == 200)
            }
            for pair in ["anna:Open-sesame", "ben:", "carl:open-sesame", ":open-sesame"] {
                let refused = try await Self.connect(stage, Self.basic(pair))
                #expect(refused.status == 407 && refused.field("proxy-authenticate") != nil, "\(pair)")
            }
            #expect(try await Self.connect(stage).status == 407)
            try stage.directory.write("carl:{SHA}piGucRdTwGb7+i3S1svNik60+fw=\n", to: "users")
            stage.process.send(signal: SIGHUP)
            _ = try await stage.process.line(from: .errorOutput) { $0.contains("read again") }
            #expect(try await Self.connect(stage, Self.basic("anna:open-sesame")).status == 407)
            #expect(try await Self.connect(stage, Self.basic("carl:open-sesame")).status == 200)
            try stage.directory.write("carl:hunter2\n", to: "users")
            stage.process.send(signal: SIGHUP)
            let line = try await stage.process.line(from: .errorOutput) { $0.contains("stays as it was") }
            #expect(line.contains("line 1: expected a hash") && !line.contains("hunter2"))
            #expect(try await Self.connect(stage, Self.basic("carl:open-sesame")).status == 200)
            await stage.stop()
            let capture = try Data(contentsOf: URL(fileURLWithPath: stage.capturePath))
            for secret in ["open-sesame", Data("anna:open-sesame".utf8).base64EncodedString()] {
                #expect(capture.range(of: Data(secret.utf8)) == nil)
            }
        }
    }

    /// Sends a plain request with a body that is there before the login is verified.
    private static func post(_ stage: Stage, _ fields: String) async throws -> Int {
        try await blocking {
            let client = try Connection(to: stage.port)
            let host = "shop.example.test:\(stage.plainPort)"
            let body = String(repeating: "x", count: 100_000)
            try client.send(
                "POST http://\(host)/echo HTTP/1.1\r\nHost: \(host)\r\n\(fields)Content-Length: 100000\r\n\r\n\(body)"
            )
            let response = try client.readResponse()
            #expect(try Echo(response).bodyLength == 100_000)
            return response.status
        }
    }

    @Test("guesses do not delay known users")
    func flood() async throws {
        var setup = Stage.Setup()
        // A cost that takes a tenth of a second and more.
        let hash = "$2y$11$aZ3qkiCJ5rKHggAWoxpOk.yvd2xZgIMUmO1mAL.qRrQfRgxDLpBSq"
        setup.prepare = { _, directory in try directory.write("anna:\(hash)\n", to: "users") }
        setup.arguments = ["--proxy-users", "users"]
        try await Stage.run(setup) { stage in
            #expect(try await Self.connect(stage, Self.basic("anna:open-sesame")).status == 200)
            let statuses = try await blocking {
                let guesses = try (0..<100).map { number in
                    let client = try Connection(to: stage.port)
                    let fields = Self.basic("anna:guess\(number)")
                    try client.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n")
                    return client
                }
                let known = try Connection(to: stage.port)
                let fields = Self.basic("anna:open-sesame")
                try known.send("CONNECT \(stage.authority) HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n")
                #expect(try known.readHead().status == 200)
                return try guesses.map { try $0.readHead().status }
            }
            #expect(statuses.allSatisfy { $0 == 407 || $0 == 503 })
            #expect(statuses.contains(407) && statuses.contains(503), "\(statuses)")
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
