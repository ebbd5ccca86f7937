import Foundation
import PinholeFilter
import Testing

@Suite("docs/FILTERS.md")
struct FilterDocumentTests {
    @Test("every example in a table is a filter")
    func examples() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../")
            .standardizedFileURL
        let text = try String(contentsOf: root.appending(path: "docs/FILTERS.md"), encoding: .utf8)
        var examples: [String] = []
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.replacing(#"\|"#, with: "\u{0}").split(separator: "|")
            guard cells.count > 2,
                let code = cells[1].split(separator: "`", omittingEmptySubsequences: false).dropFirst().first
            else { continue }
            examples.append(String(code).replacing("\u{0}", with: "|"))
        }
        #expect(examples.count > 50)
        for example in examples {
            #expect(throws: Never.self, "\(example)") { try Filter(example) }
        }
    }
}
