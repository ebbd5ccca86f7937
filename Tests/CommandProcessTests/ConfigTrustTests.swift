import Foundation
import PinholeTestKit
import Testing

/// A configuration that somebody else put into the folder.
@Suite("pinhole config trust")
struct ConfigTrustTests {
    private static let program = """
        {"programs": {"mark": {"command": ["./mark.sh"], "at": ["request"]}}, "rules": [{"do": "askProgram", "program": "mark"}]}
        """

    private func run(_ binary: PinholeBinary) async throws -> ProcessResult {
        try await binary.run("run", "--capture", "none", "--", "true")
    }

    @Test("a program is run after the user has confirmed it, once for each content")
    func confirms() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(Self.program, to: "config.json")
        let refused = try await run(binary)
        #expect(refused.exit == .code(3), "\(refused)")
        #expect(refused.errorText.contains("it runs the program ./mark.sh (programs.mark)"), "\(refused)")
        #expect(refused.errorText.contains("pinhole config trust config.json"), "\(refused)")
        let named = try await binary.run("run", "--config", "config.json", "--", "true")
        #expect(named.exit == .code(3), "naming the file does not confirm it: \(named)")
        let trusted = try await binary.run("config", "trust")
        #expect(trusted.isSuccess && trusted.text.contains("  runs the program ./mark.sh"), "\(trusted)")
        #expect(try await run(binary).isSuccess)
        #expect(try await binary.run("run", "--config", "config.json", "--", "true").isSuccess)
        try binary.directory.write(Self.program + "\n", to: "config.json")
        #expect(try await run(binary).exit == .code(3), "another content")
        try binary.directory.write(Self.program, to: "other/config.json")
        let elsewhere = try await binary.run("run", "--config", "other/config.json", "--", "true")
        #expect(elsewhere.exit == .code(3), "another folder has another mark.sh: \(elsewhere)")
    }

    @Test(
        "harmful settings are named and have to be confirmed",
        arguments: [
            (
                #"{"proxy": {"listen": ["0.0.0.0:0"], "clients": ["10.0.0.0/8"]}, "rules": [{"do": "mock", "body": "x"}]}"#,
                ["0.0.0.0:0", "in place of the server"]
            ),
            (#"{"capture": {"file": "../else.sqlite"}}"#, ["../else.sqlite"]),
        ]
    )
    func harms(_ text: String, _ said: [String]) async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(text, to: "config.json")
        let refused = try await binary.run("proxy", "--listen", "127.0.0.1:0", "--capture", "none")
        #expect(refused.exit == .code(3) && refused.errorText.contains("config trust"), "\(refused)")
        #expect(said.allSatisfy(refused.errorText.contains), "\(refused)")
        let trusted = try await binary.run("config", "trust", "config.json")
        #expect(trusted.isSuccess && said.allSatisfy(trusted.text.contains), "\(trusted)")
    }

    @Test("a CA from elsewhere is not used before it is confirmed", arguments: [true, false])
    func foreignAuthority(hasConfiguration: Bool) async throws {
        let author = try PinholeBinary()
        #expect(try await author.run("ca", "init").isSuccess)
        #expect(try await run(author).isSuccess, "a CA that was made here needs no confirming")
        let binary = try PinholeBinary(keepsItsOwn: hasConfiguration)
        let files = FileManager.default
        try files.copyItem(atPath: author.directory.file("ca"), toPath: binary.directory.file("ca"))
        let command = "pinhole config trust" + (hasConfiguration ? " config.json" : "")
        for words in [
            ["run", "--capture", "none", "--", "true"], ["ca", "path"], ["ca", "export", "--format", "pem"],
        ] {
            let refused = try await ProcessRunner.run(binary.invocation(words))
            #expect(refused.exit == .code(3) && refused.text.isEmpty, "\(words): \(refused)")
            #expect(refused.errorText.contains("the CA in ca is not used"), "\(words): \(refused)")
            #expect(refused.errorText.contains(command), "\(words): \(refused)")
        }
        let doctor = try await binary.run("doctor")
        #expect(!doctor.isSuccess && (doctor.text + doctor.errorText).contains("is not used"), "\(doctor)")
        let shown = try await binary.run("ca", "show")
        #expect(shown.isSuccess && shown.errorText.contains("neither made this CA here"), "\(shown)")
        let named = try await binary.run("run", "--ca-dir", "ca", "--capture", "none", "--", "true")
        #expect(named.isSuccess, "naming the directory says that it is meant: \(named)")
        #expect(try await run(binary).exit == .code(3), "naming it once confirms nothing")
        let trusted = try await binary.run("config", "trust")
        #expect(
            trusted.isSuccess && trusted.text.contains("the CA in ca, which was not made here"),
            "\(trusted)"
        )
        #expect(try await run(binary).isSuccess)
        #expect(try await binary.run("ca", "path").isSuccess)
        let other = try PinholeBinary()
        #expect(try await other.run("ca", "init").isSuccess)
        for name in ["rootCA.pem", "rootCA-key.pem"] {
            try files.removeItem(atPath: binary.directory.file("ca/\(name)"))
            try files.copyItem(
                atPath: other.directory.file("ca/\(name)"),
                toPath: binary.directory.file("ca/\(name)")
            )
        }
        #expect(try await run(binary).exit == .code(3), "another key is confirmed anew")
    }

    @Test("a console token that was made elsewhere is replaced once")
    func foreignToken() async throws {
        let binary = try PinholeBinary()
        let foreign = String(repeating: "A", count: 43)
        chmod(try binary.directory.write("\(foreign)\n", to: "pinhole.sqlite.token"), 0o600)
        func token() async throws -> String {
            let words = ["proxy", "--listen", "127.0.0.1:0", "--console", "127.0.0.1:0"]
            return try await SpawnedProcess.run(binary.invocation(words)) { process in
                let line = try await process.line(from: .errorOutput) { $0.contains("pinhole: console http") }
                process.send(signal: SIGTERM)
                #expect(await process.result().isSuccess)
                return String(try #require(line.split(separator: "token=").last))
            }
        }
        let made = try await token()
        #expect(made != foreign && made.count == 43, "\(made)")
        #expect(try await token() == made)
    }

    @Test("harmless settings need no confirmation")
    func harmless() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(#"{"tls": {"passthrough": ["a.test"]}}"#, to: "config.json")
        #expect(try await run(binary).isSuccess)
        let trusted = try await binary.run("config", "trust")
        #expect(trusted.text == "config.json has no effect that needs confirmation\n", "\(trusted)")
    }

    @Test("a file or a folder that others can write is refused, with the command that fixes it")
    func writable() async throws {
        let binary = try PinholeBinary()
        chmod(binary.directory.file("config.json"), 0o666)
        let file = try await run(binary)
        #expect(file.exit == .code(3) && file.errorText.contains("chmod go-w config.json"), "\(file)")
        #expect(file.errorText.contains("--config config.json"), "\(file)")
        chmod(binary.directory.file("config.json"), 0o644)
        chmod(binary.directory.path, 0o777)
        let folder = try await run(binary)
        #expect(folder.exit == .code(3) && folder.errorText.contains("chmod go-w ."), "\(folder)")
        let named = try await binary.run("run", "--config", "config.json", "--capture", "none", "--", "true")
        #expect(named.isSuccess, "naming the file says that it is meant: \(named)")
    }

    @Test("a link to a file in a folder that others can write is refused")
    func linked() async throws {
        let binary = try PinholeBinary()
        let files = FileManager.default
        let open = binary.directory.file("open")
        try files.createDirectory(atPath: open, withIntermediateDirectories: false)
        try files.moveItem(atPath: binary.directory.file("config.json"), toPath: "\(open)/pinhole.json")
        try files.createSymbolicLink(
            atPath: binary.directory.file("config.json"),
            withDestinationPath: "open/pinhole.json"
        )
        #expect(try await run(binary).isSuccess)
        chmod(open, 0o777)
        let result = try await run(binary)
        #expect(result.exit == .code(3) && result.errorText.contains("/open has the mode 0777"), "\(result)")
    }

    @Test("a file of another account is refused", .enabled(if: geteuid() == 0))
    func foreign() async throws {
        let binary = try PinholeBinary()
        #expect(chown(binary.directory.file("config.json"), 12345, 12345) == 0)
        let result = try await run(binary)
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("config.json belongs to another account (uid 12345)"), "\(result)")
    }

    @Test("a reload with unconfirmed settings is refused, and the old configuration stays")
    func reload() async throws {
        let binary = try PinholeBinary()
        let arguments = ["proxy", "--listen", "127.0.0.1:0", "--capture", "none"]
        try await SpawnedProcess.run(binary.invocation(arguments)) { process in
            _ = try await process.line { $0.hasPrefix("listening on") }
            try binary.directory.write(#"{"tls": {"badCertificate": "mirror"}}"#, to: "config.json")
            process.send(signal: SIGHUP)
            let refused = try await process.line(from: .errorOutput) { $0.contains("stays as it was") }
            #expect(refused.contains("tls.badCertificate") && refused.contains("config trust"), "\(refused)")
            #expect(try await binary.run("config", "trust").isSuccess)
            process.send(signal: SIGHUP)
            _ = try await process.line(from: .errorOutput) { $0.contains("read again") }
            process.send(signal: SIGTERM)
            #expect(await process.result().isSuccess)
        }
    }

    @Test("captures of other users are not recorded into", .enabled(if: geteuid() == 0))
    func foreignFiles() async throws {
        let binary = try PinholeBinary()
        let capture = try binary.directory.write("", to: "theirs/capture.sqlite")
        chmod(binary.directory.file("theirs"), 0o700)
        #expect(chown(capture, 12345, 12345) == 0)
        #expect(symlink(capture, binary.directory.file("link.sqlite")) == 0)
        for file in ["theirs/capture.sqlite", "link.sqlite"] {
            let result = try await binary.run("run", "--capture", file, "--", "true")
            #expect(result.exit == .code(3), "\(result)")
            #expect(result.errorText.contains("\(file) belongs to another account (uid 12345)"), "\(result)")
            #expect(result.errorText.contains("sudo chown 0 \(file) && chmod 600 \(file)"), "\(result)")
        }
        let planted = try binary.directory.write("", to: "mine.sqlite-wal")
        #expect(chown(planted, 12345, 12345) == 0)
        let journal = try await binary.run("run", "--capture", "mine.sqlite", "--", "true")
        #expect(
            journal.exit == .code(3) && journal.errorText.contains("mine.sqlite-wal belongs"),
            "\(journal)"
        )
        let keys = try binary.directory.write("", to: "keys")
        #expect(chown(keys, 12345, 12345) == 0)
        let log = try await binary.run(
            "run",
            "--capture",
            "none",
            "--",
            "true",
            environment: ["SSLKEYLOGFILE": keys]
        )
        #expect(log.exit == .code(3) && log.errorText.contains("SSLKEYLOGFILE: \(keys) belongs"), "\(log)")
    }

    @Test(
        "a terminal is asked about a file of the user, and the answer is remembered",
        .enabled(if: Executable.find("script") != nil),
        arguments: ["yes", "no"]
    )
    func asks(_ answer: String) async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(Self.program, to: "config.json")
        var invocation = binary.invocation([], ["TERM": "xterm"])
        let program = "exec '\(invocation.executable)' run --capture none -- true"
        invocation.executable = "script"
        invocation.arguments = ["-q", "-e", "-c", program, "/dev/null"]
        invocation.input = Array("\(answer)\n".utf8)
        let asked = try await ProcessRunner.run(invocation)
        #expect(asked.text.contains("runs the program ./mark.sh (programs.mark)"), "\(asked)")
        #expect(asked.isSuccess == (answer == "yes"), "\(asked)")
        #expect(try await run(binary).isSuccess == (answer == "yes"), "a later run without a terminal")
    }

    @Test("confirms saved changes while pinhole config trust --watch runs")
    func watches() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(Self.program, to: "config.json")
        let program = """
            "$1" config trust --watch & watch=$!
            until "$1" run --capture none -- true; do :; done
            printf '%s\\n' "$2" >new.json && mv new.json config.json
            until "$1" run --capture none -- true; do :; done
            kill $watch
            printf '%s\\n\\n' "$2" >config.json
            "$1" run --capture none -- true
            """
        var invocation = binary.invocation([], [:])
        invocation.arguments = ["-c", program, "sh", invocation.executable, Self.program]
        invocation.executable = "sh"
        let result = try await ProcessRunner.run(invocation)
        #expect(result.exit == .code(3), "what is saved afterwards is not confirmed: \(result)")
        #expect(result.text.matches(of: /confirmed/).count == 2, "\(result)")
    }
}
