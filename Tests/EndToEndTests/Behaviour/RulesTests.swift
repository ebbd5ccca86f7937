import Foundation
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// Rules of config.json, through the built proxy, with curl in both versions of HTTP.
@Suite("Rules", .serialized)
struct RulesTests {
    private static let rules = #"""
        {"rules": [
          {"name": "ads", "when": "path startswith /ads", "do": "block"},
          {"name": "shut", "when": "path == /shut", "do": "block", "with": "close"},
          {"name": "torn", "when": "path == /torn", "do": "block", "with": "reset"},
          {"name": "tea", "when": "path == /tea", "do": "mock", "status": 418, "fields": ["X-Tea: yes"], "body": "tea"},
          {"name": "none", "when": "path == /none", "do": "mock", "status": 204},
          {"name": "file", "when": "path == /file", "do": "mock", "file": "www/index.html"},
          {"name": "www", "when": "path startswith /www", "do": "mapLocal", "folder": "www", "from": "/www"},
          {"name": "moved", "when": "path startswith /moved/", "do": "redirect", "find": "^(https://[^/]+)/moved/(.*)",
           "to": "$1/$2", "status": 308},
          {"name": "plain", "when": "path startswith /plain", "do": "mapRemote", "to": "http://shop.example.test:PLAIN/echo",
           "from": "/plain"},
          {"name": "dead end", "when": "path == /dead", "do": "mapRemote", "to": "http://127.0.0.1:1"},
          {"name": "request", "when": "path == /request", "do": "rewriteRequest", "path": [{"find": "^/request$", "with": "/echo"}],
           "method": "PUT", "setQuery": ["a=b c"], "set": ["X-Set: 1"], "remove": ["X-Gone"],
           "replace": [{"field": "X-Swap", "find": "(\\w+) (\\w+)", "with": "$2 $1"}]},
          {"name": "response", "when": "path == /json & status == 200", "do": "rewriteResponse", "status": 503,
           "set": ["X-Set: 2"], "remove": ["Content-Type"]},
          {"name": "login", "when": "path == /echo", "do": "setAuthentication", "basic": "me:secret"},
          {"name": "slow", "when": "path == /html", "do": "delay", "seconds": 0.4},
          {"name": "fresh", "when": "path == /html", "do": "noCaching"}
        ]}
        """#

    /// What curl says of an answer.
    private struct Reply {
        var status: Int
        var head: String
        var body: String
    }

    /// curl, in one version of HTTP.
    private struct Asking {
        let stage: Stage
        let version: String

        func callAsFunction(_ path: String, _ more: String...) async throws -> Reply {
            let result = try await ProcessRunner.run(
                Invocation(
                    "curl",
                    [
                        "-sS", version, "--path-as-is", "--max-time", "\(Patience.seconds)", "--cacert",
                        stage.authorityPath,
                        "-x",
                        "http://127.0.0.1:\(stage.port)", "-w", "%{stderr}%{http_code}", "-D",
                        stage.directory.file("head"),
                    ] + more + ["https://\(stage.authority)\(path)"],
                    environment: ["NO_PROXY": "", "no_proxy": ""]
                )
            )
            let head = (try? stage.directory.read("head")).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return Reply(
                status: Int(result.errorText.suffix(3)) ?? 0,
                head: head.lowercased(),
                body: result.text
            )
        }
    }

    @Test("every kind acts, in both versions of HTTP", arguments: ["--http1.1", "--http2"])
    func kinds(version: String) async throws {
        var setup = Stage.Setup()
        setup.prepare = { origin, directory in
            try FileManager.default.createDirectory(
                atPath: directory.file("www/sub"),
                withIntermediateDirectories: true
            )
            try directory.write("<p>index", to: "www/index.html")
            try directory.write("p{}", to: "www/sub/a.css")
            try directory.write("secret", to: "secret.txt")
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("www/leak.txt"),
                withDestinationPath: directory.file("secret.txt")
            )
            let text = Self.rules.replacing("PLAIN", with: "\(origin.plainAddress.port)")
            try directory.write(text, to: "rules.json")
        }
        setup.arguments = ["--config", "rules.json"]
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            let ask = Asking(stage: stage, version: version)
            #expect(try await ask("/ads/1").status == 403)
            #expect(try await ask("/shut").status == 0)
            #expect(try await ask("/torn").status == 0)
            let tea = try await ask("/tea")
            #expect(tea.status == 418 && tea.body == "tea" && tea.head.contains("x-tea: yes"))
            #expect(try await ask("/none").status == 204)
            #expect(try await ask("/tea", "-I").status == 418)
            #expect(try await ask("/file").body == "<p>index")
            try await expectFiles(ask)
            let moved = try await ask("/moved/a?b")
            #expect(moved.status == 308 && moved.head.contains("location: https://\(stage.authority)/a?b"))
            let plain = try await ask("/plain?x=1")
            #expect(plain.status == 200 && plain.body.contains("x=1"), "\(plain)")
            let dead = try await ask("/dead")
            #expect(dead.status == 502 && dead.body.contains("The rule “dead end” led there."), "\(dead)")
            try await expectRewriting(ask)
            let slow = try await ask("/html", "-H", "If-None-Match: x")
            #expect(slow.status == 200 && slow.head.contains("cache-control: no-store"), "\(slow)")
            try await expectRecords(try await stage.capture(in: version))
        }
    }

    private func expectFiles(_ ask: Asking) async throws {
        let index = try await ask("/www/")
        #expect(index.status == 200 && index.body == "<p>index" && index.head.contains("text/html"))
        #expect(try await ask("/www/sub/a.css").head.contains("text/css"))
        for path in ["/www/index.html", "/file"] {
            let whole = try await ask(path)
            let tag = try #require(
                whole.head.split(whereSeparator: \.isNewline).first { $0.hasPrefix("etag: ") }?.dropFirst(6)
            )
            let part = try await ask(path, "-r", "3-7")
            #expect(part.status == 206 && part.body == "index", "\(part)")
            #expect(part.head.contains("content-range: bytes 3-7/8") && part.head.contains("etag: \(tag)"))
            #expect(try await ask(path, "-r", "-5").body == "index")
            #expect(try await ask(path, "-r", "8-").status == 416)
            let same = try await ask(path, "-H", "If-None-Match: \(tag)")
            #expect(same.status == 304 && same.body.isEmpty)
            #expect(try await ask(path, "-I", "-H", "If-None-Match: \(tag)").status == 304)
            let stale = try await ask(path, "-r", "3-7", "-H", "If-Range: \"old\"")
            #expect(stale.status == 200 && stale.body == "<p>index")
            let head = try await ask(path, "-I", "-r", "3-7")
            #expect(head.status == 200 && head.head.contains("content-length: 8"))
        }
        #expect(try await !ask("/www/none").body.contains(ask.stage.directory.path))
        for path in [
            "/www/leak.txt", "/www/../secret.txt", "/www/%2e%2e/secret.txt", "/www/none", "/www/sub",
        ] {
            let reply = try await ask(path)
            #expect(reply.status == 404 && !reply.body.contains("secret\n"), "\(path): \(reply)")
        }
    }

    private func expectRewriting(_ ask: Asking) async throws {
        let request = try await ask(
            "/request",
            "-H",
            "X-Swap: one two",
            "-H",
            "X-Gone: x",
            "--data",
            "content"
        )
        let echo = request.body.lowercased()
        #expect(request.status == 200, "\(request)")
        for expected in ["put", "a=b%20c", "two one", "x-set"] {
            #expect(echo.contains(expected), "\(expected) in \(echo)")
        }
        #expect(!echo.contains("x-gone"))
        let response = try await ask("/json")
        #expect(response.status == 503 && response.body.contains("teapot"))
        #expect(response.head.contains("x-set: 2") && !response.head.contains("content-type"))
        #expect(try await ask("/echo").body.lowercased().contains("basic bwu6c2vjcmv0"))
    }

    /// The capture holds what the peers said, and what rules did.
    private func expectRecords(_ capture: CaptureReader) async throws {
        let exchanges = try capture.exchanges(limit: 100)
        #expect(exchanges.allSatisfy { $0.notes.contains(.ruled) })
        let response = try #require(exchanges.first { $0.path == "/json" })
        #expect(response.status == 200)
        let record = try #require(try capture.exchange(response.id))
        #expect(record.rules.map(\.rule) == ["response"])
        #expect(record.rules.first?.effect == "changed status 200 to 503, content-type, x-set")
        let slow = try #require(exchanges.first { $0.path == "/html" })
        #expect(try capture.exchange(slow.id)?.rules.map(\.rule) == ["slow", "fresh", "fresh"])
        let waited = try #require(slow.timings.ended.map { $0 - slow.timings.started })
        #expect(waited >= .milliseconds(400))
    }

    @Test(
        "only messages of throttled exchanges are delayed, in both directions",
        arguments: ["--http1.1", "--http2"]
    )
    func throttle(version: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = #"""
            {"rules": [{"do": "throttle", "downKilobits": 800, "when": "path startswith /bytes/"},
                       {"do": "throttle", "upKilobits": 800, "latencyMilliseconds": 200, "when": "path == /echo"}]}
            """#
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            let ask = Asking(stage: stage, version: version)
            #expect(try await ask("/bytes/100000").body.utf8.count == 100_000)
            try stage.directory.write(String(repeating: "x", count: 100_000), to: "upload")
            #expect(
                try await ask("/echo", "--data-binary", "@" + stage.directory.file("upload")).status == 200
            )
            #expect(try await ask("/1mb").status == 200)
            let capture = try await stage.capture(in: version)
            for exchange in try capture.exchanges(limit: 10) {
                let took = try #require(exchange.timings.ended) - exchange.timings.started
                let record = try #require(try capture.exchange(exchange.id))
                #expect(record.rules.isEmpty == (exchange.path == "/1mb"))
                if !record.rules.isEmpty { #expect(took > .milliseconds(900), "\(exchange.path): \(took)") }
            }
        }
    }

    @Test("a request that waits is not sent when its client leaves, or the proxy stops")
    func waiting() async throws {
        var setup = Stage.Setup()
        setup.configuration =
            #"{"rules": [{"do": "delay", "seconds": 600, "when": "path startswith /slow"}]}"#
        try await Stage.run(setup) { stage in
            let port = try await blocking {
                let connection = try stage.tunnel()
                try connection.send("GET /slow/1 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                let port = connection.localPort
                #expect(try stage.get("/json").status == 200)
                connection.close()
                return port
            }
            _ = try await stage.flow(from: port)
            try await blocking {
                let connection = try stage.tunnel()
                try connection.send("GET /slow/2 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                #expect(try stage.get("/json").status == 200)
                stage.process.send(signal: SIGTERM)
                _ = try? connection.readToEnd()
            }
            let exchanges = try await stage.capture().exchanges(limit: 10).filter {
                $0.path.hasPrefix("/slow")
            }
            #expect(exchanges.count == 2 && exchanges.allSatisfy { $0.status == nil })
            let outcomes = exchanges.sorted { $0.path < $1.path }.map(\.outcome)
            guard case .aborted(by: .client, _) = outcomes.first else {
                Issue.record("\(outcomes)")
                return
            }
        }
    }

    @Test("changed rules take effect on an open connection")
    func reload() async throws {
        var setup = Stage.Setup()
        setup.configuration = "{}"
        try await Stage.run(setup) { stage in
            // The proxy reads the file when it gets the signal.
            try await stage.configure(#"{"rules": [{"do": "block", "with": 451}]}"#)
            try await blocking {
                let connection = try stage.tunnel()
                let get = {
                    try connection.send("GET /json HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                    return try connection.readResponse().status
                }
                #expect(try get() == 200)
                stage.process.send(signal: SIGHUP)
                let status = try Patience.pollBlocking { [try get()].first { $0 != 200 } }
                #expect(status == 451)
            }
        }
    }
}
