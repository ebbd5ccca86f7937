package import PinholeFilter
package import PinholeModel

extension RuleSet {
    /// Reads `rules` of a configuration.
    ///
    /// - Parameters:
    ///   - value: The list.
    ///   - path: Where it stands.
    ///   - vocabulary: What words of filters mean beyond their language.
    /// - Throws: ``DocumentFailure`` for an unknown key, or a value that cannot be used.
    package init(
        _ value: JSONValue,
        path: String,
        vocabulary: FilterVocabulary = FilterVocabulary()
    ) throws(DocumentFailure) {
        guard case .array(let values) = value else {
            throw DocumentFailure(path: path, expected: "a list […]", found: value.summary)
        }
        var rules: [Rule] = []
        for (index, value) in values.enumerated() {
            rules.append(
                try Rule(value, number: index + 1, path: "\(path)[\(index)]", vocabulary: vocabulary)
            )
        }
        self.init(rules)
    }
}

extension Rule {
    /// Reads one rule.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - number: Its place in the list, from 1: the name of a rule that has none.
    ///   - path: Where it stands.
    ///   - vocabulary: What words of filters mean beyond their language.
    /// - Throws: ``DocumentFailure`` for an unknown key, or a value that cannot be used.
    package init(
        _ value: JSONValue,
        number: Int,
        path: String,
        vocabulary: FilterVocabulary = FilterVocabulary()
    ) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        var filter = Filter.everything
        try object.read("when", into: &filter) { (value, path) throws(DocumentFailure) in
            try Self.filter(value, path, vocabulary)
        }
        let kind = try object.require("do", DocumentValue.choice(RuleKind.self))
        var name = "rule \(number)"
        try object.read("name", into: &name, DocumentValue.fieldText)
        var isEnabled = true
        try object.read("enabled", into: &isEnabled, DocumentValue.boolean)
        let action = try RuleAction(kind, &object)
        try object.finish()
        self.init(name: name, filter: filter, action: action, isEnabled: isEnabled)
    }

    private static func filter(
        _ value: JSONValue,
        _ path: String,
        _ vocabulary: FilterVocabulary
    ) throws(DocumentFailure) -> Filter {
        let text = try DocumentValue.word(value, path)
        do throws(FilterFailure) {
            return try Filter(text, vocabulary)
        } catch {
            throw DocumentFailure(path: path, problem: error.description)
        }
    }
}
