import Foundation
import PinholeTestKit
import Testing

/// The console of a capture, over sockets.
@Suite("The console", .serialized)
struct ConsoleTests {
    private struct Place: Sendable {
        let port: UInt16
        let token: String

        /// The console of a running proxy.
        init(of stage: Stage) async throws {
            try self.init(
                await stage.process.line(from: .errorOutput) { $0.contains("pinhole: console ") }
            )
        }

        init(_ line: String) throws {
            let match = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([\w-]{43})/))
            port = try #require(UInt16(match.1))
            token = String(match.2)
        }

        func request(_ line: String, _ fields: String = "") -> String {
            "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n\(fields)\r\n"
        }
    }

    @Test("the traffic is shown while the proxy runs, and afterwards by “pinhole console”")
    func proxyAndFile() async throws {
        try await Stage.run { stage in
            let place = try await Place(of: stage)
            let events = try await blocking {
                let client = try Connection(to: place.port)
                try client.send(place.request("GET /api/events"))
                let head = try client.readHead()
                #expect(head.status == 200 && head.field("Content-Type") == "text/event-stream")
                _ = try client.read(through: "event: state")
                let other = try Connection(to: stage.port)
                let url = "http://shop.example.test:\(stage.plainPort)/json"
                try other.send("GET \(url) HTTP/1.1\r\nHost: shop.example.test:\(stage.plainPort)\r\n\r\n")
                #expect(try other.readResponse().status == 200)
                _ = try client.read(through: "event: traffic\ndata: ")
                return String(decoding: try client.read(through: "\n"), as: UTF8.self)
            }
            #expect(events.contains("/json\""))
            await stage.stop()

            let binary = try #require(Executable.pinhole)
            let words = ["console", "--capture", stage.capturePath, "--listen", "0"]
            try await SpawnedProcess.run(Invocation(binary, words, directory: stage.directory.path)) {
                process in
                let place = try Place(await process.line { $0.hasPrefix("console ") })
                let texts = try await blocking {
                    // One connection for several questions.
                    let client = try Connection(to: place.port)
                    return try [
                        "/api/traffic", "/api/state", "/", "/api/traffic/index", "/api/export?format=jsonl",
                    ].map {
                        try client.send(place.request("GET \($0)"))
                        return try client.readResponse().text
                    }
                }
                #expect(texts[0].contains("/json\"") && texts[1].contains("\"isRecording\":false"))
                #expect(texts[2].contains("<title>") && texts[4].hasSuffix("}\n"))
                process.send(signal: SIGTERM)
                #expect(await process.result().isSuccess)
            }
        }
    }

    @Test("exchanges that begin while recording is paused are not recorded")
    func recording() async throws {
        try await Stage.run { stage in
            let place = try await Place(of: stage)
            let list = try await blocking {
                let client = try Connection(to: place.port)
                for (number, isOn) in ["false", "true"].enumerated() {
                    let body = "{\"isRecording\": \(isOn)}"
                    let fields = "Content-Length: \(body.utf8.count)\r\n"
                    try client.send(place.request("PUT /api/recording", fields) + body)
                    #expect(try client.readResponse().text == "{\"isRecording\":\(isOn)}")
                    let other = try Connection(to: stage.port)
                    let host = "shop.example.test:\(stage.plainPort)"
                    try other.send("GET http://\(host)/json?\(number) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    #expect(try other.readResponse().status == 200)
                }
                while true {
                    try client.send(place.request("GET /api/traffic"))
                    let text = try client.readResponse().text
                    if text.contains("/json?1") { return text }
                }
            }
            #expect(!list.contains("/json?0"))
            await stage.stop()
        }
    }

    @Test("connections above the limit wait, and a connection without a request is closed at its timeout")
    func connections() async throws {
        try await Stage.run { stage in
            let place = try await Place(of: stage)
            try await blocking {
                var silent = try (0..<70).map { _ in try Connection(to: place.port) }
                silent.removeFirst(10)
                let client = try Connection(to: place.port)
                try client.send(place.request("GET /api/state"))
                #expect(try client.readResponse().status == 200)
                withExtendedLifetime(silent) {}
            }
            await stage.stop()
        }
    }
}
