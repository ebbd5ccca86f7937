package import PinholeModel

/// A node of a filter's syntax tree.
///
/// A conjunction or disjunction has at least two parts, and none of them is of the same kind. A negation does not
/// contain a negation. ``all(of:)``, ``any(of:)`` and ``negated`` keep these rules, so equal filters are written alike.
package indirect enum FilterNode: Hashable, Sendable {
    /// Matches every item.
    case everything
    /// The flag holds.
    case flag(FilterFlag)
    /// At least one text of the field passes the test.
    case text(TextField, TextTest)
    /// The number has this relation to the given value, in the unit of the field.
    case number(NumberField, Relation, Int64)
    /// The requested host matches the pattern, and the port does, too, if the pattern has one.
    case host(HostPattern)
    /// The node does not hold.
    case not(FilterNode)
    /// All nodes hold.
    case and([FilterNode])
    /// At least one node holds.
    case or([FilterNode])

    /// Returns the conjunction of `nodes`, in canonical form.
    package static func all(of nodes: [FilterNode]) -> FilterNode {
        let parts = nodes.flatMap(\.conjuncts).filter { $0 != .everything }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .everything : .and(parts)
    }

    /// Returns the disjunction of `nodes`, in canonical form.
    package static func any(of nodes: [FilterNode]) -> FilterNode {
        let parts = nodes.flatMap(\.disjuncts)
        if parts.contains(.everything) { return .everything }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .not(.everything) : .or(parts)
    }

    /// The parts of a conjunction; for any other node, the node itself.
    package var conjuncts: [FilterNode] {
        if case .and(let parts) = self { parts } else { [self] }
    }

    /// Whether the result depends on marks or comments of users.
    package var asksForNotes: Bool {
        switch self {
        case .flag(.marked), .text(.comment, _), .text(.marker, _): true
        case .not(let node): node.asksForNotes
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksForNotes)
        case .everything, .flag, .text, .number, .host: false
        }
    }

    /// Whether the filter mentions spare connections, which lists omit otherwise.
    package var asksForSpares: Bool {
        switch self {
        case .flag(.spare), .text(.outcome, .equal(Self.spareOutcome)): true
        case .not(let node): node.asksForSpares
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksForSpares)
        case .everything, .flag, .text, .number, .host: false
        }
    }

    private static let spareOutcome = Outcome.Kind.spare.rawValue

    /// The number of nodes, and of steps of their expressions.
    var weight: Int {
        switch self {
        case .text(_, .matches(let pattern)): 1 + pattern.program.steps.count
        case .everything, .flag, .text, .number, .host: 1
        case .not(let node): 1 + node.weight
        case .and(let nodes), .or(let nodes): nodes.reduce(1) { $0 + $1.weight }
        }
    }

    /// The number of nodes that are nested in one another.
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

    /// The negation, in canonical form.
    package var negated: FilterNode {
        if case .not(let node) = self { node } else { .not(self) }
    }
}

/// A relation between two numbers.
package enum Relation: String, Hashable, Sendable, CaseIterable {
    /// Equal to.
    case equal = "=="
    /// Less than.
    case less = "<"
    /// Less than or equal.
    case atMost = "<="
    /// Greater than.
    case more = ">"
    /// Greater than or equal.
    case atLeast = ">="

    /// Whether `left` has this relation to `right`.
    package func holds(_ left: Int64, _ right: Int64) -> Bool {
        switch self {
        case .equal: left == right
        case .less: left < right
        case .atMost: left <= right
        case .more: left > right
        case .atLeast: left >= right
        }
    }

    /// Whether the relation holds for every greater `left` once it holds for one.
    package var holdsUpwards: Bool { self == .more || self == .atLeast }
}
