import Foundation
import PinholeTestKit
import Testing

@Suite("Tutorials")
struct TutorialTests {
    @Test(
        "runs as it is written",
        .enabled(if: ["curl", "openssl", "python3"].allSatisfy { Executable.find($0) != nil }),
        arguments: [("TUTORIAL-DEBUG", "20443"), ("TUTORIAL-PINS", "20444"), ("TUTORIAL-CLASS", "20445")]
    )
    func tutorial(_ page: String, _ port: String) async throws {
        let steps = try Tutorial(page: page).steps
        #expect(steps.count > 5)
        // Tests use no fixed port, so the page's ports are replaced wherever they stand.
        let ports = [
            port: "\(try FetchStage.freePort())", "8080": "\(try FetchStage.freePort())",
            "8081": "\(try FetchStage.freePort())",
        ]
        func replaced(_ text: String) -> String {
            ports.reduce(text) { $0.replacing($1.key, with: $1.value) }
        }
        let home = try TemporaryDirectory()
        let script = Self.script(
            steps.map { (replaced($0.command), $0.output?.count ?? 0) },
            ports[port] ?? "",
            ports["8080"] ?? ""
        )
        try home.write(script, to: "tutorial.sh")
        let printed = try await Self.run("tutorial.sh", in: home)
        for (index, step) in steps.enumerated() {
            let lines = try #require(printed[index], "\(page):\(step.line): \(step.command): not reached")
            guard let output = step.output else { continue }
            let shown = output.reversed().drop(while: \.isEmpty).reversed().map(replaced)
            let difference = Volatile.difference(shown, lines)
            #expect(
                difference == nil,
                """
                \(page):\(step.line): \(step.command): \(difference ?? "")
                --- the page
                \(shown.joined(separator: "\n"))
                --- the program
                \(lines.joined(separator: "\n"))
                """
            )
        }
    }

    /// One script of all commands; a line before each output names the step.
    private static func script(_ steps: [(String, Int)], _ server: String, _ proxy: String) -> String {
        var script =
            "exec 2>&1 </dev/null\nunset XDG_DATA_HOME XDG_STATE_HOME\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n"
        for (index, (command, count)) in steps.enumerated() {
            script += "echo; echo '@@ \(index)'\n"
            if command.hasPrefix("pinhole proxy") {
                script += """
                    \(command) --listen 127.0.0.1:\(proxy) >proxy.out 2>&1 & PROXY=$!
                    until grep -q '^listening on' proxy.out || ! kill -0 $PROXY; do sleep 0.05; done
                    cat proxy.out

                    """
            } else if command.hasPrefix("pinhole flows list") {
                // A running proxy may write the last exchange a moment later.
                script += """
                    until OUT=$(\(command)) && [ $(wc -l <<<"$OUT") -ge \(count) ]; do sleep 0.05; done; echo "$OUT"

                    """
            } else {
                if command.hasPrefix("kill ") {
                    script += "[ -z \"$PROXY\" ] || { kill -INT $PROXY; wait $PROXY; }\n"
                }
                script += command + "\n"
            }
            if command.contains(" & ") {
                script += """
                    until (exec 3<>/dev/tcp/127.0.0.1/\(server)) 2>/dev/null || ! kill -0 $!; do sleep 0.05; done

                    """
            }
        }
        return script
    }

    /// Runs a script in a home of its own, and returns the lines that each step printed.
    private static func run(_ script: String, in home: TemporaryDirectory) async throws -> [Int: [String]] {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let programs = home.file(".programs")
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(programs)/pinhole", withDestinationPath: binary)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        var environment: [String: String?] = ["HOME": home.path, "PATH": "\(programs):\(path)"]
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSLKEYLOGFILE"] {
            environment.updateValue(nil, forKey: name)
            environment.updateValue(nil, forKey: name.lowercased())
        }
        let invocation = Invocation("bash", [script], environment: environment, directory: home.path)
        let text = try await ProcessRunner.run(invocation, within: .seconds(300)).text
            .replacing(home.path, with: "~")
        var printed: [Int: [String]] = [:]
        for part in text.components(separatedBy: "\n@@ ").dropFirst() {
            var lines = part.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let index = try #require(Int(lines.removeFirst()))
            while lines.last?.isEmpty == true { lines.removeLast() }
            printed[index] = lines
        }
        return printed
    }

    /// A command of another page, and what it needs before.
    struct Prompt: Sendable, CustomTestStringConvertible {
        let page: String
        /// The beginning of the command.
        let command: String
        var preparation = "true"

        var testDescription: String { "\(page): \(command)" }
    }

    private static let ownAuthority = "echo '{}' >config.json; pinhole ca init"

    @Test(
        "a page shows what the program prints",
        .enabled(if: ["curl", "openssl"].allSatisfy { Executable.find($0) != nil }),
        arguments: [
            Prompt(page: "LAB", command: "pinhole lab --row SYS,LC,SL,SC,PB,NH --scenario"),
            Prompt(page: "AUDIT", command: "pinhole audit --scenario A01,A02,A13,A28,L02,L12 -- curl"),
            Prompt(page: "CA", command: "pinhole ca init --permit shop.test"),
            Prompt(page: "CA", command: "pinhole ca show", preparation: "pinhole ca init"),
            Prompt(page: "CA", command: "pinhole ca uninstall", preparation: ownAuthority),
            Prompt(
                page: "CA",
                command: "pinhole proxy",
                preparation: "\(ownAuthority); chmod 644 ca/rootCA-key.pem"
            ),
            Prompt(
                page: "CONFIGURATION",
                command: "pinhole run -- curl -sS -o /dev/null http://pinhole.test/",
                preparation: "pinhole ca init; echo '{\"name\": \"other\"}' >config.json"
            ),
            Prompt(
                page: "PINS",
                command: "pinhole pins leaf.pem",
                preparation: """
                    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj '/CN=Example Test CA'
                    openssl req -x509 -CA ca.pem -CAkey ca.key -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.pem \
                        -subj /CN=api.example.test -addext subjectAltName=DNS:api.example.test -addext basicConstraints=critical,CA:FALSE
                    """
            ),
        ]
    )
    func prompt(_ prompt: Prompt) async throws {
        let steps = try Tutorial.prompts(of: prompt.page)
        let step = try #require(steps.first { $0.command.hasPrefix(prompt.command) }, "not in the page")
        let home = try TemporaryDirectory()
        try home.write(
            "unset XDG_DATA_HOME XDG_STATE_HOME\n{ \(prompt.preparation)\n} >/dev/null 2>&1 </dev/null\n"
                + "exec 2>&1 </dev/null\necho; echo '@@ 0'\n\(step.command)\n",
            to: "prompt.sh"
        )
        let lines = try #require(try await Self.run("prompt.sh", in: home)[0])
        let difference = Volatile.difference(step.output ?? [], lines)
        #expect(
            difference == nil,
            "docs/\(prompt.page).md:\(step.line): \(difference ?? "")\n\(lines.joined(separator: "\n"))"
        )
    }

    @Test("steps are the blocks for a shell, up to the clean-up")
    func steps() {
        let page = [
            "```sh", "make it \\", "  so", "```", "text", "```console", "$ one", "out", "$ two", "```", "```",
            "$ other", "```", "```console", "$ pinhole ca uninstall", "```", "```sh", "later", "```",
        ]
        let steps = Tutorial.steps(of: page)
        #expect(steps.map(\.command) == ["make it \\\n  so", "one", "two", "pinhole ca uninstall"])
        #expect(steps.map(\.output) == [nil, ["out"], [], []])
    }

    @Test("times and keys may differ, words and numbers may not")
    func comparison() {
        #expect(Volatile.difference(["took 3.5 ms at 12:00:01"], ["took 120 ms at 01:02:03"]) == nil)
        #expect(Volatile.difference(["status 400, now 201"], ["status 400, now 200"]) != nil)
        #expect(Volatile.difference(["a"], ["a", "b"]) != nil)
        #expect(Volatile.difference(["a", "…", "z"], ["a", "b", "c", "z"]) == nil)
        #expect(Volatile.difference(["a", "…", "z"], ["a", "b"]) != nil)
        #expect(Volatile.difference(["a", "b", "…", "b", "z"], ["a", "b", "z"]) != nil)
    }
}
