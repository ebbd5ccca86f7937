import Testing

@Suite("Unchecked concurrency")
struct UncheckedTests {
    @Test("names its guard")
    func explained() throws {
        #expect(try Repository.swiftFiles(below: "Sources").flatMap(UncheckedRule.findings) == [])
    }

    @Test("is rare")
    func rare() throws {
        let places = try Repository.swiftFiles(below: "Sources").flatMap(UncheckedRule.occurrences)
        #expect(places.count <= UncheckedRule.most)
    }

    @Test("is seen where nothing explains it", arguments: ["", "/// A box.\n", "// Sendable: yes.\n\n"])
    func unexplained(comment: String) {
        let file = SourceFile(path: "A.swift", text: "\(comment)final class Box: @unchecked Sendable {}")
        #expect(UncheckedRule.findings(in: file).count == 1)
    }

    @Test(
        "passes if its guard is named",
        arguments: ["/// A box.\n///\n/// Sendable: its lock.\n@frozen\n", "// Guarded by `lock`.\n"]
    )
    func guarded(comment: String) {
        let file = SourceFile(path: "A.swift", text: "\(comment)nonisolated(unsafe) var count = 0")
        #expect(UncheckedRule.findings(in: file).isEmpty)
    }

    @Test("is not meant by a comment that speaks of it")
    func comment() {
        let file = SourceFile(path: "A.swift", text: "// @unchecked Sendable is not needed here.")
        #expect(UncheckedRule.occurrences(in: file).isEmpty)
    }
}
