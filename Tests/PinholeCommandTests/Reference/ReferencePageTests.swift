import Foundation
import Testing

@Suite("Reference pages")
struct ReferencePageTests {
    private static let pages = [
        "COMMANDS", "OPTIONS", "CONFIGURATION", "FILTERS", "RULES", "SCENARIOS", "PINS", "LAB",
        "CLIENTS", "CAPABILITIES",
    ]

    /// `make reference` asks for the pages to be written.
    private static let isWriting = ProcessInfo.processInfo.environment["PINHOLE_WRITE_REFERENCE"] == "1"

    @Test("the page agrees with the program's declarations", arguments: pages.map { "docs/\($0).md" })
    func page(_ path: String) async throws {
        let blocks = try await ReferenceBlock.all.filter { $0.page == path }
        #expect(!blocks.isEmpty)
        let found = try RepositoryPages.lines(of: path)
        var expected = found
        for block in blocks {
            expected = try #require(
                block.written(into: expected),
                "\(path) lacks the comments “\(block.start)” and “\(block.end)”"
            )
        }
        try compare(path, found, expected)
    }

    @Test("the file of the console has the fields of the program", arguments: FieldFile.all)
    func file(_ file: FieldFile) throws {
        let found = (try? RepositoryPages.lines(of: file.path)) ?? []
        try compare(file.path, found, try file.written())
    }

    /// Writes the file, or says where it differs from what the program declares.
    private func compare(_ path: String, _ found: [String], _ expected: [String]) throws {
        if Self.isWriting {
            try expected.joined(separator: "\n")
                .write(to: RepositoryPages.root.appending(path: path), atomically: true, encoding: .utf8)
            return
        }
        let difference = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
        guard difference != nil || found.count != expected.count else { return }
        let line = difference?.offset ?? min(found.count, expected.count)
        Issue.record(
            """
            \(path):\(line + 1): the file is not what the program declares; run make reference
              the file     \(line < found.count ? found[line] : "(ends)")
              the program  \(line < expected.count ? expected[line] : "(ends)")
            """
        )
    }

    @Test("every block belongs to a page of this test, and has a name of its own")
    func blocks() async throws {
        let blocks = try await ReferenceBlock.all
        #expect(Set(blocks.map(\.page)) == Set(Self.pages.map { "docs/\($0).md" }))
        #expect(Set(blocks.map { $0.page + $0.title }).count == blocks.count)
    }

    @Test("a page without the comments is refused, and text around the comments stays")
    func comments() {
        let block = ReferenceBlock("A", "things", ["| new |"])
        #expect(block.written(into: ["# A", "text"]) == nil)
        #expect(
            block.written(into: ["# A", block.start, "old", block.end, "text"])
                == ["# A", block.start, "", "| new |", "", block.end, "text"]
        )
    }
}
