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
