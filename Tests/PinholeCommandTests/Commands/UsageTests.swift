import PinholeTestKit
import Testing

@Suite("Usage")
struct UsageTests {
    @Test("help is a result: standard output, exit code 0")
    func help() async throws {
        let result = try await PinholeBinary().run("--help")
        #expect(result.isSuccess && result.text.contains("EXAMPLES") && result.errorText.isEmpty)
    }

    @Test(
        "wrong usage exits with 2 and says what was expected",
        arguments: [
            (["bogus"], "Unexpected argument 'bogus'"),
            (["proxy", "--listen", "nowhere"], "expected ADDRESS:PORT such as 127.0.0.1:8080"),
            (["proxy", "--allow", "10.0.0.0/99"], "expected a prefix length"),
            (["proxy", "--resolve", "a:b"], "expected HOST:PORT:ADDRESS"),
            (["proxy", "--quiet", "--verbose"], "expected --quiet or --verbose"),
            (["run"], "expected a program after “--”"),
            (["flows", "export"], "expected one of --format FORMAT, --har FILE"),
            (["flows", "export", "--raw", "1", "--proto", "a.pb"], "--proto: expected --har FILE beside it"),
            (["flows", "list", "--status", "abc"], "expected a status such as 404"),
            (["explain", "foo:99999"], "expected a port of 1 to 65535"),
            (["ca", "export", "--format", "jks"], "pem, der, p12"),
        ]
    )
    func wrongUsage(_ arguments: [String], _ expected: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(arguments))
        #expect(result.exit == .code(2) && result.errorText.contains(expected), "\(result)")
        #expect(result.text.isEmpty)
    }

    @Test("a password in a flag that cannot be read is not repeated beside what was expected")
    func password() async throws {
        let result = try await PinholeBinary().run("proxy", environment: ["PINHOLE_PROXY_AUTH": "hunter2"])
        #expect(result.exit == .code(2) && !result.errorText.contains("hunter2"), "\(result)")
    }

    @Test("completions are generated", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) async throws {
        let result = try await PinholeBinary().run("--generate-completion-script", shell)
        #expect(result.isSuccess && result.text.contains("pinhole"))
    }
}
