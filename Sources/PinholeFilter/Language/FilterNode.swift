package import PinholeModel

/// A filter as its parts.
///
/// Conjunctions and disjunctions have two parts or more, none of which is of the same kind, and a negation is not
/// negated: ``all(of:)``, ``any(of:)`` and ``negated`` see to it, so that equal filters are written alike.
package indirect enum FilterNode: Hashable, Sendable {
    /// Whatever there is.
    case everything
    /// Something that holds or not.
    case flag(FilterFlag)
    /// A text, or one of several, is like this.
    case text(TextField, TextTest)
    /// A number stands so to this one, in the unit that is the field's own.
    case number(NumberField, Relation, Int64)
    /// The host that was asked for, and the port where the pattern has one.
    case host(HostPattern)
    /// What does not hold.
    case not(FilterNode)
    /// What holds together.
    case and([FilterNode])
    /// Of which one holds.
    case or([FilterNode])

    /// What holds where all of `nodes` hold.
    package static func all(of nodes: [FilterNode]) -> FilterNode {
        let parts = nodes.flatMap(\.conjuncts).filter { $0 != .everything }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .everything : .and(parts)
    }

    /// What holds where one of `nodes` holds.
    package static func any(of nodes: [FilterNode]) -> FilterNode {
        let parts = nodes.flatMap(\.disjuncts)
        if parts.contains(.everything) { return .everything }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .not(.everything) : .or(parts)
    }

    /// What has to hold together; the node itself where it is no conjunction.
    package var conjuncts: [FilterNode] {
        if case .and(let parts) = self { parts } else { [self] }
    }

    /// Whether what people said of an item decides.
    package var asksForNotes: Bool {
        switch self {
        case .flag(.marked), .text(.comment, _), .text(.marker, _): true
        case .not(let node): node.asksForNotes
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksForNotes)
        case .everything, .flag, .text, .number, .host: false
        }
    }

    /// Whether it names spare connections, which lists leave out otherwise.
    package var asksForSpares: Bool {
        switch self {
        case .flag(.spare), .text(.outcome, .equal(Self.spareOutcome)): true
        case .not(let node): node.asksForSpares
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksForSpares)
        case .everything, .flag, .text, .number, .host: false
        }
    }

    private static let spareOutcome = Outcome.Kind.spare.rawValue

    /// How many parts it has; each step of an expression counts.
    var weight: Int {
        switch self {
        case .text(_, .matches(let pattern)): 1 + pattern.program.steps.count
        case .everything, .flag, .text, .number, .host: 1
        case .not(let node): 1 + node.weight
        case .and(let nodes), .or(let nodes): nodes.reduce(1) { $0 + $1.weight }
        }
    }

    /// How many parts stand in one another.
    var depth: Int {
        switch self {
        case .everything, .flag, .text, .number, .host: 0
        case .not(let node): 1 + node.depth
        case .and(let nodes), .or(let nodes): 1 + (nodes.map(\.depth).max() ?? 0)
        }
    }

    private var disjuncts: [FilterNode] {
        if case .or(let parts) = self { parts } else { [self] }
    }

    /// What holds where this does not.
    package var negated: FilterNode {
        if case .not(let node) = self { node } else { .not(self) }
    }
}

/// How a number stands to another.
package enum Relation: String, Hashable, Sendable, CaseIterable {
    /// The same.
    case equal = "=="
    /// Less.
    case less = "<"
    /// Less, or the same.
    case atMost = "<="
    /// More.
    case more = ">"
    /// More, or the same.
    case atLeast = ">="

    /// Whether `left` stands so to `right`.
    package func holds(_ left: Int64, _ right: Int64) -> Bool {
        switch self {
        case .equal: left == right
        case .less: left < right
        case .atMost: left <= right
        case .more: left > right
        case .atLeast: left >= right
        }
    }

    /// Whether what holds for a number holds for every greater one.
    package var holdsUpwards: Bool { self == .more || self == .atLeast }
}
