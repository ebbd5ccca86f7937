import Foundation
import Testing

@Suite("The pages of the rules and of changed lines")
struct PredictionPageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func rows(of path: String) throws -> [[String]] {
        let page = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("the page lists every rule in its order, by its name")
    func rules() throws {
        let rows = try Self.rows(of: "README.md").filter { $0.first?.wholeMatch(of: /R\d\d/) != nil }
        #expect(rows.map { $0.prefix(2).joined(separator: " ") } == PredictionRule.allCases.map(\.described))
    }

    @Test("the page shows every changed line")
    func mutations() throws {
        let rows = try Self.rows(of: "../../../docs/LAB.md").drop { $0.first != "document" }.dropFirst(2)
        #expect(rows.count == MutationDocuments.mutations.count)
    }
}

extension PredictionRule {
    fileprivate var described: String { "\(rawValue) \(title)" }
}
