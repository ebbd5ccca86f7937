import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("pinhole config")
struct ConfigCommandTests {
    @Test("prints the defaults, byte for byte")
    func printsDefaults() async throws {
        let result = try await PinholeBinary().run("config")
        #expect(result.isSuccess && result.text == ConfigurationTemplate.text)
    }

    @Test("says that not everything could be written", arguments: ["config", "rules kinds"])
    func fullDisk(_ words: String) async throws {
        let shell = Invocation(
            "sh",
            ["-c", "exec \"$0\" \(words) > /dev/full", try #require(Executable.pinhole)]
        )
        let result = try await ProcessRunner.run(shell)
        #expect(result.exit == .code(3) && result.errorText.contains("No space left"), "\(result)")
    }

    @Test("checks a file: 0 when it is fine, 1 and the mistake when it is not")
    func check() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(ConfigurationTemplate.text, to: "config.json")
        let fine = try await binary.run("config", "check")
        #expect(fine.isSuccess && fine.text == "config.json is fine\n", "\(fine)")
        try binary.directory.write(#"{"proxy": {"lsiten": []}}"#, to: "bad.json")
        let bad = try await binary.run("config", "check", "bad.json")
        #expect(bad.exit == .code(1), "\(bad)")
        #expect(
            bad.errorText.contains(
                "bad.json: proxy.lsiten: expected a known key, found “lsiten”; to fix it: write “proxy.listen”"
            )
        )
    }

    @Test(
        "checks the files that it names, too",
        arguments: [
            (#"{"proxy": {"users": "nobody"}}"#, "no users of the proxy"),
            (#"{"proxy": {"users": "broken"}}"#, "broken: line 1: expected USER:HASH"),
            (#"{"proxy": {"users": "/dev/null"}}"#, "/dev/null is not a regular file"),
            (#"{"tls": {"upstreamCAs": ["nowhere.pem"]}}"#, "nowhere.pem"),
        ]
    )
    func files(_ configuration: String, _ said: String) async throws {
        let binary = try PinholeBinary()
        try binary.directory.write("\u{1b}[31m", to: "broken")
        try binary.directory.write(configuration, to: "config.json")
        let bad = try await binary.run("config", "check")
        #expect(bad.exit == .code(1) && bad.errorText.contains(said), "\(bad)")
        #expect(!bad.errorText.contains("\u{1b}") && bad.text.isEmpty, "\(bad)")
    }

    @Test(
        "a command with a broken or missing configuration does not run",
        arguments: ["bad.json", "missing.json"]
    )
    func brokenConfiguration(_ name: String) async throws {
        let binary = try PinholeBinary()
        try binary.directory.write("{", to: "bad.json")
        let result = try await binary.run("proxy", "--config", name)
        #expect(result.exit == .code(3) && result.errorText.contains(name), "\(result)")
    }

    @Test("a check shows the environment's next hops without their passwords")
    func environment() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(#"{"upstream": {"proxy": "environment"}}"#, to: "config.json")
        let fine = try await binary.run(
            "config",
            "check",
            environment: ["https_proxy": "http://me:hunter2@p:1", "no_proxy": "localhost"]
        )
        #expect(
            fine.text.contains("  everything else: http://p:1, as the user me, by https_proxy\n"),
            "\(fine)"
        )
        #expect(fine.text.contains("localhost, *.localhost, by no_proxy") && !fine.text.contains("hunter2"))
        let bad = try await binary.run("config", "check", environment: ["ALL_PROXY": "http://me:hunter2@p:x"])
        #expect(
            bad.exit == .code(1)
                && bad.errorText.contains("upstream.proxy: expected in the variable ALL_PROXY: ")
        )
        #expect(!bad.errorText.contains("hunter2"), "\(bad)")
        let written = #"{"upstream": {"proxy": "environment", "credentials": "me:hunter2"}}"#
        try binary.directory.write(written, to: "config.json")
        let both = try await binary.run("config", "check")
        #expect(both.errorText.contains("expected credentials in the variables that name proxies"), "\(both)")
    }
}
