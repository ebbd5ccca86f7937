import PinholeFilter

/// A filter of an agent, which asks about the records as the agent sees them.
///
/// A filter about hidden values would spell them by its answers, a letter at a time.
struct AgentQuestion {
    /// The part of the filter that the capture may answer, since an agent sees everything that it asks about.
    let selection: Filter
    /// The name of a field that an agent may see in another form; `nil` if ``selection`` is the whole filter.
    let hiddenField: String?
    /// The most expensive source of the whole filter.
    let source: FactSource
    private var judge: FilterJudge

    /// The bytes of a text that are searched.
    private static let textLimit = 1 << 20

    /// Prepares a filter.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - seesAll: Whether nothing is hidden from the agent.
    init(_ filter: Filter, seesAll: Bool) {
        let hidden = seesAll ? nil : filter.root.hiddenField
        hiddenField = hidden
        selection =
            hidden == nil
            ? filter : Filter(.all(of: filter.root.conjuncts.filter { $0.hiddenField == nil }))
        source = filter.root.source
        judge = FilterJudge(filter, textLimit: Self.textLimit)
    }

    /// Whether the whole filter holds for a record as the agent sees it.
    mutating func holds(for facts: RecordFacts) -> Bool {
        var facts = facts
        return judge.judge(&facts) == .yes
    }
}

extension FilterNode {
    /// The name of the first field that an agent may see in another form than it was captured in.
    ///
    /// The list names the fields that every agent sees, so that a new field is hidden until somebody decides.
    fileprivate var hiddenField: String? {
        switch self {
        case .everything, .flag, .host: nil
        case .number(let field, _, _): field == .pid ? field.name : nil
        case .text(let field, _): Self.shown.contains(field) ? nil : field.name
        case .not(let node): node.hiddenField
        case .and(let nodes), .or(let nodes): nodes.lazy.compactMap(\.hiddenField).first
        }
    }

    private static let shown: Set<TextField> = [.method, .host, .scheme, .outcome]
}
