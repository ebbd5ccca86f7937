/// Decides boolean expressions by their operators, as far as the operands are written out.
///
/// `!true`, `check() || true` and `a ? true : true` are decided; `a && true` is not.
struct SourceLogic {
    private let evaluator: SourceEvaluator
    private let bindings: SourceEvaluator.Bindings
    private let depth: Int

    private var code: SourceCode { evaluator.code }

    /// Words that begin a statement, whose operators belong to its condition.
    private static let statements: Set = [
        "if", "guard", "while", "for", "switch", "when", "return", "case", "unless", "match", "let", "var",
    ]
    /// The operators that Python writes as words.
    private static let operators: [String: Operator] = ["or": .or, "and": .and, "not": .not]

    private enum Operator { case or, and, not, equal, unequal, choice }

    init(_ evaluator: SourceEvaluator, _ bindings: SourceEvaluator.Bindings, _ depth: Int) {
        self.evaluator = evaluator
        self.bindings = bindings
        self.depth = depth
    }

    /// The truth of an expression with a boolean operator; `nil` if it has none, or an operand decides and is unknown.
    func truth(of range: Range<Int>) -> Bool? {
        guard let operators = operators(in: range), !operators.isEmpty else { return nil }
        if let choice = operators.first(where: { $0.kind == .choice }) {
            return truth(ofChoice: choice.index, in: range)
        }
        if let place = operators.last(where: { $0.kind == .or }) {
            return decided(by: true, range, around: place)
        }
        if let place = operators.last(where: { $0.kind == .and }) {
            return decided(by: false, range, around: place)
        }
        if let place = operators.first(where: { $0.kind == .equal || $0.kind == .unequal }) {
            let first = value(range.lowerBound..<place.index)
            let second = value((place.index + place.length)..<range.upperBound)
            guard first.isKnown, second.isKnown, first.isOfSameKind(as: second) else { return nil }
            return first.isSame(as: second) == (place.kind == .equal)
        }
        guard let place = operators.first, place.kind == .not, place.index == range.lowerBound else {
            return nil
        }
        return value((place.index + place.length)..<range.upperBound).truthiness.map { !$0 }
    }

    private func value(_ range: Range<Int>) -> SourceValue { evaluator.value(range, bindings, depth + 1) }

    /// The truth of two operands of which one may decide alone.
    private func decided(by truth: Bool, _ range: Range<Int>, around place: Place) -> Bool? {
        let first = value(range.lowerBound..<place.index).truth
        let second = value((place.index + place.length)..<range.upperBound).truth
        if first == truth || second == truth { return truth }
        return first == nil || second == nil ? nil : !truth
    }

    /// The truth of `condition ? first : second`.
    private func truth(ofChoice index: Int, in range: Range<Int>) -> Bool? {
        var place = index + 1
        var depth = 0
        while place < range.upperBound {
            if code.isMark("?", at: place) { depth += 1 }
            if code.isMark(":", at: place) {
                if depth == 0 { break }
                depth -= 1
            }
            place = code.tokens[place].isMark(of: "([{") ? code.end(of: place) + 1 : place + 1
        }
        guard place < range.upperBound else { return nil }
        let first = value((index + 1)..<place).truth
        let second = value((place + 1)..<range.upperBound).truth
        if let condition = value(range.lowerBound..<index).truth { return condition ? first : second }
        return first == second ? first : nil
    }

    private struct Place {
        let kind: Operator
        let index: Int
        let length: Int
    }

    /// The boolean operators of an expression outside of brackets; `nil` if the range is a statement.
    private func operators(in range: Range<Int>) -> [Place]? {
        if let name = code[range.lowerBound]?.name, Self.statements.contains(name) { return nil }
        var places: [Place] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let token = code.tokens[index]
            if token.isMark(of: "([{") {
                index = code.end(of: index) + 1
                continue
            }
            if token.isMark(";") { break }
            let place = place(at: index, in: range)
            if let place {
                places.append(place)
            } else if token.isMark("="), !code.isMark(">", at: index + 1) {
                // An assignment, and no comparison.
                return nil
            }
            index += place?.length ?? 1
        }
        return places
    }

    private func place(at index: Int, in range: Range<Int>) -> Place? {
        let token = code.tokens[index]
        if let name = token.name {
            guard code.language == .python else { return nil }
            return Self.operators[name].map { Place(kind: $0, index: index, length: 1) }
        }
        guard case .mark(let mark) = token.kind else { return nil }
        let isDouble = code.isMark(mark, at: index + 1) && index + 1 < range.upperBound
        let isCompared = code.isMark("=", at: index + 1) && index + 1 < range.upperBound
        let isTriple = isCompared && code.isMark("=", at: index + 2) && index + 2 < range.upperBound
        switch mark {
        case "|" where isDouble: return Place(kind: .or, index: index, length: 2)
        case "&" where isDouble: return Place(kind: .and, index: index, length: 2)
        case "=" where isCompared: return Place(kind: .equal, index: index, length: isTriple ? 3 : 2)
        case "!" where isCompared: return Place(kind: .unequal, index: index, length: isTriple ? 3 : 2)
        // `try!` and `value!` unwrap.
        case "!" where index == range.lowerBound: return Place(kind: .not, index: index, length: 1)
        case "?" where !isDouble && !code.isMark(of: ".:?=", at: index + 1) && index > range.lowerBound:
            return code.isMark("?", at: index - 1) ? nil : Place(kind: .choice, index: index, length: 1)
        default: return nil
        }
    }
}

extension SourceCode {
    /// Whether a token is one of these characters.
    fileprivate func isMark(of characters: String, at index: Int) -> Bool {
        self[index]?.isMark(of: characters) == true
    }
}

extension SourceValue {
    /// The truth by which conditions of Python, JavaScript and C take a literal; `nil` for unknown values.
    package var truthiness: Bool? {
        switch self {
        case .boolean(let truth): truth
        case .integer(let number): number != 0
        case .null: false
        case .text(let text): text.whole.map { !$0.isEmpty }
        case .collection, .call, .closure, .other: nil
        }
    }

    fileprivate var isKnown: Bool {
        switch self {
        case .boolean, .integer: true
        case .text(let text): text.whole != nil
        default: false
        }
    }

    fileprivate func isOfSameKind(as other: SourceValue) -> Bool {
        switch (self, other) {
        case (.boolean, .boolean), (.integer, .integer), (.text, .text): true
        default: false
        }
    }
}
