import PinholeRules

/// The tables of docs/RULES.md.
enum RulePage {
    static var blocks: [ReferenceBlock] {
        [
            keys("keys of every rule", RuleKey.common),
            ReferenceBlock(
                "RULES",
                "kinds of rules",
                Markdown.table(["`do`", "effect"], RuleKind.allCases.map(row))
            ),
            ReferenceBlock(
                "RULES",
                "keys of each kind",
                Markdown.table(
                    ["`do`", "key", "default", "meaning"],
                    RuleKind.allCases.filter(\.hasKeysOfItsOwn).flatMap { kind in
                        kind.keys.enumerated().map { index, key in
                            [index == 0 ? Markdown.code(kind.rawValue) : ""] + row(of: key)
                        }
                    }
                )
            ),
            keys("keys that change heads", RuleKey.requestHead + RuleKey.responseHead + RuleKey.fields),
            keys("keys that change bodies", RuleKey.body),
            keys("keys of throttle", RuleKey.throttle),
            keys(
                "keys of rules for messages",
                RuleKey.messageMatch + RuleKey.messageRewrite
                    + RuleKey.messageInjection.filter { !RuleKey.messageRewrite.contains($0) }
            ),
        ]
    }

    private static func row(_ kind: RuleKind) -> [String] {
        let meaning = kind.details.map { details in
            details.hasPrefix("docs/") ? "\(kind.summary) (\(details))" : "\(kind.summary). \(details)"
        }
        return [Markdown.code(kind.rawValue), Markdown.text(meaning ?? kind.summary, on: "RULES")]
    }

    private static func row(of key: RuleKey) -> [String] {
        [
            Markdown.code(key.name), key.usual.map(Markdown.code) ?? "",
            Markdown.text(key.explanation, on: "RULES"),
        ]
    }

    /// A table of keys; it has a column for defaults if a key has one.
    private static func keys(_ title: String, _ keys: [RuleKey]) -> ReferenceBlock {
        let hasDefaults = keys.contains { $0.usual != nil }
        let columns = hasDefaults ? ["key", "default", "meaning"] : ["key", "meaning"]
        let rows = keys.map(row).map { hasDefaults ? $0 : [$0[0], $0[2]] }
        return ReferenceBlock("RULES", title, Markdown.table(columns, rows))
    }
}
