import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Breakpoints of a running proxy, decided about by its API, with curl in both versions of HTTP.
@Suite("Breakpoints", .serialized)
struct BreakpointTests {
    private static let configuration = #"""
        {"rules": [
          {"name": "forgotten", "when": "path == /html", "do": "breakpoint", "seconds": 1},
          {"name": "back", "when": "path == /json", "do": "breakpoint", "at": "response"},
          {"name": "there", "when": "path != /json & path != /html", "do": "breakpoint"},
          {"name": "mocked", "when": "path == /mocked", "do": "mock", "status": 410, "body": "gone"}
        ]}
        """#

    private func curl(
        _ stage: Stage,
        _ version: String,
        _ path: String,
        _ more: String...
    ) async throws -> String {
        let result = try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-sS", version, "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath,
                    "-x",
                    "http://127.0.0.1:\(stage.port)", "-w", " %{http_code}",
                ] + more + ["https://\(stage.authority)\(path)"],
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
        return result.text
    }

    @Test("refuse impossible changes of a message")
    func refused() async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.configuration
        try await Stage.run(setup) { stage in
            let api = try await RunningConsole(of: stage)
            async let answered = curl(stage, "--http1.1", "/never")
            try await blocking {
                let id = try api.held("/never")
                let way = "POST /api/breakpoints/\(id)"
                #expect(try api.ask("GET /api/breakpoints").text.contains(#""secondsLeft":"#))
                // Whoever is asked about it sees it in the capture.
                #expect(try api.lists("/never"))
                #expect(try api.ask("\(way)/continue", #"{"status": 404}"#).status == 400)
                #expect(try api.ask("\(way)/respond", #"{"status": 204, "body": "tea"}"#).status == 400)
                let field = try api.ask("\(way)/respond", #"{"fields": [["X", "y"], ["Host", "b"]]}"#)
                #expect(field.status == 400 && field.text.contains("fields[1]: expected"), "\(field.text)")
                let unknown = try api.ask("\(way)/respond", #"{"bdy": "a"}"#)
                #expect(unknown.text.contains("write “body”"), "\(unknown.text)")
                let both = try api.ask("\(way)/respond", #"{"body": "a", "bodyBase64": "YQ=="}"#)
                #expect(
                    both.status == 400 && both.text.contains("expected body or bodyBase64"),
                    "\(both.text)"
                )
                #expect(try api.ask("\(way)/respond", #"{"status": 204}"#).status == 204)
            }
            #expect(try await answered == " 204")
            async let response = curl(stage, "--http1.1", "/json")
            try await blocking {
                let id = try api.held("/json")
                #expect(try api.ask("POST /api/breakpoints/\(id)/continue", #"{"path": "/"}"#).status == 400)
                #expect(try api.ask("POST /api/breakpoints/\(id)/continue").status == 204)
            }
            #expect(try await response.hasSuffix(" 200"))
            async let head = curl(stage, "--http1.1", "/json", "-I")
            try await blocking {
                let id = try api.held("/json")
                let body = try api.ask("POST /api/breakpoints/\(id)/continue", #"{"body": "tea"}"#)
                #expect(body.status == 400 && body.text.contains("HEAD is answered"), "\(body.text)")
                #expect(try api.ask("POST /api/breakpoints/\(id)/continue").status == 204)
            }
            #expect(try await head.hasSuffix(" 200"))
        }
    }

    @Test(
        "hold messages that are edited, answered, dropped or forgotten",
        arguments: ["--http1.1", "--http2"]
    )
    func decided(version: String) async throws {
        var setup = Stage.Setup()
        setup.speaksHTTP2 = version == "--http2"
        setup.configuration = Self.configuration
        try await Stage.run(setup) { stage in
            let api = try await RunningConsole(of: stage)
            async let edited = curl(stage, version, "/echo", "-d", "a=b")
            try await blocking {
                let id = try api.held("/echo")
                let message = try api.ask("GET /api/breakpoints/\(id)").text
                #expect(
                    message.contains(#""at":"request""#) && message.contains(#""bodyBase64":"YT1i""#),
                    "\(message)"
                )
                let edit =
                    #"{"method": "PUT", "path": "/echo?x", "body": "longer", "fields": [["X-New", "1"], ["Accept", "*/*"]]}"#
                #expect(try api.ask("POST /api/breakpoints/\(id)/continue", edit).status == 204)
                #expect(try api.ask("POST /api/breakpoints/\(id)/continue", edit).status == 404)
            }
            let echo = try await edited
            #expect(
                echo.contains(#""method" : "PUT""#) && echo.contains(#""bodyLength" : 6"#)
                    && echo.hasSuffix(" 200"),
                "\(echo)"
            )
            #expect(echo.lowercased().contains("x-new") && !echo.lowercased().contains("user-agent"))

            async let response = curl(stage, version, "/json")
            try await blocking {
                let id = try api.held("/json")
                #expect(try api.ask("GET /api/breakpoints/\(id)").text.contains(#""status":200"#))
                #expect(
                    try api.ask("POST /api/breakpoints/\(id)/continue", #"{"status": 503, "body": "no"}"#)
                        .status == 204
                )
            }
            #expect(try await response == "no 503")

            async let answered = curl(stage, version, "/never")
            try await blocking {
                let id = try api.held("/never")
                #expect(
                    try api.ask("POST /api/breakpoints/\(id)/respond", #"{"status": 418, "body": "tea"}"#)
                        .status == 204
                )
            }
            #expect(try await answered == "tea 418")

            async let mocked = curl(stage, version, "/mocked", "-d", "a=b")
            try await blocking {
                let id = try api.held("/mocked")
                let way = "POST /api/breakpoints/\(id)/continue"
                #expect(try api.ask(way, #"{"body": "longer"}"#).status == 204)
            }
            #expect(try await mocked == "gone 410")

            async let dropped = curl(stage, version, "/status/200")
            try await blocking {
                let id = try api.held("/status/200")
                #expect(try api.ask("POST /api/breakpoints/\(id)/drop", #"{"reset": "x"}"#).status == 400)
                #expect(try api.ask("POST /api/breakpoints/\(id)/drop").status == 204)
            }
            #expect(try await dropped == " 000")
            #expect(try await curl(stage, version, "/html").hasSuffix(" 200"))
            try await expectRecords(try await stage.capture(in: version))
        }
    }

    private func expectRecords(_ capture: CaptureReader) async throws {
        let exchanges = try capture.exchanges(limit: 100)
        func effect(_ path: String) throws -> String? {
            let id = try #require(exchanges.first { $0.path == path }?.id)
            return try capture.exchange(id)?.rules.map(\.effect).first
        }
        #expect(
            try effect("/echo?x")
                == "continued with changed method POST to PUT, path /echo to /echo?x, fields, the body to 6 bytes"
        )
        #expect(try effect("/json") == "continued with changed status 200 to 503, the body to 2 bytes")
        #expect(try effect("/never") == "answered with 418")
        // A rule answers after the breakpoint, and the request was not sent: the capture has what came.
        let mocked = try #require(exchanges.first { $0.path == "/mocked" }?.id)
        let record = try #require(try capture.exchange(mocked))
        #expect(record.rules.map(\.rule) == ["mocked", "there"])
        #expect(record.request.body.length == 3 && record.request.body.isComplete)
        #expect(try effect("/status/200") == "dropped")
        #expect(try effect("/html") == "went on: nobody decided for 1 s")
        #expect(exchanges.first { $0.path == "/json" }?.status == 503)
        // The list says what was asked for in the end, as the head does.
        let edited = try #require(exchanges.first { $0.path == "/echo?x" })
        #expect(edited.method == "PUT" && !exchanges.contains { $0.path == "/echo" })
        let head = try capture.exchange(edited.id)?.request.head ?? []
        #expect(String(decoding: head, as: UTF8.self).hasPrefix("PUT /echo?x"), "\(head)")
    }

    @Test(
        "when the client leaves, its held message is released, and an event reports it",
        arguments: [true, false]
    )
    func left(isTLS: Bool) async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.configuration
        try await Stage.run(setup) { stage in
            let api = try await RunningConsole(of: stage)
            try await blocking {
                let events = try Connection(to: api.port)
                try events.send(
                    "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(api.port)\r\nAuthorization: Bearer \(api.token)\r\n\r\n"
                )
                _ = try events.readHead()
                do {
                    let client = try isTLS ? stage.tunnel() : Connection(to: stage.port)
                    let host = "shop.example.test:\(isTLS ? stage.securePort : stage.plainPort)"
                    let target = isTLS ? "/echo" : "http://\(host)/echo"
                    try client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    let told = try events.read(through: #""at":"request""#)
                    #expect(String(decoding: told, as: UTF8.self).contains("event: breakpoints\ndata: [{"))
                    client.close()
                }
                _ = try events.read(through: "event: breakpoints\ndata: []")
                #expect(try api.ask("GET /api/breakpoints").text == #"{"held":[]}"#)
            }
        }
    }

    @Test("without a console, no message is held")
    func unattended() async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.configuration
        setup.arguments = ["--console", "none"]
        try await Stage.run(setup) { stage in
            #expect(try await curl(stage, "--http1.1", "/echo").hasSuffix(" 200"))
            let capture = try await stage.capture()
            let id = try #require(try capture.exchanges(limit: 1).first?.id)
            #expect(
                try capture.exchange(id)?.rules.map(\.effect)
                    == ["not applied: nobody can decide, since there is no console"]
            )
        }
    }
}

extension RunningConsole {
    /// The number of the next message that is held.
    fileprivate func held(_ words: String) throws -> Int64 {
        let found: Int64? = try Patience.pollBlocking {
            let list = try ask("GET /api/breakpoints").text
            guard list.contains(words),
                case .object(let members) = try JSONValue(parsing: Array(list.utf8)),
                case .array(let held)? = members["held"], case .object(let first)? = held.first,
                case .integer(let id)? = first["id"]
            else { return nil }
            return id
        }
        return try #require(found, "nothing is held with \(words)")
    }

    /// Whether an exchange with this path comes to be listed, before it has ended.
    fileprivate func lists(_ path: String) throws -> Bool {
        let isOpen: Bool? = try Patience.pollBlocking {
            let list = try ask("GET /api/traffic").text
            return list.contains(#""path":"\#(path)""#) ? !list.contains(#""outcome""#) : nil
        }
        return isOpen ?? false
    }
}
