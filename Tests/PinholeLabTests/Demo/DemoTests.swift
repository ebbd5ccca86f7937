import Foundation
import PinholeTestKit
import Testing

/// The demo as a person runs it.
@Suite(
    "Demo",
    .enabled(if: Executable.pinhole != nil && Executable.find("curl") != nil, "pinhole or curl is missing")
)
struct DemoTests {
    @Test("The whole demo runs to its end, and everything is as expected")
    func wholeDemo() async throws {
        let directory = try TemporaryDirectory()
        let pinhole = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(
                pinhole,
                ["demo", "--all"],
                // Settings of the user must not lead curl elsewhere.
                environment: [
                    "TMPDIR": directory.path, "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "*",
                    "CURL_CA_BUNDLE": "/nowhere",
                ]
            )
        )
        #expect(result.isSuccess, "\(result)")
        for section in [
            "through the proxy above each client decided", "lab.html",
            "does not trust the proxy", "JSON, decrypted", "In chunks, with trailers", "A slow stream",
            "expired",
            "mutual TLS", "A client that pins", "The two chains",
            "Everything that was captured",
            "The failures and their causes", "a HAR file", "an exported curl command", "the detection matrix",
            "Everything was as expected.",
        ] {
            #expect(result.text.contains(section), "no “\(section)” in the output")
        }
        #expect(!result.text.contains("UNEXPECTED"))
        // No colours where nobody sees them.
        #expect(!result.text.contains("\u{1b}"))

        let made = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let name = try #require(made.first { $0.hasPrefix("pinhole-demo-") })
        let archive = try directory.read("\(name)/demo.har")
        let object = try JSONSerialization.jsonObject(with: Data(archive)) as? [String: Any]
        let log = object?["log"] as? [String: Any]
        #expect((log?["entries"] as? [Any])?.count ?? 0 >= 13)
        let page = String(decoding: try directory.read("\(name)/lab.html"), as: UTF8.self)
        for row in ["SYS", "apple-both", "af-none", "af-key-leaf"] {
            #expect(page.contains("<b>\(row)</b>"), "\(row)")
        }
    }

    @Test("The short demo has eight steps, and no line is longer than 80 columns")
    func shortDemo() async throws {
        let directory = try TemporaryDirectory()
        let pinhole = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(pinhole, ["demo"], environment: ["TMPDIR": directory.path])
        )
        #expect(result.isSuccess, "\(result)")
        let lines = result.text.split(separator: "\n").map(String.init)
        // What holds no space, such as the path of a temporary directory, cannot be broken.
        let wide = lines.filter { $0.count > 80 && !$0.contains(directory.path) }
        #expect(wide.isEmpty, "\(wide)")
        #expect(lines.compactMap { $0.prefixMatch(of: /\s?(\d)  \S/)?.1 }.map { Int($0) } == Array(1...8))
        #expect(result.text.contains("Everything was as expected."))
        #expect(result.text.contains("pinhole demo --all"))
    }

    @Test("A directory that cannot be made is a clear failure")
    func badDirectory() async throws {
        let pinhole = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(pinhole, ["demo", "--directory", "/proc/nowhere"])
        )
        #expect(result.exit == .code(3))
        #expect(result.errorText.contains("cannot make the directory /proc/nowhere"), "\(result)")
    }
}
