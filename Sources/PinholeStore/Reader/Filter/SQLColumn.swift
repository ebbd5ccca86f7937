import PinholeFilter

/// The place of a fact in SQL, and the meaning of a missing value.
struct SQLColumn {
    /// The column, or an expression of columns.
    let sql: String
    /// The SQL condition under which a missing value stays missing; `nil` if a value is never missing.
    var absence: String?
    /// The SQL condition under which the number no longer grows; `nil` if it never grows.
    var completion: String?
    /// A column with another text of the same field; `nil` if there is none.
    var other: String?
    /// A column that contains the text and is faster to search; `nil` if there is none.
    var sieve: Sieve?
    /// Whether the value is the URL, which is searched in its parts: see ``FilterFunctions``.
    var isURL = false

    /// A column that contains the text.
    struct Sieve {
        let column: String
        /// The position of the text in the column.
        let position: TextPosition
    }

    /// Returns the condition that the number is known to have this relation to `value`, or known not to have it.
    func condition(_ relation: Relation, _ value: Int64, isNegated: Bool) -> SQLCondition {
        let holds = SQLCondition("\(sql) \(relation.rawValue) ?", .number(value))
        guard isNegated else {
            guard let completion, !relation.holdsUpwards else { return holds }
            return .all([holds, SQLCondition(completion)])
        }
        var ways = [SQLCondition("\(sql) \(Self.opposite(relation)) ?", .number(value))]
        if let completion {
            if relation == .less { return .any(ways + [missing].compactMap(\.self)) }
            ways = [.all(ways + [SQLCondition(completion)])]
            if !relation.holdsUpwards { ways.append(SQLCondition("\(sql) > ?", .number(value))) }
        }
        return .any(ways + [missing].compactMap(\.self))
    }

    /// Returns the condition that the text passes the test, or that it does not; `nil` if SQL cannot tell.
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
        case .anywhere, .beginning, .end: return like(position.pattern(Self.escaped(text)))
        case .whole: return sieved(SQLCondition("\(sql) = ? COLLATE NOCASE", .text(text)), Self.escaped(text))
        }
    }

    /// Returns the condition for a glob; for a URL, a faster search for its longest piece comes first.
    private func glob(_ pieces: [Substring]) -> SQLCondition? {
        guard let holds = like(pieces.map(Self.escaped).joined(separator: "%")) else { return nil }
        guard isURL, let longest = pieces.max(by: { $0.count < $1.count }) else { return holds }
        return .all([FilterFunctions.isInURL(String(longest), .anywhere), holds].compactMap(\.self))
    }

    /// Returns the condition that the text matches a pattern of LIKE; `nil` for a pattern with a zero byte.
    ///
    /// As filters do, LIKE ignores the case of ASCII letters. But LIKE ends at a zero byte.
    private func like(_ pattern: String) -> SQLCondition? {
        guard !pattern.utf8.contains(0) else { return nil }
        return sieved(Self.like(sql, pattern), pattern)
    }

    /// Returns the condition after a faster one that it implies.
    private func sieved(_ condition: SQLCondition, _ pattern: String) -> SQLCondition {
        guard let sieve, !pattern.utf8.contains(0) else { return condition.parenthesized }
        return .all([Self.like(sieve.column, sieve.position.pattern(pattern)), condition])
    }

    /// Returns the condition that a column matches a pattern with escapes; ESCAPE costs time and is added only if
    /// needed.
    static func like(_ column: String, _ pattern: String) -> SQLCondition {
        let escape = pattern.utf8.contains(0x5c) ? #" ESCAPE '\'"# : ""
        return SQLCondition("\(column) LIKE ?\(escape)", .text(pattern))
    }

    /// Returns a text as a part of a pattern.
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
