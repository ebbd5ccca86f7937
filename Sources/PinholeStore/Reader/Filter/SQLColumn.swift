import GRDB
import PinholeFilter

/// Where the store has a fact, and what it means when it is not there.
struct SQLColumn {
    /// The column, or what is worked out from columns.
    let sql: String
    /// When a missing value will never come; `nil` where none is ever missing.
    var absence: String?
    /// When the number grows no more; `nil` where it never grows.
    var completion: String?

    /// That the number stands so to `value`, or that it does not, as far as that is known.
    func condition(_ relation: Relation, _ value: Int64, isNegated: Bool) -> SQLCondition {
        let holds = SQLCondition("\(sql) \(relation.rawValue) ?", value)
        guard isNegated else {
            guard let completion, !relation.holdsUpwards else { return holds }
            return .all([holds, SQLCondition(completion)])
        }
        var ways = [SQLCondition("\(sql) \(Self.opposite(relation)) ?", value)]
        if let completion {
            if relation == .less { return .any(ways + [missing].compactMap(\.self)) }
            ways = [.all(ways + [SQLCondition(completion)])]
            if !relation.holdsUpwards { ways.append(SQLCondition("\(sql) > ?", value)) }
        }
        return .any(ways + [missing].compactMap(\.self))
    }

    /// That the text is like that, or that it is not; `nil` where SQL cannot tell.
    func condition(_ test: TextTest, isNegated: Bool) -> SQLCondition? {
        guard let holds = condition(test) else { return nil }
        guard isNegated else { return holds }
        guard holds.isExact else { return nil }
        var negation = holds
        negation.sql = "NOT \(holds.sql)"
        return .any([negation] + [missing].compactMap(\.self))
    }

    private var missing: SQLCondition? { absence.map { SQLCondition("(\(sql) IS NULL AND \($0))") } }

    private func condition(_ test: TextTest) -> SQLCondition? {
        switch test {
        case .equal(let text): SQLCondition("(\(sql) = ? COLLATE NOCASE)", text)
        case .contains(let text): like("%\(Self.escaped(text))%")
        case .starts(let text): like("\(Self.escaped(text))%")
        case .ends(let text): like("%\(Self.escaped(text))")
        case .glob(let text):
            like(
                text.split(separator: "*", omittingEmptySubsequences: false).map(Self.escaped).joined(
                    separator: "%"
                )
            )
        case .matches(let pattern):
            if let (text, isPrefix) = pattern.literal {
                like("\(isPrefix ? "" : "%")\(Self.escaped(text))%")
            } else {
                pattern.requiredText.flatMap { like("%\(Self.escaped($0))%")?.inexact }
            }
        }
    }

    /// LIKE ignores the case of ASCII letters, as filters do; it ends at a zero byte, as filters do not.
    private func like(_ pattern: String) -> SQLCondition? {
        pattern.utf8.contains(0) ? nil : SQLCondition(#"(\#(sql) LIKE ? ESCAPE '\')"#, pattern)
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        text.map { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    private static func opposite(_ relation: Relation) -> String {
        switch relation {
        case .equal: "<>"
        case .less: ">="
        case .atMost: ">"
        case .more: "<="
        case .atLeast: "<"
        }
    }
}
