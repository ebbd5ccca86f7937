import Foundation
import Testing

@testable import PinholeLab

@Suite("docs/LAB.md")
struct PredictionPageTests {
    private static func page() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/LAB.md"), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("every rule stands in the page, in its order and by its name")
    func rules() throws {
        let rows = try Self.page().filter { $0.first?.wholeMatch(of: /R\d\d/) != nil }
        #expect(rows.map { $0.prefix(2).joined(separator: " ") } == PredictionRule.allCases.map(\.described))
    }

    @Test("every changed line stands in the page")
    func mutations() throws {
        let rows = try Self.page().drop { $0.first != "document" }.dropFirst(2)
        #expect(rows.count == MutationDocuments.mutations.count)
    }
}

extension PredictionRule {
    fileprivate var described: String { "\(rawValue) \(title)" }
}
