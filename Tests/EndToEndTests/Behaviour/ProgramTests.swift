import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Programs that are asked about exchanges, through the built proxy, with curl in both versions of HTTP.
@Suite("Programs", .serialized)
struct ProgramTests {
    private static let versions = ["--http1.1", "--http2"]
    private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/examples/interceptors").standardizedFileURL.path

    /// A program that names the point in a field, and writes down its process and that it ended.
    private static let heads = #"""
        import json, os, sys
        open("pid", "w").write(str(os.getpid()))
        for line in sys.stdin:
            question = json.loads(line)
            side = question["at"].removesuffix("Head")
            answer = {}
            if side in ("request", "response"):
                assert "body" not in question[side] and "bodyBase64" not in question[side]
                fields = [field for field in question[side]["fields"] if field[0].lower() != "content-encoding"]
                answer = {side: {"fields": fields + [["X-" + side, "1"]]}, "note": "marked"}
            print(json.dumps({"id": question["id"], **answer}), flush=True)
        open("ended", "w").write("in order")
        """#

    private func curl(
        _ stage: Stage,
        _ version: String,
        _ path: String,
        _ more: String...
    ) async throws -> String { try await curl(stage, version, path, more) }

    private func curl(
        _ stage: Stage,
        _ version: String,
        _ path: String,
        _ more: [String]
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

    private func effects(_ capture: CaptureReader, _ path: String) throws -> [String] {
        let id = try #require(try capture.exchanges(limit: 100).first { $0.path == path }?.id)
        return try #require(try capture.exchange(id)).rules.map(\.effect)
    }

    @Test(
        "the examples have their documented effect",
        arguments: ["python3 %/mark.py", "node %/mark.mjs"],
        versions
    )
    func examples(command: String, version: String) async throws {
        try #require(Executable.find(command.hasPrefix("node") ? "node" : "python3") != nil)
        var setup = Stage.Setup()
        setup.arguments = ["--interceptor", command.replacing("%", with: Self.examples)]
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            #expect(try await curl(stage, version, "/teapot") == "short and stout\n 418")
            let echo = try await curl(stage, version, "/echo", "-d", "a=b", "-H", "Cookie: a=b").lowercased()
            #expect(echo.contains("x-seen-by") && !echo.contains("cookie"), "\(echo)")
            #expect(echo.contains(#""bodylength" : 3"#) && echo.hasSuffix(" 200"))
            #expect(try await curl(stage, version, "/json").contains(#""item": "TEAPOT""#))
            #expect(try await curl(stage, version, "/gzip", "--compressed").hasSuffix(" 200"))
            #expect(try await curl(stage, version, "/bytes/10000").hasSuffix(" 200"))
            #expect(try await curl(stage, version, "/continue", "-d", "a secret") == " 000")
            let capture = try await stage.capture(in: version)
            #expect(try effects(capture, "/teapot") == ["answered with 418"])
            #expect(
                try effects(capture, "/json")
                    == ["continued with changed fields", "continued with changed the body to 70 bytes"]
            )
            #expect(try effects(capture, "/gzip") == ["continued with changed fields", "continued"])
            #expect(try effects(capture, "/continue") == ["dropped: it holds a secret"])
        }
    }

    @Test("are asked about heads while bodies pass, and end with the proxy", arguments: versions)
    func heads(version: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = #"""
            {"limits": {"heldBodyBytes": 1000},
             "programs": {"heads": {"command": ["python3", "heads.py"], "at": ["requestHead", "responseHead"], "onFailure": "close"},
                          "whole": {"command": ["cat"], "at": ["response"]}},
             "rules": [{"name": "h", "when": "path != /html", "do": "askProgram", "program": "heads"},
                       {"name": "w", "when": "path == /html", "do": "askProgram", "program": "whole"}]}
            """#
        setup.prepare = { _, directory in try directory.write(Self.heads, to: "heads.py") }
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            let upload = String(repeating: "x", count: 5000)
            let expect = ["-H", "Expect: 100-continue", "-D", "-", "-d", upload]
            let echo = try await curl(stage, version, "/echo", expect).lowercased()
            #expect(echo.contains(#""bodylength" : 5000"#) && echo.contains("x-request"), "\(echo)")
            #expect(echo.contains("x-response: 1\r\n"))
            let long = try await curl(stage, version, "/1mb", "-D", "-", "-o", stage.directory.file("body"))
            #expect(long.lowercased().contains("x-response: 1\r\n"))
            #expect(try stage.directory.read("body").count == 1 << 20)
            let empty = try await curl(stage, version, "/status/204", "-D", "-")
            #expect(empty.hasSuffix(" 204") && empty.lowercased().contains("x-response: 1\r\n"))
            #expect(try await curl(stage, version, "/json", "-I").lowercased().contains("x-response: 1\r\n"))
            // How the body is coded is said still.
            let gzip = try await curl(stage, version, "/gzip", "--compressed")
            #expect(gzip.hasSuffix(" 200") && gzip.utf8.count == (32 << 10) + 4)
            #expect(try await curl(stage, version, "/html").hasSuffix(" 200"))
            let pid = try #require(Int32(String(decoding: stage.directory.read("pid"), as: UTF8.self)))
            let capture = try await stage.capture(in: version)
            #expect(kill(pid, 0) != 0 && errno == ESRCH)
            #expect(try stage.directory.read("ended") == Array("in order".utf8))
            let marked = "continued with changed fields: marked"
            #expect(try effects(capture, "/echo") == [marked, marked])
            #expect(try effects(capture, "/1mb") == [marked, marked])
            // “cat” says what it was asked, which is no answer.
            #expect(
                try effects(capture, "/html").first?.hasPrefix("not applied: its answer cannot be used")
                    == true
            )
        }
    }

    @Test("answer an upload by its head, as rules do", arguments: versions)
    func uploads(version: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = #"""
            {"programs": {"answers": {"command": ["python3", "answers.py"], "at": ["requestHead"]}},
             "rules": [{"when": "path == /mock", "do": "mock", "body": "tea"},
                       {"when": "path startswith /answer", "do": "askProgram", "program": "answers"}]}
            """#
        let script = #"""
            import json, sys
            for line in sys.stdin:
                question = json.loads(line)
                status = int(question["request"]["path"][-3:]) if question["id"] else 200
                answer = {"status": status, "body": "" if status == 204 else "tea"}
                print(json.dumps({"id": question["id"], "respond": answer}), flush=True)
            """#
        // The proxy speaks HTTP/2 with a client whose server does, and where it asks none.
        setup.arguments = ["--offline"]
        setup.prepare = { _, directory in
            try directory.write(script, to: "answers.py")
            try directory.write(String(repeating: "x", count: 20_000_000), to: "upload")
        }
        try await Stage.run(setup) { stage in
            let told = " %{http_code} %{http_version} %{exitcode}"
            let upload = ["-T", stage.directory.file("upload"), "-w", told]
            let end = version == "--http2" ? " 2 0" : " 1.1 0"
            #expect(try await curl(stage, version, "/mock", upload) == "tea 200\(end)")
            #expect(try await curl(stage, version, "/answer/200", upload) == "tea 200\(end)")
            #expect(try await curl(stage, version, "/answer/204", upload) == " 204\(end)")
            #expect(try await curl(stage, version, "/answer/403", upload) == "tea 403\(end)")
            let capture = try await stage.capture(in: version)
            #expect(try effects(capture, "/answer/200") == ["answered with 200"])
        }
    }

    @Test("programs that fail let exchanges pass, or end them, and say so", arguments: versions)
    func failures(version: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = #"""
            {"limits": {"heldBodyBytes": 1000},
             "programs": {"dies": {"command": ["sh", "-c", "read h; read q; echo ouch >&2; exit 3"], "failures": 2},
                          "none": {"command": ["./none"], "onFailure": "close"},
                          "mute": {"command": ["sleep", "1000"], "seconds": 0.1, "onFailure": "close", "at": ["response"]}},
             "rules": [{"name": "d", "when": "path == /json", "do": "askProgram", "program": "dies"},
                       {"name": "n", "when": "path == /html", "do": "askProgram", "program": "none"},
                       {"name": "m", "when": "path == /chunked | path == /1mb", "do": "askProgram", "program": "mute"}]}
            """#
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            for _ in 1...3 { #expect(try await curl(stage, version, "/json").hasSuffix(" 200")) }
            #expect(try await curl(stage, version, "/html") == " 000")
            #expect(try await curl(stage, version, "/chunked") == " 000")
            #expect(try await curl(stage, version, "/1mb") == " 000")
            try await stage.expectAlive()
            let capture = try await stage.capture(in: version)
            let log = String(decoding: stage.process.written(to: .errorOutput), as: UTF8.self)
            for text in [
                "the program “dies”: it ended with the code 3", "the program “dies”: says: ouch",
                "failed 2 times (it ended with the code 3), and is left out for 1 s",
                "the program “none”: could not start ./none: No such file or directory",
                "the program “mute”: it took longer than 0.1 s",
            ] { #expect(log.contains("pinhole: warning: ") && log.contains(text), "\(log)") }
            let failed = try effects(capture, "/json")
            #expect(failed.allSatisfy { $0.hasPrefix("not applied: it ") }, "\(failed)")
            #expect(try effects(capture, "/html").first?.hasPrefix("closed: could not start ./none") == true)
            #expect(try effects(capture, "/chunked") == ["closed: it took longer than 0.1 s"])
            #expect(try effects(capture, "/1mb") == ["not applied: body over 1000 bytes"])
        }
    }

    @Test("cannot be declared by the control API, only named")
    func declaredInFileAlone() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"programs": {"known": {"command": ["cat"]}}}"#
        setup.arguments = ["--interceptor", "python3 \(Self.examples)/mark.py"]
        try await Stage.run(setup) { stage in
            let line = try await stage.process.line(from: .errorOutput) { $0.contains("pinhole: console ") }
            let match = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([\w-]{43})/))
            let port = try #require(UInt16(match.1))
            let token = String(match.2)
            @Sendable func ask(_ line: String, _ body: String) throws -> Response {
                let connection = try Connection(to: port)
                try connection.send(
                    "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                return try connection.readResponse()
            }
            @Sendable func rule(_ text: String) throws -> Response {
                let quoted = text.replacing("\"", with: "\\\"")
                return try ask("PUT /api/rules", "{\"rules\": [\"\(quoted)\"]}")
            }
            try await blocking {
                let trace = stage.directory.file("trace")
                for text in [
                    #"{"do": "askProgram", "program": "touch \#(trace)"}"#,
                    #"{"do": "askProgram", "program": ["touch", "\#(trace)"]}"#,
                    #"{"do": "askProgram", "program": "known", "command": ["touch", "\#(trace)"]}"#,
                    #"{"do": "askProgram", "command": ["touch", "\#(trace)"]}"#,
                ] { #expect(try rule(text).status == 422, "\(text)") }
                let programs = #"{"programs": {"x": {"command": ["touch", "\#(trace)"]}}}"#
                #expect(try ask("PUT /api/settings", programs).status >= 400)
                #expect(try ask("PUT /api/rules", programs).status >= 400)
                #expect(try rule(#"{"do": "askProgram", "program": "known"}"#).status == 200)
                _ = try stage.get("/json")
                #expect(!FileManager.default.fileExists(atPath: trace))
                // What a flag says stays, whatever rules the console sets.
                #expect(try rule(#"{"do": "block", "when": "path == /none"}"#).status == 200)
            }
            let body = try await curl(stage, "--http1.1", "/html")
            #expect(body.hasSuffix(" 200"))
            let capture = try await stage.capture()
            #expect(try effects(capture, "/html").first == "continued with changed fields")
            let file = try stage.directory.read("config.json")
            #expect(!String(decoding: file, as: UTF8.self).contains("touch"))
        }
    }
}
