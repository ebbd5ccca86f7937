import Foundation
import PinholeLab
import Testing

@Suite("docs/SCENARIOS.md")
struct ScenarioPageTests {
    /// The cells of each row that begins with the identifier of a scenario.
    private static func rows() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/SCENARIOS.md"), encoding: .utf8)
        return page.split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.first?.wholeMatch(of: /[A-Z]\d\d/) != nil }
    }

    @Test("every scenario stands in the page once, and nothing else does")
    func complete() throws {
        let ids = try Self.rows().compactMap(\.first)
        #expect(ids.sorted() == Scenario.catalogue.map(\.id).sorted())
    }

    @Test("the page says what the scenario says", arguments: Scenario.catalogue.map(\.id))
    func texts(id: String) throws {
        let scenario = try #require(Scenario.catalogue.first { $0.id == id })
        let row = try #require(Self.rows().first { $0.first == id })
        try #require(row.count >= 3)
        #expect(row[1] == "**\(scenario.title)**: \(scenario.presents)")
        #expect(row[2] == scenario.correctClient)
    }

    @Test("the page names the modes that refuse", arguments: ScenarioTable.rows)
    func modes(_ row: ScenarioTable.Row) throws {
        let cells = try #require(Self.rows().first { $0.first == row.id })
        #expect(cells.last == row.summary)
    }
}
