import Foundation
import PinholeTestKit
import Testing

/// The demo as a person runs it.
@Suite(
    "Demo",
    .enabled(if: Executable.pinhole != nil && Executable.find("curl") != nil, "pinhole or curl is missing")
)
struct DemoTests {
    @Test("The demo runs to its end, and everything is as expected")
    func demo() async throws {
        let directory = try TemporaryDirectory()
        let pinhole = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(
                pinhole,
                ["demo"],
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
            "mutual TLS", "A client that pins", "The two chains, side by side",
            "Everything that was captured",
            "What failed, and why", "a HAR file", "an exported curl command", "the detection matrix",
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
