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
    /// A column that has the text in it, and is quicker to look at.
    var sieve: Sieve?
    /// Where the parts of a URL lie; `nil` where the text is none.
    var url: URLParts?

    /// A column that has the text in it.
    struct Sieve {
        /// Where in the column the text is.
        enum Place {
            case beginning
            case end
            case anywhere
        }

        let column: String
        let place: Place

        /// The pattern of the column, from that of the text.
        func pattern(_ pattern: String) -> String {
            switch place {
            case .beginning: "\(pattern)%"
            case .end: "%\(pattern)"
            case .anywhere: "%\(pattern)%"
            }
        }
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
        case .equal(let text):
            sieved(SQLCondition("\(sql) = ? COLLATE NOCASE", text), Self.escaped(text))
        case .contains(let text): contains(text)
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
                isPrefix ? like("\(Self.escaped(text))%") : contains(text)
            } else {
                pattern.requiredText.flatMap(contains)?.inexact
            }
        }
    }

    private func contains(_ text: String) -> SQLCondition? {
        if let inParts = url?.contains(text) { return inParts }
        return like("%\(Self.escaped(text))%")
    }

    /// LIKE ignores the case of ASCII letters, as filters do; it ends at a zero byte, as filters do not.
    private func like(_ pattern: String) -> SQLCondition? {
        guard !pattern.utf8.contains(0) else { return nil }
        return sieved(Self.like(sql, pattern), pattern)
    }

    /// The condition behind a quicker one that it implies.
    private func sieved(_ condition: SQLCondition, _ pattern: String) -> SQLCondition {
        guard let sieve, !pattern.utf8.contains(0) else { return condition.parenthesized }
        return .all([Self.like(sieve.column, sieve.pattern(pattern)), condition])
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
