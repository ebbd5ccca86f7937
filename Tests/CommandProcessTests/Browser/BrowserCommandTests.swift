import Foundation
import PinholeCrypto
import PinholeTestKit
import Testing

/// Browsers here are scripts, which tell what they were given; a real one is in the end-to-end tests.
@Suite("pinhole browser")
struct BrowserCommandTests {
    /// The command with a proxy that runs, and with a browser that is a script.
    private struct Scene {
        let binary: PinholeBinary
        let port: UInt16
        /// Where temporary directories are made.
        var temporary: String { binary.directory.file("tmp") }
        var homes: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? [])
                .filter { $0.hasPrefix("pinhole-browser") }
        }

        func invocation(_ arguments: [String], _ environment: [String: String?] = [:]) -> Invocation {
            let variables: [String: String?] = [
                "PATH": "\(binary.directory.file("bin")):/usr/bin:/bin", "TMPDIR": temporary, "DISPLAY": ":0",
                "WAYLAND_DISPLAY": nil, "XAUTHORITY": nil,
            ]
            return binary.invocation(
                ["browser", "--proxy", "127.0.0.1:\(port)"] + arguments,
                variables.merging(environment) { $1 }
            )
        }

        func run(_ arguments: [String], _ environment: [String: String?] = [:]) async throws -> ProcessResult
        {
            try await ProcessRunner.run(invocation(arguments, environment))
        }
    }

    /// Runs a proxy and `body` beside it.
    private func scene(
        _ script: String,
        as name: String = "chromium",
        proxy: [String] = [],
        _ body: (Scene) async throws -> Void
    ) async throws {
        let binary = try PinholeBinary()
        try FileManager.default.createDirectory(
            atPath: binary.directory.file("tmp"),
            withIntermediateDirectories: true
        )
        try Self.install(script, as: name, in: binary.directory)
        let arguments = ["proxy", "--listen", "127.0.0.1:0", "--capture", "none"] + proxy
        try await SpawnedProcess.run(binary.invocation(arguments)) { process in
            let line = try await process.line { $0.contains("listening on") }
            let match = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/))
            try await body(Scene(binary: binary, port: try #require(UInt16(match.1))))
        }
    }

    private static func install(_ script: String, as name: String, in directory: TemporaryDirectory) throws {
        try directory.writeScript("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
    }

    /// The CA that a database trusts for servers, in PEM.
    private static func look(_ database: String) -> String {
        "certutil -L -d \"sql:\(database)\" | grep 'C,,'; certutil -L -a -n 'Pinhole CA' -d \"sql:\(database)\""
    }

    @Test("opens a browser that uses the proxy and trusts its CA, and leaves nothing behind")
    func chromium() async throws {
        let script = """
            printf '%s\\n' "$0" "$@"; stat -c 'mode %a' "$HOME"
            \(Self.look("$HOME/.pki/nssdb")); \(Self.look("$XDG_DATA_HOME/pki/nssdb"))
            cat "$XDG_CONFIG_HOME/user-dirs.dirs"; exit 7
            """
        try await scene(script) { scene in
            let result = try await scene.run(["https://a.example.test/?q=1#top", "--", "--window-size=1,2"])
            #expect(result.exit == .code(7), "\(result)")
            let lines = result.text.split(separator: "\n").map(String.init)
            #expect(lines.first == scene.binary.directory.file("bin/chromium"))
            #expect(lines.contains("--proxy-server=http://127.0.0.1:\(scene.port)"))
            let page = try #require(lines.firstIndex(of: "https://a.example.test/?q=1#top"))
            #expect(lines[page - 1] == "--window-size=1,2")
            #expect(lines[page + 1] == "mode 700")
            let root = String(decoding: try scene.binary.directory.read("ca/rootCA.pem"), as: UTF8.self)
            let found = TrustBundle(pem: Array(result.text.utf8)).certificates
            let known = TrustBundle(pem: Array(root.utf8)).certificates
            #expect(known.count == 1 && found == known, "\(result)")
            #expect(result.text.components(separatedBy: "BEGIN CERTIFICATE").count == 3, "twice the same")
            #expect(
                lines.filter { $0.hasPrefix("Pinhole CA ") && $0.contains("C,,") }.count == 2,
                "\(result)"
            )
            #expect(lines.last == "XDG_DOWNLOAD_DIR=\"\(scene.binary.directory.path)\"")
            #expect(result.errorText.contains("bin/chromium through 127.0.0.1:\(scene.port)"), "\(result)")
            #expect(scene.homes.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: scene.binary.directory.file(".pki")))
        }
    }

    @Test("Firefox has proxy and CA in its profile")
    func firefox() async throws {
        let script = """
            printf '%s\\n' "$@"; cat "$4/user.js"; \(Self.look("$4"))
            """
        try await scene(script, as: "firefox-esr") { scene in
            let result = try await scene.run(["--browser", "firefox-esr", "https://a.example.test/"])
            #expect(result.isSuccess, "\(result)")
            #expect(result.text.contains("user_pref(\"network.proxy.ssl_port\", \(scene.port));"))
            let root = String(decoding: try scene.binary.directory.read("ca/rootCA.pem"), as: UTF8.self)
            let known = TrustBundle(pem: Array(root.utf8)).certificates
            #expect(TrustBundle(pem: Array(result.text.utf8)).certificates == known)
            #expect(scene.homes.isEmpty)
        }
    }

    @Test("signals end the browser, and the profile goes with it", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(_ signal: Int32) async throws {
        let script = "trap 'exit 9' TERM INT HUP; echo ready; while :; do sleep 0.05; done"
        try await scene(script) { scene in
            try await SpawnedProcess.run(scene.invocation([])) { process in
                _ = try await process.line { $0 == "ready" }
                #expect(scene.homes.count == 1)
                process.send(signal: signal)
                let result = await process.result()
                #expect(result.exit == .code(9), "\(result)")
                #expect(scene.homes.isEmpty)
            }
        }
    }

    @Test("a kept profile stays, and trusts the CA of today alone")
    func kept() async throws {
        let script = "date >> \"$HOME/visits\"; wc -l < \"$HOME/visits\"; \(Self.look("$HOME/.pki/nssdb"))"
        let kept = try TemporaryDirectory()
        var roots: [[Certificate]] = []
        for visit in 1...2 {
            // Each time with another CA.
            try await scene(script) { scene in
                let result = try await scene.run(["--keep-profile", kept.file("profile")])
                #expect(result.isSuccess && result.text.hasPrefix("\(visit)\n"), "\(result)")
                #expect(scene.homes.isEmpty)
                roots.append(TrustBundle(pem: Array(result.text.utf8)).certificates)
                let root = TrustBundle(pem: try scene.binary.directory.read("ca/rootCA.pem"))
                #expect(roots.last == root.certificates)
            }
        }
        #expect(roots.count == 2 && roots.first != roots.last)
    }

    @Test("says how to start a proxy if none answers")
    func noProxy() async throws {
        let binary = try PinholeBinary()
        try Self.install("echo started", as: "chromium", in: binary.directory)
        let environment = ["PATH": "\(binary.directory.file("bin")):/usr/bin:/bin", "DISPLAY": ":0"]
        // Nobody listens on port 1.
        let result = try await binary.run("browser", "--proxy", "127.0.0.1:1", environment: environment)
        #expect(result.exit == .code(3) && result.text.isEmpty, "\(result)")
        #expect(result.errorText.contains("no proxy answers at 127.0.0.1:1"), "\(result)")
        #expect(result.errorText.contains("pinhole proxy"), "\(result)")
        try binary.directory.write(
            #"{"proxy": {"listen": ["reverse:http://a.test@127.0.0.1:9", "127.0.0.1:2"]}}"#,
            to: "c.json"
        )
        // The listener of the file is not confirmed, so no proxy is started with it.
        let named = try await binary.run("browser", "--config", "c.json", environment: environment)
        #expect(named.errorText.contains("no proxy runs at 127.0.0.1:2"), "\(named)")
        #expect(named.exit == .code(3) && named.text.isEmpty, "\(named)")
        try binary.directory.write(#"{"proxy": {"listen": ["127.0.0.1:0"]}}"#, to: "c.json")
        let unknown = try await binary.run("browser", "--config", "c.json", environment: environment)
        #expect(unknown.exit == .code(2) && unknown.errorText.contains("--proxy HOST:PORT"), "\(unknown)")
    }

    @Test("a browser gets a proxy of its own, with a console, if none runs where the configuration says")
    func ownProxy() async throws {
        let binary = try PinholeBinary()
        let script = "printf '%s\\n' \"$@\"; \(Self.look("$HOME/.pki/nssdb")); exit 4"
        try Self.install(script, as: "chromium", in: binary.directory)
        let environment = ["PATH": "\(binary.directory.file("bin")):/usr/bin:/bin", "DISPLAY": ":0"]
        try binary.directory.write(#"{"proxy": {"listen": ["127.0.0.1:2"]}}"#, to: "c.json")
        let words = ["browser", "--config", "c.json", "--ca-dir", "ca", "--capture", "own.sqlite"]
        let result = try await ProcessRunner.run(binary.invocation(words, environment))
        #expect(result.exit == .code(4), "\(result)")
        #expect(result.errorText.contains("no proxy runs at 127.0.0.1:2"), "\(result)")
        #expect(result.errorText.contains("pinhole: console http://127.0.0.1:"), "\(result)")
        #expect(result.errorText.contains("the browser opened no connection"), "\(result)")
        let proxy = try #require(result.text.firstMatch(of: /--proxy-server=http:\/\/127\.0\.0\.1:(\d+)/))
        #expect(!["2", "0"].contains(proxy.1), "\(result)")
        let root = TrustBundle(pem: try binary.directory.read("ca/rootCA.pem")).certificates
        let trusted = TrustBundle(pem: Array(result.text.utf8)).certificates
        #expect(root.count == 1 && trusted == root, "\(result)")
    }

    @Test(
        "refuses flags that a running proxy cannot follow",
        arguments: [
            ["--capture", "own.sqlite"], ["--danger-accept", "bad.test"], ["--upstream-ca", "ca.pem"],
        ]
    )
    func flagsOfProxy(flags: [String]) async throws {
        try await scene("echo started") { scene in
            let result = try await scene.run(flags)
            #expect(result.exit == .code(2) && result.text.isEmpty, "\(result)")
            #expect(result.errorText.contains(flags[0]), "\(result)")
            #expect(result.errorText.contains("127.0.0.1:\(scene.port)") && scene.homes.isEmpty, "\(result)")
        }
    }

    @Test("a proxy with another CA is reported before anything is opened")
    func otherAuthority() async throws {
        try await scene("echo started") { scene in
            let other = try PinholeBinary()
            let made = try await other.run("ca", "init")
            #expect(made.isSuccess, "\(made)")
            let result = try await scene.run(["--ca-dir", other.directory.file("ca")])
            #expect(result.exit == .code(3) && result.text.isEmpty, "\(result)")
            #expect(
                result.errorText.contains("has another CA than \(other.directory.file("ca"))"),
                "\(result)"
            )
            #expect(result.errorText.contains("--ca-dir DIR"))
            let none = try await scene.run(["--ca-dir", "nowhere"])
            #expect(none.exit == .code(3) && none.errorText.contains("nowhere"), "\(none)")
            #expect(none.errorText.contains("--ca-dir DIR") && none.text.isEmpty, "\(none)")
        }
    }

    @Test("a proxy with a password: the browser asks, and no command line has it")
    func password() async throws {
        let script = "printf '%s\\n' \"$@\"; grep -r secret \"$HOME\""
        try await scene(script, proxy: ["--proxy-auth", "ann:secret"]) { scene in
            let unknown = try await scene.run([])
            #expect(unknown.text.contains("about:blank"), "\(unknown)")
            #expect(unknown.errorText.contains("the browser will ask you"), "\(unknown)")
            #expect(unknown.errorText.contains("PINHOLE_PROXY_AUTH"), "\(unknown)")
            let known = try await scene.run([], ["PINHOLE_PROXY_AUTH": "ann:secret"])
            #expect(known.text.contains("about:blank") && !known.text.contains("secret"), "\(known)")
            #expect(known.errorText.contains("the browser will ask you"), "\(known)")
            #expect(!known.errorText.contains("did not compare"), "\(known)")
            let wrong = try await scene.run([], ["PINHOLE_PROXY_AUTH": "ann:wrong"])
            #expect(wrong.errorText.contains("did not compare"), "\(wrong)")
        }
    }

    @Test("missing parts are named")
    func missing() async throws {
        try await scene("echo started") { scene in
            let display = try await scene.run([], ["DISPLAY": nil])
            #expect(
                display.exit == .code(3) && display.errorText.contains("there is no display"),
                "\(display)"
            )
            let headless = try await scene.run(["--", "--headless"], ["DISPLAY": nil])
            #expect(headless.text == "started\n", "\(headless)")
            let tool = try await scene.run([], ["PATH": scene.binary.directory.file("bin")])
            #expect(tool.exit == .code(3) && tool.errorText.contains("libnss3-tools"), "\(tool)")
            #expect(scene.homes.isEmpty)
            let browser = try await scene.run(["--browser", "brave"])
            #expect(
                browser.exit == .code(3) && browser.errorText.contains("looked for brave-browser, brave"),
                "\(browser)"
            )
        }
    }

    @Test(
        "wrong usage exits with 2",
        arguments: [
            (["example.com"], "expected https://HOST/PATH"), (["file:///etc/passwd"], "https: or http:"),
            (["--browser", "netscape"], "expected a path, or one of chromium"),
            (["--proxy", "127.0.0.1"], "host:port"), (["--proxy-server=x"], "Unknown option"),
        ]
    )
    func usage(_ arguments: [String], _ expected: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(["browser"] + arguments))
        #expect(result.exit == .code(2) && result.errorText.contains(expected), "\(result)")
    }
}
