import Foundation
import Testing

/// docs/THREAT-MODEL.md names a test for each fault of other tools.
@Suite("Faults of other tools in docs/THREAT-MODEL.md")
struct AdvisoriesTests {
    /// A text that has to stand in a file.
    struct Mention: Equatable {
        var path: String
        var text: String
    }

    /// What the last cell of each row names: files in backticks, each followed by quotations from it.
    static func mentions(in page: String) -> [[Mention]] {
        page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
            let cell = row.split(separator: "|").last ?? ""
            return cell.split(separator: "`").reduce(into: (path: "", found: [Mention]())) { state, piece in
                if piece.contains("/"), !piece.contains("“") {
                    state.path = "Tests/\(piece)"
                } else {
                    for quotation in piece.split(separator: "“").dropFirst() {
                        let text = quotation.prefix { $0 != "”" }
                        state.found.append(Mention(path: state.path, text: String(text)))
                    }
                }
            }.found
        }
    }

    @Test("each row names tests, and each of them is there")
    func tests() throws {
        let page = try #require(Repository.text(of: "docs/THREAT-MODEL.md"))
        let section = try #require(page.range(of: "## Faults of other tools\n"))
        let rows = Self.mentions(in: String(page[section.upperBound...]))
        #expect(rows.count >= 16)
        for row in rows {
            #expect(!row.isEmpty)
            for mention in row {
                let text = Repository.text(of: mention.path) ?? ""
                #expect(text.contains(mention.text), "\(mention)")
            }
        }
    }

    @Test("files and quotations are found in a row")
    func reading() {
        let page =
            "| a | b |\n|---|---|\n| x | `A/B.swift`: “one”, “two”; `C/D.swift`: “three” |\n| y | none |"
        #expect(
            Self.mentions(in: page) == [
                [
                    Mention(path: "Tests/A/B.swift", text: "one"),
                    Mention(path: "Tests/A/B.swift", text: "two"),
                    Mention(path: "Tests/C/D.swift", text: "three"),
                ], [],
            ]
        )
    }
}
