import Foundation
import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeConsole
@testable import PinholeSession

/// Browsers here are scripts; a real one is in the end-to-end tests.
@Suite("Browsers beside a proxy")
struct OpenedBrowsersTests {
    private let directory: TemporaryDirectory
    private let browsers = OpenedBrowsers()
    private let journal = ConsoleJournal()
    private let root: Certificate

    init() throws {
        directory = try TemporaryDirectory()
        let options = CertificateAuthority.Options(machineName: "test")
        root = try CertificateAuthority.create(options, now: LoopClock().now()).root
    }

    private func install(_ name: String, _ script: String) throws {
        try directory.writeScript("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
    }

    private func run(_ script: String) throws -> BrowserRun {
        try install("chromium", script)
        return BrowserRun(
            browser: Browser(family: .chromium, path: directory.file("bin/chromium")),
            proxy: try Authority("127.0.0.1:8080"),
            root: root,
            environment: ["PATH": "\(directory.file("bin")):/usr/bin:/bin"]
        )
    }

    /// What a script writes into a pipe that has no other reader, as soon as it does.
    private func told(_ pipe: String) async throws -> String {
        let bytes = try await Task.detached {
            try FileHandle(forReadingFrom: URL(fileURLWithPath: pipe)).readToEnd()
        }.value
        return String(decoding: try #require(bytes), as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private func makePipe(_ name: String) throws -> String {
        let path = directory.file(name)
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test("lists running browsers, and ends one with its profile")
    func ends() async throws {
        let pipe = try makePipe("home")
        let script = "echo \"$HOME\" > \(pipe); exec tail -f /dev/null"
        let first = try await browsers.open(try run(script), named: "chromium", journal)
        let home = try await told(pipe)
        let second = try await browsers.open(try run(script), named: "chrome", journal)
        let other = try await told(pipe)
        #expect(home != other && FileManager.default.fileExists(atPath: home))
        #expect(browsers.running.map(\.id) == [first.id, second.id])
        #expect(browsers.running.map(\.browser) == ["chromium", "chrome"])
        #expect(await browsers.end(first.id))
        #expect(!FileManager.default.fileExists(atPath: home))
        #expect(browsers.running.map(\.id) == [second.id])
        #expect(await !browsers.end(first.id))
        await browsers.close()
        #expect(browsers.running.isEmpty && !FileManager.default.fileExists(atPath: other))
        let entries = journal.entries(after: 0)
        #expect(entries.allSatisfy { $0.level == .notice }, "an end that was asked for is no warning")
        #expect(entries.contains { $0.text.contains("bin/chromium through 127.0.0.1:8080") })
    }

    @Test("a browser that ignores the signal is ended, together with its children")
    func stubborn() async throws {
        let (pipe, child, held) = (try makePipe("home"), try makePipe("child"), try makePipe("held"))
        let script = """
            trap '' TERM
            echo "$HOME" > \(pipe)
            sh -c 'exec 3> \(held); echo begun > \(child); while :; do tail -f /dev/null; done'
            """
        let reader = open(held, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        let opened = try await browsers.open(try run(script), named: "chromium", journal)
        let home = try await told(pipe)
        #expect(try await told(child) == "begun")
        #expect(await browsers.end(opened.id))
        #expect(!FileManager.default.fileExists(atPath: home))
        // The kernel reports the end of the pipe once no process holds it.
        var end = pollfd(fd: reader, events: 0, revents: 0)
        #expect(poll(&end, 1, Int32(Patience.seconds) * 1000) == 1)
    }

    @Test("opens nothing after it was closed")
    func closed() async throws {
        await browsers.close()
        let script = "touch \(directory.file("started"))"
        await #expect(throws: CommandFailure.self) {
            try await browsers.open(try run(script), named: "chromium", journal)
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("started")))
    }

    @Test("an obstacle is reported, and nothing runs")
    func failures() async throws {
        let script = "touch \(directory.file("started"))"
        try install("certutil", "echo 'the database is full' >&2; exit 1")
        let run = try run(script)
        do throws(CommandFailure) {
            _ = try await browsers.open(run, named: "chromium", journal)
            Issue.record("it was opened")
        } catch {
            #expect(error.message.contains("the database is full"), "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("started")))
        await browsers.close()
        #expect(browsers.running.isEmpty)
    }
}
