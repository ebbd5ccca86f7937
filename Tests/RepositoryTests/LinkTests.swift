import Foundation
import Testing

@Suite("Links")
struct LinkTests {
    /// Whether a path below the root is that of a file or a folder.
    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path)
    }

    @Test("links of pages lead to files and headings that exist")
    func pages() async throws {
        let names = try await Repository.trackedFiles().filter { $0.hasSuffix(".md") }
        let pages = names.compactMap { name in
            Repository.text(of: name).map { SourceFile(path: name, text: $0) }
        }
        #expect(pages.count > 20)
        #expect(LinkRule.findings(in: pages, exists: Self.exists) == [])
    }

    @Test("pages that messages and comments name exist")
    func mentions() async throws {
        let names = try await Repository.trackedFiles().filter { !$0.hasSuffix(".md") }
        let files = names.compactMap { name in
            Repository.text(of: name).map { SourceFile(path: name, text: $0) }
        }
        #expect(files.count > 20)
        #expect(files.flatMap { LinkRule.findings(ofPagesNamedIn: $0, exists: Self.exists) } == [])
    }

    @Test("a link to a missing file and one to a missing heading are found, code is not read")
    func deadLinks() {
        let text =
            "# A b, `c`\n[1](#a-b-c) [2](#d) [3](B.md#two)\n[4](../C.md) [5](https://a.test/)\n```\n[6](D.md)\n```"
        let pages = [
            SourceFile(path: "pages/A.md", text: text), SourceFile(path: "pages/B.md", text: "# One\n## Two"),
        ]
        let findings = LinkRule.findings(in: pages) { $0.hasPrefix("pages/") }.map(\.description)
        #expect(
            findings == [
                "pages/A.md:2: links to #d, a missing heading",
                "pages/A.md:3: links to C.md, which does not exist",
            ]
        )
    }

    @Test("a missing page that a message names is found")
    func deadMention() {
        let file = SourceFile(path: "A.swift", text: "// docs/\("ONE").md\n// docs/\("TWO").md")
        let findings = LinkRule.findings(ofPagesNamedIn: file) { $0.contains("ONE") }
        #expect(findings.map(\.description) == ["A.swift:2: names docs/\("TWO").md, which does not exist"])
    }
}
