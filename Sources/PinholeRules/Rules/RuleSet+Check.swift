package import PinholeFilter

extension RuleSet {
    /// What lies at a path that a rule names.
    package enum PathKind: Sendable {
        /// Nothing that can be read.
        case missing
        /// A file.
        case file
        /// A folder.
        case folder
    }

    /// Finds rules that contradict each other or can never act.
    ///
    /// - Parameter pathKind: Says what lies at a path.
    /// - Returns: The remarks, in the order of the rules.
    package func remarks(pathKind: (String) -> PathKind) -> [RuleRemark] {
        rules.indices.filter { rules[$0].isEnabled }.flatMap { index in
            let rule = rules[index]
            let texts =
                rule.filter.remarks + overlaps(index) + never(rule) + paths(rule, pathKind)
                + (rule.changesNothing ? ["it says nothing that it changes"] : [])
            return texts.map { RuleRemark(index: index, rule: rule.name, text: $0) }
        }
    }

    private func overlaps(_ index: Int) -> [String] {
        let rule = rules[index]
        for earlier in rules.indices where earlier < index && rules[earlier].isEnabled {
            let other = rules[earlier]
            let place = "rules[\(earlier)] “\(other.name)”"
            if other.filter == rule.filter, other.action == rule.action {
                return ["it is the same as \(place)"]
            }
            if other.action.kind.answers, rule.filter.implies(other.filter), !other.mayDecline {
                return ["it can never act, since \(place) answers first"]
            }
            if rule.action.kind == .mapRemote, other.action.kind == .mapRemote, rule.filter == other.filter {
                return ["it overrules \(place), which maps the same requests"]
            }
        }
        return []
    }

    private func never(_ rule: Rule) -> [String] {
        guard !rule.action.changesResponse, !rule.filter.mayHoldBeforeResponse else { return [] }
        return [
            "it can never act: \(rule.action.kind.rawValue) is done before there is a response, and the filter asks for one"
        ]
    }

    private func paths(_ rule: Rule, _ kind: (String) -> PathKind) -> [String] {
        switch rule.action {
        case .mock(let answer): return file(answer.content, kind)
        case .rewriteRequest(let edit): return file(edit.body.content, kind)
        case .rewriteResponse(let edit): return file(edit.body.content, kind)
        case .mapLocal(let map):
            guard kind(map.root) != (map.isFolder ? .folder : .file) else { return [] }
            return ["there is no \(map.isFolder ? "folder" : "file") \(map.root)"]
        default: return []
        }
    }

    private func file(_ content: MockAnswer.Content?, _ kind: (String) -> PathKind) -> [String] {
        guard case .file(let path) = content, kind(path) != .file else { return [] }
        return ["there is no file \(path)"]
    }
}

extension Rule {
    /// Whether it may let a request pass that its filter means.
    fileprivate var mayDecline: Bool {
        if case .redirect(let redirection) = action { return redirection.substitution != nil }
        return false
    }

    fileprivate var changesNothing: Bool {
        switch action {
        case .rewriteRequest(let edit): edit == RequestEdit()
        case .rewriteResponse(let edit): edit == ResponseEdit()
        default: false
        }
    }
}

extension Filter {
    /// Whether everything that this lets through the other does, too, as far as the words tell.
    package func implies(_ other: Filter) -> Bool {
        let parts = Set(root.conjuncts)
        return other.root == .everything || other.root.conjuncts.allSatisfy(parts.contains)
    }

    /// Whether a fact of the flow is asked for.
    var asksForFlow: Bool { root.asksForFlow }

    /// Whether it can hold while there is no response.
    package var mayHoldBeforeResponse: Bool { root.mayHoldBeforeResponse }
}

extension FilterNode {
    /// Whether it, or its negation, may hold while there is no response.
    fileprivate var mayHoldBeforeResponse: Bool {
        switch self {
        case .everything, .host: true
        case .not(let node): node.mayHoldBeforeResponse
        case .and(let nodes): nodes.allSatisfy(\.mayHoldBeforeResponse)
        case .or(let nodes): nodes.contains(where: \.mayHoldBeforeResponse)
        case .flag(let flag):
            switch flag {
            case .sse, .asset, .failed, .reused, .retried, .ruled, .answered: false
            default: true
            }
        case .number(let field, _, _):
            switch field {
            case .port, .flow: true
            default: false
            }
        case .text(let field, _):
            switch field {
            case .outcome, .error, .body, .headers(.response), .header(.response, _), .contentType(.response):
                false
            default: true
            }
        }
    }

    fileprivate var asksForFlow: Bool {
        switch self {
        case .everything, .host: false
        case .flag(let flag): flag.source == .flow
        case .number(let field, _, _): field == .flow
        case .text(let field, _): field.source == .flow
        case .not(let node): node.asksForFlow
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksForFlow)
        }
    }
}
