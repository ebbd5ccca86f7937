import PinholeLab
import PinholeRules
import Testing

@testable import PinholeFilter

/// Tables that say more than the program declares, so that `make reference` cannot write them.
@Suite("Written tables")
struct WrittenTableTests {
    private static func table(_ page: String, _ column: String) throws -> WrittenTable {
        try #require(
            WrittenTable.all(of: "docs/\(page).md").first { $0.columns.first == column },
            "\(page) has no table of the column “\(column)”"
        )
    }

    @Test("SCENARIOS has the client modes in their order, the broken ones last")
    func modes() throws {
        let rows = try Self.table("SCENARIOS", "mode").rows
        #expect(rows.map { $0[0] } == LabPolicy.modes.map(\.id))
        #expect(LabPolicy.modes.suffix(5).allSatisfy { $0.stance == .broken })
        #expect(LabPolicy.modes.dropLast(5).allSatisfy { $0.stance != .broken })
    }

    @Test("JUDGE has the same modes")
    func judgedModes() throws {
        let names = try Self.table("JUDGE", "mode").rows.flatMap { $0[0].split(separator: ", ") }
        #expect(names.map(String.init) == LabPolicy.modes.map(\.id))
    }

    @Test("FILTERS has the comparison operators, each with an example that the language takes")
    func operators() throws {
        let rows = try Self.table("FILTERS", "operators").rows
        // The page names = beside ==, for which it stands.
        #expect(Set(rows.flatMap { $0[0].codes }) == Set(FilterParser.operators).subtracting(["="]))
        for example in rows.flatMap({ $0[1].codes }) {
            #expect(throws: Never.self) { try Filter(example) }
        }
    }

    @Test("RULES has the presets of throttle with their numbers")
    func presets() throws {
        let rows = try Self.table("RULES", "preset").rows
        #expect(rows.map { $0[0] } == ThrottlePreset.allCases.map { "`\($0.rawValue)`" })
        func bits(_ text: String) -> Int64? {
            let words = text.split(separator: " ")
            return Int64(words[0]).map { $0 * (words[1] == "Mbit/s" ? 1_000_000 : 1000) }
        }
        for (row, preset) in zip(rows, ThrottlePreset.allCases) {
            #expect(bits(row[2]) == preset.throttling.down, "\(preset)")
            #expect(bits(row[3]) == preset.throttling.up, "\(preset)")
            let latency = row[4].split(separator: " ").first.flatMap { Int64($0) }
            #expect(latency.map { Duration.milliseconds($0) } == preset.throttling.latency, "\(preset)")
        }
    }

    @Test("flags in tables exist")
    func flags() throws {
        let known = Set(try CommandDescription.all.flatMap(\.options).flatMap(\.names))
        var count = 0
        for page in ["LAB", "EXCHANGE", "INSTALL", "JUDGE", "COMMANDS"] {
            for table in try WrittenTable.all(of: "docs/\(page).md") {
                guard let column = table.columns.firstIndex(where: { ["flag", "flags"].contains($0) }) else {
                    continue
                }
                for flag in table.rows.flatMap({ $0[column].matches(of: /--[a-z][a-z-]*/) }) {
                    count += 1
                    #expect(known.contains(String(flag.output)), "docs/\(page).md: \(flag.output)")
                }
            }
        }
        #expect(count > 40)
    }

    @Test(
        "the pages about a command name each of its options",
        arguments: [
            ("pinhole lab run", ["LAB", "CI"]), ("pinhole audit", ["LAB", "CI"]),
            ("pinhole browser", ["COMMANDS"]), ("pinhole flows list", ["COMMANDS"]),
        ]
    )
    func options(_ path: String, _ pages: [String]) throws {
        let command = try #require(try CommandDescription.all.first { $0.path == path })
        let text = try pages.flatMap { try RepositoryPages.lines(of: "docs/\($0).md") }.joined(
            separator: "\n"
        )
        let named = Set(text.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
        for option in command.options {
            #expect(named.contains(option.names.last ?? ""), "\(path) \(option.names)")
        }
    }

    @Test("a bar behind a backslash is a part of a cell")
    func cells() throws {
        let rows = try WrittenTable.all(of: "docs/LAB.md").flatMap(\.rows)
        #expect(rows.contains { $0[0].contains("`--only attacks|changes`") })
    }
}
