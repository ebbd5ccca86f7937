package import PinholeFilter

extension RuleSet {
    /// The kind of file at a path that a rule names.
    package enum PathKind: Sendable {
        /// There is no file.
        case missing
        /// There is a file or a folder that this user may not read.
        case unreadable
        /// A file that an answer is read from.
        case file
        /// A folder that answers are read from.
        case folder
        /// A file larger than the limit for answers.
        case large
        /// A pipe, a device or a socket.
        case special
    }

    /// Finds rules that contradict each other or can never act.
    ///
    /// - Parameter place: The environment of the rules.
    /// - Returns: The remarks, in the order of the rules.
    package func remarks(in place: RuleSurroundings) -> [RuleRemark] {
        rules.indices.filter { rules[$0].isEnabled }.flatMap { index in
            let rule = rules[index]
            let texts =
                rule.filter.remarks + overlaps(index) + never(rule) + paths(rule, place.pathKind)
                + place.remarks(on: rule) + rule.remarksOnPaths + circle(from: index) + namesake(index)
                + (rule.changesNothing ? ["it says nothing that it changes"] : [])
            return texts.map { RuleRemark(index: index, rule: rule.name, text: $0) }
        }
    }

    /// Finds rules whose files or folders are missing or cannot be read.
    ///
    /// - Parameter kind: Returns the kind of file at a path.
    /// - Returns: The remarks, in the order of the rules.
    package func remarksOnFiles(_ kind: (String) -> PathKind) -> [RuleRemark] {
        rules.indices.filter { rules[$0].isEnabled }.flatMap { index in
            paths(rules[index], kind).map { RuleRemark(index: index, rule: rules[index].name, text: $0) }
        }
    }

    private func overlaps(_ index: Int) -> [String] {
        let rule = rules[index]
        for earlier in rules.indices where earlier < index && rules[earlier].isEnabled {
            let other = rules[earlier]
            let place = "rules[\(earlier)] “\(other.name)”"
            if other.filter == rule.filter, other.action == rule.action, other.chance == nil {
                return ["it is the same as \(place)"]
            }
            if other.action.kind.answers, rule.filter.implies(other.filter), !other.mayDecline {
                return ["it can never act, since \(place) answers first"]
            }
            // The earlier rule may be effective when this one does not act.
            if rule.chance != nil { continue }
            if rule.action.kind == .mapRemote, other.action.kind == .mapRemote, rule.filter == other.filter {
                return ["it overrules \(place), which maps the same requests"]
            }
            if rule.action.kind == .throttle, other.action.kind == .throttle,
                other.filter.implies(rule.filter)
            {
                return ["it overrules \(place), which throttles the same"]
            }
            if rule.action.kind.setsCredentials, other.action.kind.setsCredentials,
                other.filter.implies(rule.filter)
            {
                return ["it overrules \(place), which is about the Authorization of the same requests"]
            }
        }
        return []
    }

    /// A line for each rule with a chance, with the seed that repeats its draws.
    package var seedRemarks: [String] {
        enabled.compactMap { rule in
            guard let chance = rule.chance else { return nil }
            return "“\(rule.name)” acts by chance \(chance.odds), seed \(chance.seed)"
                + (chance.isSeedDrawn ? " (“seed”: \(chance.seed) in the rule repeats the draws)" : "")
        }
    }

    private func namesake(_ index: Int) -> [String] {
        let name = rules[index].name
        guard let earlier = rules[..<index].firstIndex(where: { $0.isEnabled && $0.name == name }) else {
            return []
        }
        return ["rules[\(earlier)] has the same name: what is recorded does not tell which of them acted"]
    }

    private func never(_ rule: Rule) -> [String] {
        let kind = rule.action.kind
        // A rule that acts on both sides acts on the response at the latest.
        let point: RulePoint = rule.action.changesResponse || kind.changesMessages ? .response : .request
        let reach = rule.filter.root.reach(at: point)
        guard !reach.canHold else { return [] }
        guard !reach.unknown.isEmpty else {
            return ["it can never act: nothing is what the filter asks for (\(rule.filter))"]
        }
        let names = reach.unknown.joined(separator: ", ")
        let isOfResponse = point == .request && rule.filter.root.reach(at: .response).canHold
        return [
            isOfResponse
                ? "it can never act: \(kind.rawValue) is done before there is a response, and the filter asks for one (\(names))"
                : "it can never act: the filter asks for what is not known when \(kind.rawValue) is done (\(names))"
        ]
    }

    private func paths(_ rule: Rule, _ kind: (String) -> PathKind) -> [String] {
        switch rule.action {
        case .mock(let answer): return file(answer.content, kind)
        case .rewriteRequest(let edit): return file(edit.body.content, kind)
        case .rewriteResponse(let edit): return file(edit.body.content, kind)
        case .mapLocal(let map): return Self.remark(on: map.root, kind(map.root), isFolder: map.isFolder)
        case .replay(let replay):
            return switch kind(replay.file) {
            case .file, .large: []
            case .unreadable: ["this user may not read the capture \(replay.file)"]
            case .missing, .folder, .special: ["there is no capture \(replay.file)"]
            }
        default: return []
        }
    }

    private func file(_ content: MockAnswer.Content?, _ kind: (String) -> PathKind) -> [String] {
        guard case .file(let path) = content else { return [] }
        return Self.remark(on: path, kind(path), isFolder: false)
    }

    private static func remark(on path: String, _ kind: PathKind, isFolder: Bool) -> [String] {
        switch kind {
        case .folder where isFolder, .file where !isFolder: []
        case .large where !isFolder: ["\(path) is larger than \(MockAnswer.fileLimit >> 20) MiB"]
        case .special where !isFolder: ["\(path) is no file, but a pipe, a device or a socket"]
        case .file where isFolder, .large where isFolder:
            ["there is no folder \(path): it is a file, which “file” answers with"]
        case .folder: ["there is no file \(path): it is a folder, which “folder” answers out of"]
        case .unreadable: ["this user may not read the \(isFolder ? "folder" : "file") \(path)"]
        case .missing, .file, .large, .special:
            ["there is no \(isFolder ? "folder" : "file") \(path)"]
        }
    }
}

extension Rule {
    /// Whether the rule may let a matching request pass to later rules.
    var mayDecline: Bool {
        if chance != nil { return true }
        return switch action {
        case .redirect(let redirection): redirection.substitution != nil
        case .replay(let replay): !replay.isStrict
        default: false
        }
    }

    fileprivate var changesNothing: Bool {
        switch action {
        case .rewriteRequest(let edit): edit == RequestEdit()
        case .rewriteResponse(let edit): edit == ResponseEdit()
        case .throttle(let throttling): throttling == Throttling()
        default: false
        }
    }
}

extension Filter {
    /// Whether this filter's matches are always matches of `other`, as far as the text of the filters shows.
    package func implies(_ other: Filter) -> Bool {
        let parts = root.conjuncts
        return other.root == .everything
            || root.implies(other.root)
            || other.root.conjuncts.allSatisfy { wanted in parts.contains { $0.implies(wanted) } }
    }

    /// Whether the filter needs a fact of the flow.
    var asksForFlow: Bool { root.asksForFlow }

    /// Whether the filter needs the operations of GraphQL, which a body may contain.
    var asksForOperations: Bool { root.asksForOperations }
}

extension FilterNode {
    fileprivate var asksForFlow: Bool {
        switch self {
        case .everything, .host: false
        case .flag(let flag): flag.source == .flow
        case .number(let field, _, _): field == .flow || field.source == .flow
        // The record of a request contains its user, but rules take the user from the flow.
        case .text(let field, _): field == .proxyUser || field.source == .flow
        case .not(let node): node.asksForFlow
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksForFlow)
        }
    }

    fileprivate var asksForOperations: Bool {
        switch self {
        case .everything, .host, .flag, .number: false
        case .text(.graphQL, _): true
        case .text: false
        case .not(let node): node.asksForOperations
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.asksForOperations)
        }
    }
}
