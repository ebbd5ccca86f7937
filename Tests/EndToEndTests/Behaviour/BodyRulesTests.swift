import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Rules that change bodies, through the built proxy, with curl in both versions of HTTP.
@Suite("Rules for bodies", .serialized)
struct BodyRulesTests {
    private static let configuration = #"""
        {"limits": {"heldBodyBytes": 100000, "heldBodySeconds": 1},
         "rules": [
          {"name": "price", "when": "path == /json", "do": "rewriteResponse", "set": ["X-Set: 1"], "removeJSON": ["/inStock"],
           "setJSON": [{"at": "/price", "value": 1}, {"at": "/tags", "value": ["a"]}]},
          {"name": "gzip", "when": "path == /gzip", "do": "rewriteResponse", "replaceBody": [{"find": "(?-i)^.", "with": "<$0>"}]},
          {"name": "chunks", "when": "path == /chunked", "do": "rewriteResponse", "replaceBody": [{"find": "chunk", "with": "piece"}]},
          {"name": "page", "when": "path == /html", "do": "rewriteResponse", "file": "page.html"},
          {"name": "gone", "when": "path == /status/200", "do": "rewriteResponse", "file": "none.html"},
          {"name": "long", "when": "path == /1mb", "do": "rewriteResponse", "body": "x"},
          {"name": "slow", "when": "path == /slow/60", "do": "rewriteResponse", "body": "x"},
          {"name": "none", "when": "path == /status/204", "do": "rewriteResponse", "body": "x"},
          {"name": "binary", "when": "path startswith /bytes", "do": "rewriteResponse", "replaceBody": [{"find": "a", "with": "b"}]},
          {"name": "request", "when": "path == /echo", "do": "rewriteRequest", "replaceBody": [{"find": "(\\w+)=(\\w+)", "with": "$2=$1!"}]}
         ]}
        """#

    private struct Reply {
        var status: Int
        var head: String
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private func ask(
        _ stage: Stage,
        _ version: String,
        _ path: String,
        _ more: String...
    ) async throws -> Reply {
        let result = try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-sS", version, "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath,
                    "-x",
                    "http://127.0.0.1:\(stage.port)", "-w", "%{stderr}%{http_code}", "-D",
                    stage.directory.file("head"), "-o", stage.directory.file("body"),
                ] + more + ["https://\(stage.authority)\(path)"],
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
        let body = (try? stage.directory.read("body")) ?? []
        try? FileManager.default.removeItem(atPath: stage.directory.file("body"))
        let head = (try? stage.directory.read("head")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Reply(status: Int(result.errorText.suffix(3)) ?? 0, head: head.lowercased(), body: body)
    }

    @Test("change messages, and record it", arguments: ["--http1.1", "--http2"])
    func bodies(version: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.configuration
        setup.prepare = { _, directory in try directory.write("<p>new", to: "page.html") }
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            let json = try await ask(stage, version, "/json")
            #expect(json.text == #"{"item": "teapot", "price": 1, "currency": "EUR","tags":["a"]}"# + "\n")
            #expect(
                json.head.contains("content-length: \(json.body.count)\r\n") && json.head.contains("x-set: 1")
            )
            let gzip = try await ask(stage, version, "/gzip", "-H", "Accept-Encoding: gzip")
            #expect(gzip.body.starts(with: Array("<".utf8)) && gzip.body.count == (32 << 10) + 2)
            #expect(!gzip.head.contains("content-encoding") && gzip.head.contains("vary"))
            let chunks = try await ask(stage, version, "/chunked")
            #expect(chunks.text == "Each line came in a piece of its own.\n")
            if version == "--http2" { #expect(chunks.head.contains("200")) }
            #expect(try await ask(stage, version, "/html").text == "<p>new")
            #expect(try await ask(stage, version, "/status/200").text == "Status 200.\n")
            #expect(try await ask(stage, version, "/1mb").body.count == 1 << 20)
            #expect(try await ask(stage, version, "/slow/60").text.hasSuffix("line 60\n"))
            #expect(try await ask(stage, version, "/status/204").status == 204)
            #expect(try await ask(stage, version, "/bytes/100").body.count == 100)
            let head = try await ask(stage, version, "/json", "-I")
            #expect(head.status == 200)
            let echo = try await ask(stage, version, "/echo", "-d", "one=two")
            #expect(echo.text.contains(#""bodyLength" : 8"#), "\(echo)")
            try await expectRecords(try await stage.capture(in: version))
        }
    }

    /// The capture holds what was sent on, and what was done to it.
    private func expectRecords(_ capture: CaptureReader) async throws {
        let exchanges = try capture.exchanges(limit: 100)
        func effects(_ path: String) throws -> [String] {
            let id = try #require(exchanges.first { $0.path == path && $0.method != "HEAD" }?.id)
            return try #require(try capture.exchange(id)).rules.map(\.effect)
        }
        #expect(try effects("/json") == ["changed x-set", "changed the body to 63 bytes"])
        #expect(try effects("/gzip") == ["changed the body to 32770 bytes"])
        #expect(try effects("/html") == ["changed the body to 6 bytes"])
        #expect(try effects("/status/200").first?.hasPrefix("not applied: ") == true)
        #expect(try effects("/1mb") == ["not applied: body over 100000 bytes"])
        #expect(try effects("/slow/60") == ["not applied: the body was not there within 1 s"])
        #expect(try effects("/status/204") == ["not applied: the response has no body"])
        #expect(try effects("/bytes/100") == ["changed the body to 100 bytes"])
        #expect(try effects("/echo") == ["changed the body to 8 bytes"])
        let id = try #require(exchanges.first { $0.path == "/json" && $0.method == "GET" }?.id)
        let record = try #require(try capture.exchange(id))
        #expect(record.response.map { $0.fields.first("content-length") } == "63")
        #expect(record.response?.body.length == 63)
        let echo = try #require(exchanges.first { $0.path == "/echo" })
        #expect(try capture.exchange(echo.id)?.request.body.inline == Array("two=one!".utf8))
    }
}
