import Foundation
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

/// The console beside a running proxy: whoever may use the proxy, or has a page open, must not reach it.
///
/// One test for each way in which others were reached (FEATURES.md, part (c)).
@Suite("Protection of the console", .serialized)
struct ConsoleProtectionTests {
    private struct Console: Sendable {
        let port: UInt16
        let token: String

        var host: String { "127.0.0.1:\(port)" }

        /// The console of a running proxy, as it was announced.
        init(_ stage: Stage) async throws {
            let line = try await stage.process.line(from: .errorOutput) {
                $0.contains("pinhole: console http://")
            }
            let match = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([\w-]{43})/))
            port = try #require(UInt16(match.1))
            token = String(match.2)
        }

        /// Asks it directly.
        func ask(
            _ line: String,
            _ fields: [String] = [],
            host: String? = nil,
            knows: Bool = true
        ) async throws -> Response {
            let (port, own) = (port, self.host)
            let token = knows ? ["Authorization: Bearer \(token)"] : []
            return try await blocking {
                let client = try Connection(to: port)
                let lines =
                    ["\(line) HTTP/1.1", "Host: \(host ?? own)", "Connection: close"] + token + fields
                try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                return try client.readResponse()
            }
        }
    }

    /// The statuses of a CONNECT to the console and of a plain request to it, both through the proxy.
    private static func statuses(_ host: String, _ console: Console, _ stage: Stage) async throws -> [Int] {
        try await blocking {
            try [
                "CONNECT \(host):\(console.port)", "GET http://\(host):\(console.port)/api/state",
            ].map { line in
                let client = try Connection(to: stage.port)
                let token = "Authorization: Bearer \(console.token)\r\n"
                try client.send("\(line) HTTP/1.1\r\nHost: \(host):\(console.port)\r\n\(token)\r\n")
                return try client.readResponse().status
            }
        }
    }

    @Test("connections without a token do not keep the console from answering")
    func idle() async throws {
        try await Stage.run { stage in
            let console = try await Console(stage)
            try await blocking {
                let head = "GET /api/state HTTP/1.1\r\nHost: \(console.host)\r\n"
                let unknown = "\(head)\r\n"
                let known = "\(head)Authorization: Bearer \(console.token)\r\n\r\n"
                let kept = try Connection(to: console.port)
                try kept.send(known)
                #expect(try kept.readResponse().status == 200)
                // One more than all places of connections without a token.
                let idle = try (0...160).map { _ in try Connection(to: console.port) }
                let late = try Connection(to: console.port)
                try late.send(known)
                #expect(try late.readResponse().status == 200)
                // The two oldest gave way. The others, and whoever has shown the token, are still served.
                for gone in idle.prefix(2) { #expect(try gone.readToEnd().isEmpty) }
                for stranger in [idle[2], idle[160]] {
                    try stranger.send(unknown)
                    #expect(try stranger.readResponse().status == 401)
                }
                try kept.send(known)
                #expect(try kept.readResponse().status == 200)
            }
            await stage.stop()
        }
    }

    @Test("CVE-2025-23217: the proxy does not lead to the console, under any spelling, token or not")
    func throughProxy() async throws {
        var setup = Stage.Setup()
        setup.overrides = [
            "shop.example.test:*:127.0.0.1", "console.example.test:*:127.0.0.1", "six.example.test:*:::1",
        ]
        try await Stage.run(setup) { stage in
            let console = try await Console(stage)
            #expect(try await console.ask("GET /api/state").status == 200)
            let loops = [
                "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "any.localhost", "console.example.test",
                "0.0.0.0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
            ]
            for host in loops {
                #expect(try await Self.statuses(host, console, stage) == [508, 508], "\(host)")
            }
            let others =
                ["[::]", "[::1]", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "six.example.test"]
                + LocalInterfaces.addresses().filter { !$0.isVersion6 && !$0.isLoopback }.map(\.description)
            for host in others {
                // What the system does not read as this address is no loop, and nobody listens there.
                let statuses = try await Self.statuses(host, console, stage)
                #expect(Set(statuses).isSubset(of: [508, 400, 502]), "\(host): \(statuses)")
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a redirect to the console is handed to the client, and following it through the proxy ends there")
    func redirect() async throws {
        try await Stage.run { stage in
            let console = try await Console(stage)
            let status = try await blocking {
                let client = try Connection(to: stage.port)
                let url = "http://\(console.host)/?token=\(console.token)"
                try client.send("GET \(url) HTTP/1.1\r\nHost: \(console.host)\r\n\r\n")
                return try client.readResponse().status
            }
            #expect(status == 508)
            await stage.stop()
        }
    }

    @Test(
        "every path requires the token, on loopback as well",
        arguments: ["/", "/api/state", "/api/events", "/x"]
    )
    func token(path: String) async throws {
        try await Stage.run { stage in
            let console = try await Console(stage)
            #expect(try await console.ask("GET \(path)", knows: false).status == 401)
            #expect(try await console.ask("DELETE /api/traffic", knows: false).status == 401)
            #expect(
                try await console.ask("GET /?token=\(String(repeating: "A", count: 43))", knows: false).status
                    == 401
            )
            let signedIn = try await console.ask("GET /?token=\(console.token)", knows: false)
            let cookie = try #require(signedIn.field("Set-Cookie"))
            #expect(
                signedIn.status == 303 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict")
            )
            let pair = cookie.prefix { $0 != ";" }
            #expect(try await console.ask("GET /", ["Cookie: \(pair)"], knows: false).status == 200)
            await stage.stop()
        }
    }

    @Test("CVE-2018-14505: a name that was rebound to loopback is refused, and so is a foreign page")
    func rebinding() async throws {
        try await Stage.run { stage in
            let console = try await Console(stage)
            #expect(
                try await console.ask("GET /api/state", host: "evil.example:\(console.port)").status == 421
            )
            #expect(
                try await console.ask("DELETE /api/traffic", ["Origin: http://evil.example"]).status == 403
            )
            #expect(try await console.ask("GET /api/events", ["Sec-Fetch-Site: cross-site"]).status == 403)
            await stage.stop()
        }
    }

    @Test("captured content is never a document of the console, and sent content is not echoed")
    func captured() async throws {
        try await Stage.run { stage in
            let console = try await Console(stage)
            let path = "/%3Cscript%3Ealert(1)%3C/script%3E"
            let missing = try await console.ask("GET \(path)")
            #expect(missing.status == 404 && !missing.text.contains("<script>"))
            let odd = try await console.ask("GET /api\(path)")
            #expect(odd.status == 404 && odd.field("Content-Type") == "application/problem+json")
            for answer in [missing, odd] {
                #expect(answer.field("X-Content-Type-Options") == "nosniff")
                #expect(answer.field("Content-Security-Policy")?.contains("script-src 'self'") == true)
            }
            await stage.stop()
        }
    }

    @Test("the token is kept over restarts for its owner alone; the capture's folder has no other secret")
    func tokenFile() async throws {
        try await Stage.run { stage in
            let console = try await Console(stage)
            let path = stage.capturePath + ".token"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == console.token + "\n")
            await stage.stop()
        }
    }

    @Test(
        "a smuggled request is refused as by the proxy",
        arguments: [
            "POST /api/recording HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /api/state HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n",
            "GET /api/state HTTP/1.1\r\nHost : HOST\r\n\r\n", "GET /api/state HTTP/1.1\r\n\r\n",
        ]
    )
    func smuggling(request: String) async throws {
        try await Stage.run { stage in
            let console = try await Console(stage)
            let text = request.replacingOccurrences(of: "HOST", with: console.host)
            let status = try await blocking {
                let client = try Connection(to: console.port)
                try client.send(text)
                return try client.readResponse().status
            }
            #expect(status == 400)
            await stage.stop()
        }
    }

    @Test("--console none serves nothing, and an address that others can reach is refused")
    func choices() async throws {
        var setup = Stage.Setup()
        setup.arguments = ["--console", "none"]
        try await Stage.run(setup) { stage in
            #expect(!FileManager.default.fileExists(atPath: stage.capturePath + ".token"))
            await stage.stop()
        }
        setup.arguments = ["--console", "0.0.0.0:8081"]
        let directory = try TemporaryDirectory()
        try directory.write("", to: "servers.pem")
        let result = try await ProcessRunner.run(try Stage.invocation(setup, in: directory))
        #expect(result.exit == .code(2) && result.errorText.contains("loopback"), "\(result)")
    }
}
