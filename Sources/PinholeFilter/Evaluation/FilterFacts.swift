/// The facts about one exchange or flow that a filter can ask for.
package protocol FilterFacts {
    /// The error of a source that cannot deliver a fact.
    associatedtype Failure: Error

    /// Whether `flag` holds.
    mutating func truth(of flag: FilterFlag) throws(Failure) -> Truth

    /// Returns the texts of `field`.
    mutating func texts(of field: TextField) throws(Failure) -> TextFacts

    /// Returns the number of `field`.
    mutating func number(of field: NumberField) throws(Failure) -> NumberFact
}

/// The texts of a field: none, one or several.
package struct TextFacts: Equatable, Sendable {
    /// The texts; they are UTF-8 only if the recorded bytes were.
    package var values: [[UInt8]]
    /// Whether no more texts can be added while the exchange runs.
    package var isComplete: Bool

    /// Creates the facts of a field.
    package init(_ values: [[UInt8]], isComplete: Bool = true) {
        self.values = values
        self.isComplete = isComplete
    }

    /// Creates the facts of a field with one text; `nil` means no text.
    package init(_ text: String?, isComplete: Bool = true) {
        self.init(text.map { [Array($0.utf8)] } ?? [], isComplete: isComplete)
    }
}

/// A number, as far as it is known.
package enum NumberFact: Equatable, Sendable {
    /// The number is final.
    case known(Int64)
    /// There is no number, and none will be added.
    case absent
    /// There is no number yet, but one may be added.
    case open
    /// The number so far; it can only grow.
    case growing(Int64)

    /// Whether the number has this relation to `value`; `open` if the number may still change the answer.
    func truth(_ relation: Relation, _ value: Int64) -> Truth {
        switch self {
        case .known(let known): return Truth(relation.holds(known, value))
        case .absent: return .no
        case .open: return .open
        case .growing(let least):
            if relation.holdsUpwards { return relation.holds(least, value) ? .yes : .open }
            let isPassed = relation == .less ? least >= value : least > value
            return isPassed ? .no : .open
        }
    }
}
