import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("pinhole browser with a real browser", .serialized)
struct BrowserTests {
    private static func invocation(_ stage: Stage, _ browser: String, _ more: [String]) throws -> Invocation {
        let words = [
            "browser", "--browser", browser, "--ca-dir", stage.directory.file("ca"), "--proxy",
            "127.0.0.1:\(stage.port)",
        ]
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        let environment: [String: String?] = [
            "HOME": stage.directory.file("own"), "TMPDIR": stage.directory.file("tmp"),
            "PINHOLE_PROXY_AUTH": nil,
        ]
        return Invocation(binary, words + more, environment: environment, directory: stage.directory.path)
    }

    /// Loads a page, and requires that it was captured and that nothing is left of the browser.
    private func load(_ browser: String, _ arguments: [String]) async throws -> String {
        let setup = Stage.Setup(prepare: { _, directory in try directory.write("", to: "tmp/.keep") })
        return try await Stage.run(setup) { stage in
            let page = ["https://\(stage.authority)/html", "--"]
            let invocation = try Self.invocation(stage, browser, page + arguments)
            let result = try await ProcessRunner.run(invocation)
            #expect(result.isSuccess, "\(result)")
            let left = try FileManager.default.contentsOfDirectory(atPath: stage.directory.file("tmp"))
            #expect(!left.contains { $0.hasPrefix("pinhole-browser") }, "\(left)")
            let own = stage.directory.file("own")
            #expect(!FileManager.default.fileExists(atPath: own), "the home is let be")
            let filter = ExchangeFilter(try Filter("host ~ shop.example.test"))
            let exchanges = try await stage.capture().exchanges(filter, limit: 10)
            // A browser opens more connections than it needs, and drops them.
            let failures = stage.events.filter { $0.handshakeFailure != nil }
            #expect(failures.isEmpty, "\(failures)")
            #expect(exchanges.contains { $0.path == "/html" && $0.status == 200 }, "\(exchanges)")
            return result.text
        }
    }

    @Test(
        "Chromium loads a page without a fault of its certificate, and it is captured",
        .enabled(if: Executable.find("chromium") != nil, "chromium is not installed")
    )
    func chromium() async throws {
        let flags = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]
        #expect(try await load("chromium", flags).contains("Teapots"))
    }

    @Test(
        "Firefox loads a page without a fault of its certificate, and it is captured",
        .enabled(if: Executable.find("firefox-esr") != nil, "firefox-esr is not installed")
    )
    func firefox() async throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        _ = try await load("firefox-esr", ["-headless", "-screenshot", directory.file("page.png")])
        #expect(try directory.read("page.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }

    @Test("another server is reported, and nothing is opened")
    func somethingElse() async throws {
        try await Stage.run { stage in
            var invocation = try Self.invocation(
                stage,
                "chromium",
                ["--proxy", "127.0.0.1:\(stage.plainPort)", "--", "--headless"]
            )
            let fake = try stage.directory.write("#!/bin/sh\necho started\n", to: "chromium")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fake)
            invocation.environment["PATH"] = "\(stage.directory.path):/usr/bin:/bin"
            let result = try await ProcessRunner.run(invocation)
            #expect(result.exit == .code(3) && result.text.isEmpty, "\(result)")
            #expect(result.errorText.contains("is not Pinhole"), "\(result)")
            await stage.stop()
        }
    }
}
