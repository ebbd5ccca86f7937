import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("Browsers that the console opens", .serialized)
struct ConsoleBrowserTests {
    /// A script in the place of Chromium: it loads its page by curl, as a browser with that command line and home
    /// would, tells its number, and stays.
    private static let script = """
        for word; do
          case "$word" in --proxy-server=*) proxy="${word#*=}";; esac
          page="$word"
        done
        case "$page" in http*) curl -s -o /dev/null -x "$proxy" --cacert "$HOME/pinhole-ca.pem" "$page";; esac
        exec tail -f /dev/null
        """

    /// A proxy that finds nothing but `script` in the place of every browser that is installed.
    private static func setup(_ script: String, _ arguments: [String] = []) -> Stage.Setup {
        var setup = Stage.Setup()
        setup.arguments = arguments
        setup.preamble = "export PATH=$PWD/bin TMPDIR=$PWD/tmp DISPLAY=:0"
        setup.environment = ["WAYLAND_DISPLAY": nil]
        setup.prepare = { _, directory in
            try directory.write("", to: "tmp/.keep")
            let path = try directory.write("#!/bin/sh\nPATH=/usr/bin:/bin\n\(script)\n", to: "bin/chromium")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            let certutil = try #require(Executable.find("certutil"))
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("bin/certutil"),
                withDestinationPath: certutil
            )
        }
        return setup
    }

    private static func homes(_ stage: Stage) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: stage.directory.file("tmp"))
            .filter { $0.hasPrefix("pinhole-browser") }
    }

    private static func listing(_ console: RunningConsole) async throws -> [String: JSONValue] {
        let answer = try await blocking { try console.ask("GET /api/browser") }
        #expect(answer.status == 200, "\(answer)")
        guard case .object(let members) = try JSONValue(parsing: Array(answer.text.utf8)) else { return [:] }
        return members
    }

    /// The numbers of those that run.
    private static func running(_ console: RunningConsole) async throws -> [Int64] {
        guard case .array(let running)? = try await listing(console)["running"] else { return [] }
        return running.compactMap { value in
            guard case .object(let members) = value, case .integer(let id)? = members["id"] else {
                return nil
            }
            return id
        }
    }

    @Test("opens a page through this proxy, trusting its CA; ends it; and the rest end with the proxy")
    func opens() async throws {
        try await Stage.run(Self.setup(Self.script)) { stage in
            let console = try await RunningConsole(of: stage)
            let listed = try await Self.listing(console)
            let chromium: JSONValue = .object(["name": .string("chromium"), "family": .string("chromium")])
            #expect(listed["browsers"] == .array([chromium]) && listed["problem"] == nil, "\(listed)")
            let page = #"{"browser": "chromium", "url": "https://\#(stage.authority)/html"}"#
            let opened = try await blocking { try console.ask("POST /api/browser", page) }
            #expect(opened.status == 201, "\(opened)")
            // That it arrives shows that the proxy is this one, and that the CA of the profile is its own.
            let line = try await stage.event { $0.type == "exchange" && $0.url?.hasSuffix("/html") == true }
            #expect(line.status == 200)
            #expect(try await Self.running(console) == [1] && Self.homes(stage).count == 1)
            let ended = try await blocking { try console.ask("DELETE /api/browser/1") }
            #expect(ended.status == 204, "\(ended)")
            #expect(try await Self.running(console) == [] && Self.homes(stage).isEmpty)
            for id in [2, 3] {
                let again = try await blocking { try console.ask("POST /api/browser") }
                #expect(again.status == 201 && again.text.contains("\"id\":\(id)"), "\(again)")
            }
            #expect(try Self.homes(stage).count == 2)
            await stage.stop()
            #expect(try Self.homes(stage).isEmpty)
        }
    }

    @Test(
        "Chromium loads a page that is captured, and ends with the proxy",
        .enabled(if: Executable.find("chromium") != nil, "chromium is not installed")
    )
    func chromium() async throws {
        let real = try #require(Executable.find("chromium"))
        let script = "exec \(real) --headless --disable-gpu --disable-dev-shm-usage \"$@\""
        try await Stage.run(Self.setup(script)) { stage in
            let console = try await RunningConsole(of: stage)
            let page = #"{"url": "https://\#(stage.authority)/html"}"#
            let opened = try await blocking { try console.ask("POST /api/browser", page) }
            #expect(opened.status == 201, "\(opened)")
            let line = try await stage.event { $0.type == "exchange" && $0.url?.hasSuffix("/html") == true }
            #expect(line.status == 200)
            await stage.stop()
            #expect(try Self.homes(stage).isEmpty)
        }
    }

    @Test("a page of another origin opens nothing, and only named browsers are run")
    func refusals() async throws {
        let script = "echo started >> \"$TMPDIR/started\"; \(Self.script)"
        try await Stage.run(Self.setup(script)) { stage in
            let console = try await RunningConsole(of: stage)
            func asked(_ body: String, _ fields: [String] = []) async throws -> (status: Int, text: String) {
                try await blocking { try console.ask("POST /api/browser", body, fields) }
            }
            for field in [
                "Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:3000",
                "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
            ] { #expect(try await asked("", [field]).status == 403, "\(field)") }
            let path = stage.directory.file("bin/chromium")
            for name in ["firefox", path, "../bin/chromium", "chromium --no-sandbox", "--version", ""] {
                let answer = try await asked(#"{"browser": "\#(name)"}"#)
                #expect(answer.status == 422 && answer.text.contains("expected chromium"), "\(answer)")
            }
            for url in ["--app=https://a.test/", "-", "file:///etc/passwd"] {
                #expect(try await asked(#"{"url": "\#(url)"}"#).status == 422, "\(url)")
            }
            #expect(try await Self.running(console) == [] && Self.homes(stage).isEmpty)
            // The same without a foreign page opens one: what was refused was not refused for something else.
            #expect(try await asked("", ["Origin: http://127.0.0.1:\(console.port)"]).status == 201)
            await stage.stop()
        }
    }

    @Test("a browser that exits with an error is reported with the place of its output")
    func fault() async throws {
        try await Stage.run(Self.setup("exit 7")) { stage in
            let console = try await RunningConsole(of: stage)
            #expect(try await blocking { try console.ask("POST /api/browser") }.status == 201)
            let log = try await blocking {
                try Patience.pollBlocking {
                    let log = try console.ask("GET /api/log").text
                    return log.contains("warning") ? log : nil
                } ?? ""
            }
            #expect(log.contains("chromium ended with the code 7"), "\(log)")
            #expect(log.contains("pinhole browser --browser chromium"), "\(log)")
            await stage.stop()
        }
    }

    @Test("without a browser, the reason and the remedy are shown")
    func obstacles() async throws {
        let reasons: [(preamble: String, arguments: [String], words: String)] = [
            ("unset DISPLAY", [], "there is no display for a window"),
            ("rm bin/chromium", [], "no browser was found"),
            ("rm bin/certutil", [], "libnss3-tools"),
            ("true", ["--listen", "reverse:http://a.test@127.0.0.1:0"], "--listen 127.0.0.1:8080"),
        ]
        for (preamble, arguments, words) in reasons {
            var setup = Self.setup("exit 0", arguments)
            setup.replacesListen = !arguments.isEmpty
            let before = setup.preamble ?? ""
            setup.preamble = preamble.hasPrefix("rm") ? "\(preamble); \(before)" : "\(before); \(preamble)"
            try await Stage.run(setup) { stage in
                let console = try await RunningConsole(of: stage)
                let listed = try await blocking { try console.ask("GET /api/browser") }
                #expect(listed.status == 200 && listed.text.contains(words), "\(listed)")
                #expect(listed.text.contains("\"browsers\":[]") && listed.text.contains("\"remedy\":"))
                let refused = try await blocking { try console.ask("POST /api/browser") }
                #expect(refused.status == 409 && refused.text.contains(words), "\(refused)")
                await stage.stop()
            }
        }
    }

    @Test("a proxy with a password says that the browser will ask for it")
    func password() async throws {
        try await Stage.run(Self.setup(Self.script, ["--proxy-auth", "ann:secret"])) { stage in
            let console = try await RunningConsole(of: stage)
            #expect(try await Self.listing(console)["asksForPassword"] == .boolean(true))
            #expect(try await blocking { try console.ask("POST /api/browser") }.status == 201)
            await stage.stop()
        }
    }
}
