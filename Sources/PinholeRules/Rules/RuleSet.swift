/// A list of rules, in the order of their evaluation.
package struct RuleSet: Sendable, Equatable {
    /// The rules, including disabled ones.
    package var rules: [Rule]

    /// Creates a set.
    package init(_ rules: [Rule] = []) { self.rules = rules }

    /// The enabled rules.
    package var enabled: [Rule] { rules.filter(\.isEnabled) }

    /// The number of enabled rules that act on requests, or whose filter needs the body of a request.
    var requestCount: Int { enabled.count { $0.action.changesRequest || $0.filter.asksForOperations } }

    /// Whether the filter of an enabled rule needs the operations of GraphQL.
    var asksForOperations: Bool { enabled.contains { $0.filter.asksForOperations } }

    /// The number of enabled rules that act on responses.
    var responseCount: Int { enabled.count { $0.action.changesResponse } }

    /// The number of enabled rules that act on the messages of WebSockets.
    var messageCount: Int { enabled.count { $0.action.kind.changesMessages } }
}

extension RuleSet {
    /// Returns the same rules with every path of a file or folder replaced by the result of `resolve`.
    package func resolvingPaths(_ resolve: (String) -> String) -> RuleSet {
        var set = self
        for index in rules.indices {
            switch rules[index].action {
            case .mock(var answer):
                guard case .file(let path) = answer.content else { continue }
                answer.content = .file(resolve(path))
                set.rules[index].action = .mock(answer)
            case .mapLocal(var map):
                map.root = resolve(map.root)
                set.rules[index].action = .mapLocal(map)
            case .replay(var replay):
                replay.file = resolve(replay.file)
                set.rules[index].action = .replay(replay)
            case .rewriteRequest(var edit):
                guard case .file(let path) = edit.body.content else { continue }
                edit.body.content = .file(resolve(path))
                set.rules[index].action = .rewriteRequest(edit)
            case .rewriteResponse(var edit):
                guard case .file(let path) = edit.body.content else { continue }
                edit.body.content = .file(resolve(path))
                set.rules[index].action = .rewriteResponse(edit)
            default: continue
            }
        }
        return set
    }
}
