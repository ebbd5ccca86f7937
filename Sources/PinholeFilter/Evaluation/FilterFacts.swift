/// What a filter asks of an exchange or a flow.
package protocol FilterFacts {
    /// Why a fact cannot be had.
    associatedtype Failure: Error

    /// Whether `flag` holds.
    mutating func truth(of flag: FilterFlag) throws(Failure) -> Truth

    /// The texts of `field`.
    mutating func texts(of field: TextField) throws(Failure) -> TextFacts

    /// The number of `field`.
    mutating func number(of field: NumberField) throws(Failure) -> NumberFact
}

/// The texts of a field: none, one or several.
package struct TextFacts: Equatable, Sendable {
    /// The texts, in UTF-8 as far as they are.
    package var values: [[UInt8]]
    /// Whether no more can come.
    package var isComplete: Bool

    /// Creates the texts.
    package init(_ values: [[UInt8]], isComplete: Bool = true) {
        self.values = values
        self.isComplete = isComplete
    }

    /// Creates one text, or none.
    package init(_ text: String?, isComplete: Bool = true) {
        self.init(text.map { [Array($0.utf8)] } ?? [], isComplete: isComplete)
    }
}

/// A number, as far as it is known.
package enum NumberFact: Equatable, Sendable {
    /// This.
    case known(Int64)
    /// There is none, and none will come.
    case absent
    /// It may come.
    case open
    /// It is growing, and this by now.
    case growing(Int64)

    /// Creates what is known, or may be.
    package init(_ value: Int64?, isComplete: Bool) {
        self = value.map(NumberFact.known) ?? (isComplete ? .absent : .open)
    }

    /// Whether it stands so to `value`.
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
