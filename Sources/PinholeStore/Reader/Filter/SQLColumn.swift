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
    /// A column with another text of the same field.
    var other: String?
    /// A column that has the text in it, and is quicker to look at.
    var sieve: Sieve?
    /// Whether it is the URL, which is looked at in its parts: see ``FilterFunctions``.
    var isURL = false

    /// A column that has the text in it.
    struct Sieve {
        let column: String
        /// Where in the column the text is.
        let position: TextPosition
    }

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
        if let other {
            let texts = [sql, other].map { SQLColumn(sql: $0, absence: absence) }
            let conditions = texts.compactMap { $0.condition(test, isNegated: isNegated) }
            guard conditions.count == texts.count else { return nil }
            return isNegated ? .all(conditions) : .any(conditions)
        }
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
        case .equal(let text): condition(text, .whole)
        case .contains(let text): condition(text, .anywhere)
        case .starts(let text): condition(text, .beginning)
        case .ends(let text): condition(text, .end)
        case .glob(let text): glob(text.split(separator: "*", omittingEmptySubsequences: false))
        case .matches(let pattern):
            if let (text, isPrefix) = pattern.literal {
                condition(text, isPrefix ? .beginning : .anywhere)
            } else {
                pattern.requiredText.flatMap { condition($0, .anywhere) }?.inexact
            }
        }
    }

    private func condition(_ text: String, _ position: TextPosition) -> SQLCondition? {
        if isURL { return FilterFunctions.isInURL(text, position) }
        switch position {
        case .anywhere:
            let columns = [sieve?.column, sql].compactMap(\.self)
            let conditions = columns.compactMap { FilterFunctions.isIn($0, text) }
            return conditions.count == columns.count ? .all(conditions) : nil
        case .beginning, .end: return like(position.pattern(Self.escaped(text)))
        case .whole: return sieved(SQLCondition("\(sql) = ? COLLATE NOCASE", text), Self.escaped(text))
        }
    }

    /// What stands between stars is in the text, which is quicker to find out for a URL.
    private func glob(_ pieces: [Substring]) -> SQLCondition? {
        guard let holds = like(pieces.map(Self.escaped).joined(separator: "%")) else { return nil }
        guard isURL, let longest = pieces.max(by: { $0.count < $1.count }) else { return holds }
        return .all([FilterFunctions.isInURL(String(longest), .anywhere), holds].compactMap(\.self))
    }

    /// LIKE ignores the case of ASCII letters, as filters do; it ends at a zero byte, as filters do not.
    private func like(_ pattern: String) -> SQLCondition? {
        guard !pattern.utf8.contains(0) else { return nil }
        return sieved(Self.like(sql, pattern), pattern)
    }

    /// The condition behind a quicker one that it implies.
    private func sieved(_ condition: SQLCondition, _ pattern: String) -> SQLCondition {
        guard let sieve, !pattern.utf8.contains(0) else { return condition.parenthesized }
        return .all([Self.like(sieve.column, sieve.position.pattern(pattern)), condition])
    }

    /// That a column is like a pattern whose own signs are escaped; to look for escapes costs time, so it is done only
    /// where there are some.
    static func like(_ column: String, _ pattern: String) -> SQLCondition {
        let escape = pattern.utf8.contains(0x5c) ? #" ESCAPE '\'"# : ""
        return SQLCondition("\(column) LIKE ?\(escape)", pattern)
    }

    /// A text as a part of a pattern.
    static func escaped(_ text: some StringProtocol) -> String {
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
