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
        for index in rules.indices { set.rules[index].action.changePaths(resolve) }
        return set
    }
}

extension RuleAction {
    /// The paths of files and folders that the action names.
    var files: [String] {
        var action = self
        var files: [String] = []
        action.changePaths { path in
            files.append(path)
            return path
        }
        return files
    }
}
