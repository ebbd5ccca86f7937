import Foundation
import Testing

/// docs/THREAT-MODEL.md names a test for each attack that it defends against, and for each fault of other tools.
@Suite("Tests in docs/THREAT-MODEL.md")
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

    @Test(
        "each row names tests, and each of them is there",
        arguments: [("What is defended", 27), ("Faults of other tools", 16)]
    )
    func tests(title: String, least: Int) throws {
        let page = try #require(Repository.text(of: "docs/THREAT-MODEL.md"))
        let start = try #require(page.range(of: "## \(title)\n")).upperBound
        let end = page[start...].range(of: "\n## ")?.lowerBound ?? page.endIndex
        let rows = Self.mentions(in: String(page[start..<end]))
        #expect(rows.count >= least)
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
