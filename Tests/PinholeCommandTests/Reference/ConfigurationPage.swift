import PinholeRules

@testable import PinholeCommand
@testable import PinholeSession

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
        return [block("members of config.json", members), confirmed] + tables
    }

    /// What the user confirms: the keys that declare a harm, and the effects of rules.
    private static var confirmed: ReferenceBlock {
        var rows: [(effect: String, settings: [String])] = []
        let add = { (setting: String, effect: String) in
            if let index = rows.firstIndex(where: { $0.effect == effect }) {
                rows[index].settings.append(setting)
            } else {
                rows.append((effect, [setting]))
            }
        }
        for (key, harm) in ConfigurationSection.all.flatMap(\.harms) where key != "rules" {
            guard case .some(let values, let effect, _) = harm else { continue }
            add(values.isEmpty ? Markdown.code(key) : "\(Markdown.code(key)) \(values)", effect)
        }
        for effect in RuleEffect.allCases where effect.needsConfirmation {
            let kinds = RuleKind.allCases.filter { $0.effects.contains(effect) }
            add(
                "rules with \(kinds.map { Markdown.code($0.rawValue) }.joined(separator: ", "))",
                effect.summary
            )
        }
        add("any path outside the folder of the file", Configuration.outsideEffect)
        return ReferenceBlock(
            "CONFIGURATION",
            "settings to confirm",
            Markdown.table(
                ["setting", "what you confirm"],
                rows.map { [$0.settings.joined(separator: ", "), $0.effect] }
            )
        )
    }

    private static func row(of key: ConfigurationKey) -> [String] {
        [Markdown.code(key.name), Markdown.code(key.usual), Markdown.text(key.meaning, on: "CONFIGURATION")]
    }

    private static func block(_ title: String, _ rows: [[String]]) -> ReferenceBlock {
        ReferenceBlock("CONFIGURATION", title, Markdown.table(["key", "default", "meaning, and why"], rows))
    }
}
