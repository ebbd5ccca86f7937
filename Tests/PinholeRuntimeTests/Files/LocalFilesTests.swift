import Foundation
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// The answers that rules send from files.
@Suite("LocalFiles")
struct LocalFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func isSent(_ name: String) -> Bool {
        (try? LocalFiles.content(of: directory.file(name))) != nil
    }

    @Test("Pinhole's secrets are not sent, not by a link either")
    func secrets() throws {
        let head = "SQLite format 3\0" + String(repeating: "\0", count: 52)
        try directory.write("key", to: "ca/rootCA-key.pem")
        try directory.write("certificate", to: "ca/rootCA.pem")
        try directory.write(head + "Pinh", to: "c.sqlite")
        try directory.write("pages", to: "c.sqlite-wal")
        try directory.write("token", to: "c.sqlite.token")
        try directory.write("127.0.0.1:1", to: "c.sqlite.console")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link.txt"),
            withDestinationPath: directory.file("ca/rootCA-key.pem")
        )
        for name in [
            "ca/rootCA-key.pem", "ca/rootCA.pem", "c.sqlite", "c.sqlite-wal", "c.sqlite.token",
            "c.sqlite.console", "link.txt",
        ] {
            #expect(!isSent(name), "\(name)")
        }
    }

    @Test("other databases, and files whose names end like journals, are sent")
    func others() throws {
        let head = "SQLite format 3\0" + String(repeating: "\0", count: 56)
        try directory.write(head, to: "mine.sqlite")
        try directory.write("a", to: "travel-journal")
        try directory.write("{}", to: "a.json")
        for name in ["mine.sqlite", "travel-journal", "a.json"] { #expect(isSent(name), "\(name)") }
    }
}
