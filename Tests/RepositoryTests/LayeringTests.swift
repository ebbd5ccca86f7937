import Foundation
import Testing

@Suite("Layering")
struct LayeringTests {
    @Test("imports run one way")
    func imports() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        #expect(!files.isEmpty)
        #expect(files.flatMap { LayeringRule.findings(in: $0, of: $0.components[1]) } == [])
    }

    @Test("the callbacks of Dispatch sources are set in one file")
    func eventHandlers() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        #expect(filesWithHandlers(files).count <= 1)
        #expect(filesWithHandlers(files).allSatisfy { $0.hasPrefix("Sources/PinholeRuntime/") })
    }

    @Test("two files that set callbacks are seen")
    func twoEventHandlers() {
        let one = SourceFile(path: "Sources/PinholeRuntime/A.swift", text: "source.setEventHandler { }")
        let other = SourceFile(path: "Sources/PinholeStore/B.swift", text: "    queue.setEventHandler(item)")
        let comment = SourceFile(
            path: "Sources/PinholeStore/C.swift",
            text: "// setEventHandler is elsewhere"
        )
        #expect(filesWithHandlers([one, other, comment]) == [one.path, other.path])
    }

    @Test(
        "an arrow that runs the wrong way is seen",
        arguments: [
            ("PinholeLock", "PinholeModel"), ("PinholeLock", "Foundation"), ("PinholeModel", "PinholeLock"),
            ("PinholeWire", "PinholeLock"), ("PinholeFilter", "PinholeStore"),
            ("PinholeFilter", "Foundation"),
            ("PinholeModel", "PinholeWire"), ("PinholeModel", "Foundation"), ("PinholeWire", "PinholeCrypto"),
            ("PinholeWire", "Glibc"), ("PinholeCrypto", "PinholeWire"), ("PinholeCrypto", "Dispatch"),
            ("PinholeProxy", "Dispatch"), ("PinholeProxy", "Glibc"), ("PinholeProxy", "FoundationEssentials"),
            ("PinholeProxy", "PinholeRuntime"), ("PinholeProxy", "COpenSSL"), ("PinholeRuntime", "COpenSSL"),
            ("PinholeRuntime", "PinholeStore"), ("PinholeRuntime", "PinholeLab"),
            ("PinholeStore", "PinholeWire"),
            ("PinholeStore", "PinholeCrypto"), ("PinholeStore", "PinholeProxy"),
            ("PinholeLab", "PinholeCommand"),
            ("PinholeLab", "GRDB"), ("PinholeCommand", "Dispatch"), ("PinholeCommand", "COpenSSL"),
        ]
    )
    func wrongWay(target: String, module: String) {
        for spelling in [
            "import \(module)", "package import \(module)", "@preconcurrency import \(module)",
            "@_spi(X) internal import \(module)", "import struct \(module).Some", "  import \(module)",
        ] {
            let file = SourceFile(path: "Sources/\(target)/A.swift", text: "// A\n\(spelling)\n")
            #expect(LayeringRule.findings(in: file, of: target).count == 1, "\(spelling)")
        }
    }

    @Test("an arrow that runs the right way is let be")
    func rightWay() {
        let file = SourceFile(
            path: "Sources/PinholeProxy/A.swift",
            text:
                "import PinholeCrypto\npackage import PinholeModel\nimport Synchronization\n// import Dispatch\n"
        )
        #expect(LayeringRule.findings(in: file, of: "PinholeProxy").isEmpty)
    }

    @Test("threads meet at a lock that ThreadSanitizer sees")
    func locks() throws {
        let files = try Repository.swiftFiles(below: "Sources") + Repository.swiftFiles(below: "Tests")
        #expect(filesWithMutexes(files) == [])
        let one = SourceFile(path: "A.swift", text: "let count = \("Mutex")(0) // of Synchronization")
        let other = SourceFile(path: "B.swift", text: "var state: \("Mutex")<State>")
        let neither = SourceFile(path: "C.swift", text: "let state = Lock(0) // not \("Mutex")(0)")
        #expect(filesWithMutexes([one, other, neither]) == [one.path, other.path])
    }

    @Test("columns of a capture are read by type, in one file")
    func columns() throws {
        let files = try Repository.swiftFiles(below: "Sources/PinholeStore")
        #expect(files.contains { $0.path == Self.columnReader })
        #expect(filesWithColumns(files) == [])
        for text in [
            "let id: Int64 = row[0]", "try Row.fetchAll(db, sql: sql)", "Int64.fetchOne(db, sql: sql)",
            "sqlite3_column_int64(handle, 0)",
        ] {
            let file = SourceFile(path: "Sources/PinholeStore/A.swift", text: text)
            #expect(filesWithColumns([file]) == [file.path])
        }
        let comment = SourceFile(path: "Sources/PinholeStore/A.swift", text: "/// Unlike `row[0]`.\nrows[0]")
        #expect(filesWithColumns([comment]) == [])
    }

    private static let columnReader = "Sources/PinholeStore/Reader/StoredRow.swift"

    /// The files, other than the one that may, that take a value out of a row of SQLite without looking at its type.
    private func filesWithColumns(_ files: [SourceFile]) -> [String] {
        let column = #/\brow\[|\bRow\.fetch|\.fetch(One|All|Set|Cursor)\b|sqlite3_column_/#
        return paths(files.filter { $0.path != Self.columnReader }) { $0.contains(column) }
    }

    @Test("a target that the table does not know is seen")
    func unknownTarget() {
        let file = SourceFile(path: "Sources/PinholeNew/A.swift", text: "")
        #expect(LayeringRule.findings(in: file, of: "PinholeNew").count == 1)
    }

    private func filesWithHandlers(_ files: [SourceFile]) -> [String] {
        paths(files) { $0.contains("setEventHandler") }
    }

    private func filesWithMutexes(_ files: [SourceFile]) -> [String] {
        paths(files) { $0.contains("Mutex" + "(") || $0.contains("Mutex" + "<") }
    }

    /// The paths of the files with a line whose code, without its comment, is `wanted`.
    private func paths(_ files: [SourceFile], where wanted: (Substring) -> Bool) -> [String] {
        files.filter { file in
            file.lines.contains { line in
                wanted(line.range(of: "//").map { line[..<$0.lowerBound] } ?? line[...])
            }
        }.map(\.path)
    }
}
