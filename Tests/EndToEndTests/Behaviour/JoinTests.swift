import Foundation
import PinholeFilter
import PinholeStore
import PinholeTestKit
import Testing

/// `pinhole run` beside `pinhole proxy`, and the lines that the console and http://pinhole.test/ show.
@Suite("Joining a proxy", .serialized)
struct JoinTests {
    private static func run(_ stage: Stage, _ words: [String]) async throws -> ProcessResult {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let environment: [String: String?] = ["PINHOLE_PROXY_AUTH": nil, "NODE_OPTIONS": nil]
        return try await ProcessRunner.run(
            Invocation(
                binary,
                ["run", "--capture", stage.capturePath] + words,
                environment: environment,
                directory: stage.directory.path
            )
        )
    }

    @Test(
        "a program joins the recording proxy without a login, and its traffic is counted separately",
        .enabled(if: Executable.find("curl") != nil),
        arguments: [[], ["--proxy-auth", "ada:secret"]]
    )
    func joins(arguments: [String]) async throws {
        try await Stage.run(Stage.Setup(arguments: arguments)) { stage in
            _ = try await RunningConsole(of: stage)
            if arguments.isEmpty { try await stage.expectAlive() }
            let url = "https://\(stage.authority)/json"
            let result = try await Self.run(stage, ["--", "curl", "-sS", url, url])
            #expect(result.isSuccess && result.text.matches(of: /teapot/).count == 2, "\(result)")
            // The proxy still records; the request of `expectAlive` is one more.
            let recorded = try CaptureReader(path: stage.capturePath)
                .exchanges(ExchangeFilter(try Filter("path == /json")), limit: 10)
            #expect(
                recorded.count == (arguments.isEmpty ? 3 : 2),
                "a run ends after its exchanges are in the file"
            )
            let greeting =
                "pinhole: joined the proxy on 127.0.0.1:\(stage.port), which records into \(stage.capturePath)"
            #expect(result.errorText.contains(greeting), "\(result)")
            #expect(result.errorText.contains("pinhole: 2 exchanges with 1 host\n"), "\(result)")
            let command = "(pinhole flows list --capture \(stage.capturePath))"
            #expect(result.errorText.contains(command), "\(result)")
            let none = try await Self.run(stage, ["--", "sh", "-c", "echo $https_proxy; exit 7"])
            #expect(none.exit == .code(7), "\(none)")
            #expect(none.errorText.contains("no connection reached the proxy"), "\(none)")
            let port = try #require(UInt16(none.text.split(separator: ":").last?.dropLast() ?? ""))
            #expect(try !stage.listens(on: port), "the listener of a run is closed with it")
            let exchanges = try await stage.capture().exchanges(ExchangeFilter(try Filter("")), limit: 10)
            #expect(exchanges.count == (arguments.isEmpty ? 3 : 2))
        }
    }

    @Test(
        "rules of the command line act without a confirmation, and change while the proxy runs",
        .enabled(if: Executable.find("curl") != nil)
    )
    func rules() async throws {
        let arguments = ["--mock", "/json=418:text=tea", "--header", "*=X-Debug: 1"]
        try await Stage.run(Stage.Setup(arguments: arguments)) { stage in
            _ = try await RunningConsole(of: stage)
            let curl = [
                "--quiet", "--", "curl", "-sS", "-w", "%{http_code}", "https://\(stage.authority)/json",
            ]
            #expect(try await Self.run(stage, curl).text == "tea418")
            func rules(_ words: String...) async throws -> ProcessResult {
                let binary = try #require(Executable.pinhole)
                let place = ["--capture", stage.capturePath]
                let arguments = ["rules"] + words.prefix(1) + place + words.dropFirst()
                return try await ProcessRunner.run(
                    Invocation(binary, arguments, environment: [:], directory: stage.directory.path)
                )
            }
            let listed = try await rules("list")
            #expect(
                listed.text.contains(#"{"do": "mock", "when": "path == /json", "status": 418"#),
                "\(listed)"
            )
            #expect(listed.text.contains("1 match\n"), "\(listed)")
            let added = try await rules("add", "mock", "/json", "status=503", "body=first", "--at", "0")
            #expect(added.isSuccess && added.text.contains("added to the running proxy"), "\(added)")
            #expect(try await Self.run(stage, curl).text == "first503")
            #expect(try await rules("edit", "0", "status=404").isSuccess)
            #expect(try await Self.run(stage, curl).text == "first404")
            #expect(try await rules("remove", "0").isSuccess)
            #expect(try await Self.run(stage, curl).text == "tea418")
            let joined = try await Self.run(stage, ["--mock", "/x=200", "--", "true"])
            #expect(
                joined.exit == .code(2) && joined.errorText.contains("--mock needs a proxy of its own"),
                "\(joined)"
            )
        }
    }

    @Test("a proxy without a console is not joined, and flags for a proxy of its own are refused")
    func refusals() async throws {
        try await Stage.run(Stage.Setup(arguments: ["--console", "none"])) { stage in
            let result = try await Self.run(stage, ["--", "true"])
            #expect(result.exit == .code(3), "\(result)")
            #expect(result.errorText.contains("it cannot be joined: it has no console"), "\(result)")
            #expect(result.errorText.contains("to fix it: --capture other.sqlite"), "\(result)")
            let flags = try await Self.run(
                stage,
                ["--isolate", "--resolve", "a.test:1:127.0.0.1", "--", "true"]
            )
            #expect(flags.exit == .code(2), "\(flags)")
            #expect(flags.errorText.contains("--isolate, --resolve need a proxy of its own"), "\(flags)")
        }
    }

    @Test("64 programs can join at one time, and another one after one of them has left")
    func most() async throws {
        try await Stage.run { stage in
            let console = try await RunningConsole(of: stage)
            let body = "{\"process\": \(ProcessInfo.processInfo.processIdentifier)}"
            try await blocking {
                for number in 1...64 {
                    #expect(try console.ask("POST /api/runs", body).status == 201, "\(number)")
                }
                let refused = try console.ask("POST /api/runs", body)
                #expect(refused.status == 503, "\(refused)")
                #expect(refused.text.contains("64 programs have joined"), "\(refused)")
                #expect(try console.ask("DELETE /api/runs/7").status == 200)
                #expect(try console.ask("POST /api/runs", body).status == 201)
            }
        }
    }

    @Test("two runs at one time record into a capture each, unless the capture was named")
    func twoRuns() async throws {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let directory = try TemporaryDirectory(prefix: "pinhole-run")
        try directory.write("{}", to: "config.json")
        let waiting = Invocation(
            binary,
            ["run", "--", "sh", "-c", "echo ready; exec sleep 600"],
            directory: directory.path
        )
        try await SpawnedProcess.run(waiting) { process in
            _ = try await process.line { $0 == "ready" }
            let second = try await ProcessRunner.run(
                Invocation(binary, ["run", "--", "sh", "-c", "exit 5"], directory: directory.path)
            )
            #expect(second.exit == .code(5), "\(second)")
            #expect(second.errorText.contains("pinhole-2.sqlite (pinhole flows list --capture "), "\(second)")
            let words = ["run", "--capture", directory.file("pinhole.sqlite"), "--", "true"]
            let named = try await ProcessRunner.run(Invocation(binary, words, directory: directory.path))
            #expect(named.exit == .code(3) && named.errorText.contains("it has no console"), "\(named)")
            process.send(signal: SIGTERM)
            _ = await process.result()
        }
    }

    @Test("files of a killed proxy are no running proxy")
    func stale() async throws {
        try await Stage.run { stage in
            _ = try await RunningConsole(of: stage)
            stage.process.send(signal: SIGKILL)
            _ = await stage.process.result()
            #expect(FileManager.default.fileExists(atPath: stage.capturePath + ".console"))
            let result = try await Self.run(stage, ["--", "sh", "-c", "exit 5"])
            #expect(result.exit == .code(5) && !result.errorText.contains("joined"), "\(result)")
        }
    }

    @Test("each line for a client works as it stands", .enabled(if: Executable.find("curl") != nil))
    func lines() async throws {
        try await Stage.run { stage in
            let console = try await RunningConsole(of: stage)
            let state = try await blocking { try console.ask("GET /api/state").text }
            let members = try #require(
                try JSONSerialization.jsonObject(with: Data(state.utf8)) as? [String: Any]
            )
            let lines = try #require(members["commands"] as? [[String: String]])
            #expect(
                lines.compactMap { $0["client"] } == [
                    "any program", "curl", "browser", "Python, requests", "Python, urllib", "Node.js", "Java",
                    "Go", "Firefox", "Docker", "this terminal",
                ]
            )
            let page = try await blocking {
                let client = try Connection(to: stage.port)
                try client.send(
                    "GET http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\nConnection: close\r\n\r\n"
                )
                return try client.readResponse().text
            }
            for line in lines {
                let (client, command) = (line["client"] ?? "", line["command"] ?? "")
                let escaped = command.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                    .replacing(">", with: "&gt;")
                #expect(page.contains("<pre>\(escaped)</pre>"), "\(command)")
                guard let runnable = Self.runnable(client, command, stage) else { continue }
                let invocation = Invocation("sh", ["-c", runnable], directory: stage.directory.path)
                let result = try await ProcessRunner.run(invocation)
                #expect(result.isSuccess && result.text.contains("teapot"), "\(client): \(result)")
            }
        }
    }

    /// A line for a server of this machine; `nil` if its client is not installed.
    private static func runnable(_ client: String, _ command: String, _ stage: Stage) -> String? {
        var line = command.replacing("https://example.com/", with: "https://\(stage.authority)/json")
        if line.hasPrefix("pinhole "), let binary = Executable.pinhole {
            line = binary + line.dropFirst("pinhole".count)
        }
        let program: String?
        switch client {
        case "Python, requests":
            guard let python = Executable.testPython else { return nil }
            return line.replacing("python3 -c", with: "\(python) -c")
        case "browser":
            guard Executable.find("certutil") != nil else { return nil }
            line += " --browser chromium -- --headless --disable-gpu --disable-dev-shm-usage --dump-dom"
            program = "chromium"
        case "Go": program = "go"
        // Firefox loads no page without a window and ends, and Docker needs a daemon.
        case "Firefox", "Docker": return nil
        case "this terminal":
            line += " && curl -s https://\(stage.authority)/json"
            program = "curl"
        case "Python, urllib": program = "python3"
        case "Node.js": program = "node"
        case "Java": program = "jshell"
        default: program = "curl"
        }
        return program.flatMap(Executable.find) == nil ? nil : line
    }

    @Test("the console's commands contain the password; the page for other machines does not")
    func passwords() async throws {
        try await Stage.run(Stage.Setup(arguments: ["--proxy-auth", "ada:a b"])) { stage in
            let console = try await RunningConsole(of: stage)
            let state = try await blocking { try console.ask("GET /api/state").text }
            #expect(state.contains(#"ada:a%20b@127.0.0.1"#), "\(state)")
            #expect(!state.contains("jshell"), "Java has no property for a login")
            let page = try await blocking {
                let client = try Connection(to: stage.port)
                let login = Data("ada:a b".utf8).base64EncodedString()
                try client.send(
                    "GET http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\nProxy-Authorization: Basic \(login)\r\n"
                        + "Connection: close\r\n\r\n"
                )
                return try client.readResponse().text
            }
            #expect(
                page.contains("USER:PASSWORD@127.0.0.1:\(stage.port)") && !page.contains("ada:a"),
                "\(page)"
            )
        }
    }
}
