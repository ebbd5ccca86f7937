import Foundation
import PinholeTestKit
import Testing

@Suite("pinhole run")
struct RunCommandTests {
    private func environment(_ inherited: [String: String?] = [:]) async throws -> [String: String] {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(
            binary.invocation(["run", "--quiet", "--capture", "none", "--", "sh", "-c", "env"], inherited)
        )
        #expect(result.isSuccess, "\(result)")
        let pairs = result.text.split(separator: "\n").map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 }
    }

    @Test("sets proxy and CA for the program alone")
    func variables() async throws {
        let variables = try await environment(["NO_PROXY": "*", "ALL_PROXY": "socks5://127.0.0.1:1"])
        let proxy = try #require(variables["HTTPS_PROXY"])
        #expect(proxy.hasPrefix("http://127.0.0.1:"))
        for name in ["HTTP_PROXY", "http_proxy", "https_proxy"] { #expect(variables[name] == proxy) }
        for name in ["NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"] { #expect(variables[name] == nil) }
        let bundle = try #require(variables["SSL_CERT_FILE"])
        for name in [
            "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO",
            "AWS_CA_BUNDLE", "DENO_CERT", "CARGO_HTTP_CAINFO", "PERL_LWP_SSL_CA_FILE", "CONDA_SSL_VERIFY",
            "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE", "npm_config_cafile", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
        ] { #expect(variables[name] == bundle, "\(name)") }
        #expect(variables["NODE_USE_ENV_PROXY"] == "1" && variables["PERL_LWP_ENV_PROXY"] == "1")
        let folders = try #require(variables["PHP_INI_SCAN_DIR"])
        #expect(bundle == "\(folders.dropFirst())/ca-bundle.pem", "PHP's own folder stays: \(folders)")
        let options = try #require(variables["NODE_OPTIONS"])
        #expect(options.hasPrefix("--require \"") && options.hasSuffix("/node-proxy.cjs\""))
        let java = try #require(variables["JAVA_TOOL_OPTIONS"])
        #expect(java.contains("-Dhttps.proxyPort=") && java.contains("-Dhttp.nonProxyHosts= "))
        #expect(!FileManager.default.fileExists(atPath: bundle), "the temporary directory is removed")
    }

    @Test("PHP trusts the bundle", .enabled(if: Executable.find("php") != nil))
    func php() async throws {
        // Only a PHP with its extension for curl knows curl.cainfo.
        let script = "echo ini_get('openssl.cafile') === getenv('SSL_CERT_FILE') ? 'yes' : 'no';"
        let binary = try PinholeBinary()
        let result = try await binary.run("run", "--quiet", "--capture", "none", "--", "php", "-r", script)
        #expect(result.text == "yes", "\(result)")
    }

    @Test("keeps the user's own options of Java and Node")
    func keepsOwn() async throws {
        let variables = try await environment([
            "JAVA_TOOL_OPTIONS": "-Dmine=1", "NODE_OPTIONS": "--no-warnings",
        ])
        #expect(variables["NODE_OPTIONS"]?.hasPrefix("--no-warnings --require ") == true)
        #expect(variables["JAVA_TOOL_OPTIONS"]?.hasPrefix("-Dmine=1 -Dhttp.proxyHost=127.0.0.1") == true)
    }

    @Test("the bundle has the system's CAs and Pinhole's, readable by its owner alone")
    func bundle() async throws {
        let script =
            #"grep -c BEGIN "$SSL_CERT_FILE"; stat -c %a "$(dirname "$SSL_CERT_FILE")"; cat "$SSL_CERT_FILE""#
        let binary = try PinholeBinary()
        let result = try await binary.run("run", "--quiet", "--capture", "none", "--", "sh", "-c", script)
        let lines = result.text.split(separator: "\n", maxSplits: 2)
        #expect(lines.count == 3 && lines[1] == "700", "\(result)")
        let root = String(decoding: try binary.directory.read("ca/rootCA.pem"), as: UTF8.self)
        #expect(result.text.contains(root))
    }

    @Test(
        "passes the exit code on",
        arguments: [("exit 0", Int32(0)), ("exit 7", 7), ("kill -9 $$", 137), ("kill -TERM $$", 143)]
    )
    func exitCode(_ script: String, _ expected: Int32) async throws {
        let result = try await PinholeBinary().run("run", "--capture", "none", "--", "sh", "-c", script)
        #expect(result.exit == .code(expected), "\(result)")
        #expect(result.errorText.contains("no connection reached the proxy: "), "\(result)")
        let remedy = "to fix it: pinhole run --isolate --capture none -- sh -c "
        #expect(result.errorText.contains(remedy), "\(result)")
    }

    @Test("passes standard input and output on")
    func streams() async throws {
        let binary = try PinholeBinary()
        var invocation = binary.invocation(["run", "--quiet", "--capture", "none", "--", "cat"])
        invocation.input = Array("as it is\n".utf8)
        let result = try await ProcessRunner.run(invocation)
        #expect(result.isSuccess && result.text == "as it is\n" && result.errorText.isEmpty, "\(result)")
    }

    @Test("passes signals on", arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
    func signals(_ signal: Int32) async throws {
        let script = "trap 'echo caught; exit 9' TERM INT HUP USR1; echo ready; while :; do sleep 0.05; done"
        let binary = try PinholeBinary()
        let invocation = binary.invocation([
            "run", "--quiet", "--capture", "none", "--", "sh", "-c", script,
        ])
        try await SpawnedProcess.run(invocation) { process in
            _ = try await process.line { $0 == "ready" }
            process.send(signal: signal)
            let result = await process.result()
            #expect(result.exit == .code(9) && result.text == "ready\ncaught\n", "\(result)")
        }
    }

    @Test("a program that does not exist could not run", arguments: ["no-such-program", "./no-such-program"])
    func missingProgram(_ name: String) async throws {
        let result = try await PinholeBinary().run("run", "--capture", "none", "--", name)
        #expect(result.exit == .code(3) && result.errorText.contains("could not run \(name)"), "\(result)")
    }

    @Test(
        "a program in a namespace that does not exist could not run",
        .enabled { await IsolatedRun.isPossible() }
    )
    func missingIsolated() async throws {
        let result = try await PinholeBinary().run(
            "run",
            "--isolate",
            "--capture",
            "none",
            "--",
            "no-such-program"
        )
        #expect(
            result.exit == .code(3) && result.errorText.contains("could not run no-such-program"),
            "\(result)"
        )
    }

    @Test(
        "passes the exit code of a program in a namespace on",
        .enabled { await IsolatedRun.isPossible() },
        arguments: [("exit 7", Int32(7)), ("kill -9 $$", 137)]
    )
    func isolatedExitCode(_ script: String, _ expected: Int32) async throws {
        let result = try await PinholeBinary().run(
            "run",
            "--isolate",
            "--capture",
            "none",
            "--",
            "sh",
            "-c",
            script
        )
        #expect(result.exit == .code(expected), "\(result)")
        #expect(
            result.errorText.contains("no connection reached the proxy: the program made none"),
            "\(result)"
        )
    }

    @Test("the part that runs in a namespace refuses to run alone")
    func part() async throws {
        let binary = try PinholeBinary()
        let result = try await binary.run(
            "isolated",
            "--gate",
            binary.directory.file("none"),
            "--folder",
            "x",
            "--",
            "true"
        )
        #expect(result.exit == .code(2) && result.errorText.contains("pinhole run --isolate"), "\(result)")
    }

    @Test("prints a summary at the end", .enabled(if: Executable.find("curl") != nil))
    func summary() async throws {
        let binary = try PinholeBinary()
        let result = try await binary.run("run", "--", "curl", "-sS", "http://pinhole.test/")
        #expect(result.isSuccess && result.text.contains("Trust this proxy"), "\(result)")
        #expect(result.errorText.contains("1 exchange with 1 host"), "\(result)")
        let list = try await binary.run("flows", "list")
        #expect(list.text.contains("http://pinhole.test/"), "\(list)")
    }
}
