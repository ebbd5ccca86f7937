@testable import PinholeCommand

/// The tables of docs/CONFIGURATION.md.
enum ConfigurationPage {
    static var blocks: [ReferenceBlock] {
        let sections = ConfigurationSection.all
        let members = sections.map { section in
            [
                "[`\(section.name)`](#\(section.name))", section.usual.map(Markdown.code) ?? "",
                section.meaning,
            ]
        }
        let tables = sections.filter { !$0.keys.isEmpty }.map { section in
            block("keys of \(section.name)", section.keys.map(row))
        }
        return [block("members of config.json", members)] + tables
    }

    private static func row(of key: ConfigurationKey) -> [String] {
        [Markdown.code(key.name), Markdown.code(key.usual), Markdown.text(key.meaning, on: "CONFIGURATION")]
    }

    private static func block(_ title: String, _ rows: [[String]]) -> ReferenceBlock {
        ReferenceBlock("CONFIGURATION", title, Markdown.table(["key", "default", "meaning, and why"], rows))
    }
}
