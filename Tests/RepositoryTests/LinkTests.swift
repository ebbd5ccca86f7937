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

    @Test("pages and sections that messages and comments name exist")
    func mentions() async throws {
        let all = try await Repository.trackedFiles().compactMap { name in
            Repository.text(of: name).map { SourceFile(path: name, text: $0) }
        }
        let pages = all.filter { $0.path.hasSuffix(".md") }
        let files = all.filter { !$0.path.hasSuffix(".md") }
        #expect(pages.count > 20 && files.count > 20)
        #expect(LinkRule.findings(ofPagesNamedIn: files, pages: pages) == [])
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

    @Test("a missing page and a missing section that a message names are found")
    func deadMention() {
        let page = "docs/\("ONE").md"
        let pages = [SourceFile(path: page, text: "# One\n## Two")]
        let file = SourceFile(path: "A.swift", text: "// \(page)#two\n// docs/\("TWO").md\n// \(page)#three")
        let findings = LinkRule.findings(ofPagesNamedIn: [file], pages: pages)
        #expect(
            findings.map(\.description) == [
                "A.swift:2: names docs/\("TWO").md, which does not exist",
                "A.swift:3: names \(page)#three, a missing heading",
            ]
        )
    }
}
