import PinholeLab
import PinholePolicies

/// The tables of docs/PINS.md, and that of the rows in docs/LAB.md.
enum PolicyPage {
    static var blocks: [ReferenceBlock] {
        let mechanisms = PolicyMechanism.Group.allCases.map { group in
            let members = PolicyMechanism.all.filter { $0.group == group }
            return ReferenceBlock(
                "PINS",
                "mechanisms: \(group.rawValue)",
                members.count == 1 ? settings(of: members[0]) : table(of: members)
            )
        }
        return mechanisms + [ReferenceBlock("LAB", "rows of the lab", rows)]
    }

    /// A table with a row for each mechanism.
    private static func table(of mechanisms: [PolicyMechanism]) -> [String] {
        Markdown.table(
            ["mechanism", "settings (default)", "effect"],
            mechanisms.map { mechanism in
                let settings = mechanism.settings.map { setting in
                    let remarks = [setting.usual.map(Markdown.code), setting.meaning].compactMap(\.self)
                        .filter { !$0.isEmpty }
                    let name = Markdown.code(setting.name)
                    return remarks.isEmpty ? name : "\(name) (\(remarks.joined(separator: "; ")))"
                }
                return [
                    Markdown.code(mechanism.name), settings.isEmpty ? "–" : settings.joined(separator: ", "),
                    mechanism.meaning,
                ]
            }
        )
    }

    /// A table with a row for each setting of the only mechanism of a group.
    private static func settings(of mechanism: PolicyMechanism) -> [String] {
        Markdown.table(
            ["setting of `\(mechanism.name)`", "default", "meaning"],
            mechanism.settings.map { setting in
                [Markdown.code(setting.name), setting.usual.map(Markdown.code) ?? "", setting.meaning]
            }
        )
    }

    private static var rows: [String] {
        Markdown.table(
            ["group", "row", "what it is"],
            LabPolicy.Group.allCases.flatMap { group in
                LabPolicy.builtIn.filter { $0.group == group }.enumerated().map { index, policy in
                    let isBroken = policy.stance == .broken
                    return [
                        index == 0 ? group.rawValue : "", policy.id + (isBroken ? "\\*" : ""), policy.title,
                    ]
                }
            }
        )
    }
}
