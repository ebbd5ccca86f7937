import Foundation
import PinholeTestKit
import Testing

@Suite("pinhole proxy")
struct ProxyCommandTests {
    private let arguments = ["proxy", "--listen", "127.0.0.1:0"]

    private func ready(_ process: SpawnedProcess) async throws -> UInt16 {
        let line = try await process.line { $0.contains("127.0.0.1:") }
        let match = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/))
        return try #require(UInt16(match.1))
    }

    private func get(_ url: String, port: UInt16, _ more: [String] = []) async throws -> ProcessResult {
        let fixed = ["-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(port)", url]
        return try await ProcessRunner.run(Invocation("curl", fixed + more))
    }

    @Test("prints one line when it is ready, notes on standard error, and ends on SIGTERM")
    func readyAndEnd() async throws {
        let binary = try PinholeBinary()
        try await SpawnedProcess.run(binary.invocation(arguments)) { process in
            let port = try await ready(process)
            process.send(signal: SIGTERM)
            let result = await process.result()
            #expect(result.isSuccess && result.text == "listening on 127.0.0.1:\(port)\n", "\(result)")
            #expect(result.errorText.contains("ca/rootCA.pem") && result.errorText.contains("pinhole.sqlite"))
        }
    }

    @Test(
        "a rotation and a console need a capture, and a number of files needs a rotation",
        arguments: [
            (["--rotate", "1MB", "--capture", "none"], "--rotate: expected a capture, found none"),
            (["--console", "auto", "--capture", "none"], "--console: expected a capture"),
            (["--keep", "3"], "--keep: expected --rotate or capture.rotateMB, found neither"),
        ]
    )
    func needs(more: [String], complaint: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(arguments + more))
        #expect(result.exit == .code(2) && result.errorText.contains(complaint), "\(result)")
    }

    @Test("a proxy that cannot listen closes its capture, and the next start reports no loss")
    func takenPort() async throws {
        let binary = try PinholeBinary()
        try await SpawnedProcess.run(binary.invocation(arguments + ["--capture", "none"])) { process in
            let port = try await ready(process)
            let second = try await binary.run("proxy", "--listen", "127.0.0.1:\(port)")
            #expect(second.errorText.contains("Address already in use"), "\(second)")
            let list = try await binary.run("flows", "list")
            #expect(list.errorText.contains("the capture is empty"), "\(list)")
            #expect(!list.errorText.contains("journal"), "\(list)")
            process.send(signal: SIGTERM)
            _ = await process.result()
        }
    }

    @Test("a file that may grow no more stops the capture with one message, and traffic flows on")
    func fullDisk() async throws {
        let binary = try PinholeBinary()
        let proxy = binary.invocation(arguments + ["--console", "none"])
        // One exchange is in the file before the limit holds.
        try await SpawnedProcess.run(proxy) { process in
            let port = try await ready(process)
            #expect(try await get("http://pinhole.test/", port: port).isSuccess)
            process.send(signal: SIGTERM)
            _ = await process.result()
        }
        // The limit is in blocks of 512 or 1024 bytes. The signal that comes with it would end the process.
        let limited = "trap '' XFSZ; ulimit -f 1400; exec \"$0\" \"$@\""
        var shell = proxy
        shell.executable = "/bin/sh"
        shell.arguments = ["-c", limited, proxy.executable] + proxy.arguments
        try await SpawnedProcess.run(shell) { process in
            let port = try await ready(process)
            let pages = Array(repeating: "http://pinhole.test/", count: 300)
            #expect(try await get(pages[0], port: port, Array(pages.dropFirst())).isSuccess)
            process.send(signal: SIGTERM)
            let result = await process.result()
            #expect(
                result.errorText.components(separatedBy: "THE CAPTURE HAS STOPPED").count == 2,
                "\(result)"
            )
            #expect(result.errorText.contains("events were not captured"))
        }
        let list = try await binary.run("flows", "list")
        #expect(list.isSuccess && !list.text.isEmpty && !list.errorText.contains("warning"), "\(list)")
    }

    @Test("--json writes JSON alone, a line for each exchange", .enabled(if: Executable.find("curl") != nil))
    func json() async throws {
        let binary = try PinholeBinary()
        try await SpawnedProcess.run(binary.invocation(arguments + ["--json", "--capture", "none"])) {
            process in
            let port = try await ready(process)
            #expect(try await get("http://pinhole.test/", port: port).text.contains("Trust this proxy"))
            let line = try await process.line { $0.contains("exchange") }
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["status"] as? Int == 200 && object?["url"] as? String == "http://pinhole.test/")
            process.send(signal: SIGINT)
            let result = await process.result()
            #expect(result.isSuccess)
            #expect(!FileManager.default.fileExists(atPath: binary.directory.file("pinhole.sqlite")))
            for line in result.text.split(separator: "\n") {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
    }

    @Test("a refused host is a line with its cause", .enabled(if: Executable.find("curl") != nil))
    func refusedHost() async throws {
        let binary = try PinholeBinary()
        try await SpawnedProcess.run(binary.invocation(arguments)) { process in
            let port = try await ready(process)
            // Nobody listens on port 1.
            _ = try await get("https://127.0.0.1:1/", port: port)
            let line = try await process.line { $0.contains("127.0.0.1:1 ") }
            #expect(line.contains("FAILED") && line.contains("dialFailed"), "\(line)")
        }
    }

    @Test("proxy authentication is asked for", .enabled(if: Executable.find("curl") != nil))
    func authentication() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write("ann:secret\n", to: "password")
        let invocation = binary.invocation(arguments + ["--proxy-auth", "@password", "--capture", "none"])
        try await SpawnedProcess.run(invocation) { process in
            let port = try await ready(process)
            let code = ["-o", "/dev/null", "-w", "%{http_code}"]
            #expect(try await get("http://pinhole.test/", port: port, code).text == "407")
            #expect(
                try await get("http://pinhole.test/", port: port, code + ["-U", "ann:secret"]).text == "200"
            )
        }
    }

    @Test("a port in use is reported with exit code 3")
    func portInUse() async throws {
        let binary = try PinholeBinary()
        try await SpawnedProcess.run(binary.invocation(arguments)) { process in
            let port = try await ready(process)
            let second = try await PinholeBinary().run(
                "proxy",
                "--listen",
                "127.0.0.1:\(port)",
                "--capture",
                "none"
            )
            #expect(second.exit == .code(3), "\(second)")
            #expect(second.errorText.contains("127.0.0.1:\(port): Address already in use\n  to fix it:"))
            #expect(second.text.isEmpty)
        }
    }

    @Test("listening for other machines needs a password or a client list")
    func openProxy() async throws {
        let binary = try PinholeBinary()
        let refused = try await binary.run("proxy", "--listen", "0.0.0.0:0", "--capture", "none")
        #expect(refused.exit == .code(3) && refused.errorText.contains("add --proxy-auth"), "\(refused)")
    }

    @Test("SIGHUP reads config.json again; a broken file is reported, and the settings stay")
    func reload() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write("{}", to: "config.json")
        try await SpawnedProcess.run(binary.invocation(arguments)) { process in
            _ = try await ready(process)
            try binary.directory.write(
                #"{"capture": {"bodies": false}, "tls": {"passthrough": ["a.test"]}}"#,
                to: "config.json"
            )
            process.send(signal: SIGHUP)
            let note = try await process.line(from: .errorOutput) { $0.contains("next start") }
            #expect(note.hasSuffix("capture"), "\(note)")
            try binary.directory.write(#"{"tsl": {}}"#, to: "config.json")
            process.send(signal: SIGHUP)
            let error = try await process.line(from: .errorOutput) { $0.contains("stays as it was") }
            #expect(error.contains("write “tls”"), "\(error)")
            process.send(signal: SIGTERM)
            #expect(await process.result().isSuccess)
        }
    }

    @Test("a second signal stops at once", .patience)
    func secondSignal() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(#"{"limits": {"drainTimeoutSeconds": 3600}}"#, to: "config.json")
        try await SpawnedProcess.run(binary.invocation(arguments)) { process in
            let port = try await ready(process)
            let client = try LoopbackConnection(port: port)
            try client.send("GET http://pinhole.test/ HTTP/1.1\r\nHost: pinhole.test\r\n\r\n")
            // The exchange is over, the connection is kept: a tunnel that drains.
            _ = try await process.line { $0.contains("pinhole.test") }
            process.send(signal: SIGTERM)
            process.send(signal: SIGINT)
            #expect(await process.result().isSuccess)
        }
    }
}
