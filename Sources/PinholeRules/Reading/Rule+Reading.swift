package import PinholeFilter
package import PinholeModel

extension RuleSet {
    /// Reads `rules` of a configuration.
    ///
    /// - Parameters:
    ///   - value: The list.
    ///   - path: The place of the list in the document.
    ///   - vocabulary: The meaning of additional words in filters.
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
    /// Reads a rule.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - number: The place of the rule in the list, from 1, for the name of a rule without one.
    ///   - path: The place of the rule in the document.
    ///   - vocabulary: The meaning of additional words in filters.
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
        let chance = try Self.chance(&object)
        let action = try RuleAction(kind, &object)
        try object.finish()
        self.init(name: name, filter: filter, action: action, isEnabled: isEnabled, chance: chance)
    }

    private static func chance(_ object: inout DocumentObject) throws(DocumentFailure) -> Chance? {
        var odds: Double?
        try object.read("chance", into: &odds) { (value, path) throws(DocumentFailure) in
            let number: Double? =
                switch value {
                case .integer(let number): Double(number)
                case .number(let number): number
                default: nil
                }
            guard let number, number > 0, number <= 1 else {
                throw DocumentFailure(
                    path: path,
                    expected: "a number above 0 and at most 1",
                    found: value.summary,
                    remedy: "write 0.1 for one match in ten"
                )
            }
            return number
        }
        var seed: UInt64?
        try object.read("seed", into: &seed) { (value, path) throws(DocumentFailure) in
            guard odds != nil else {
                throw DocumentFailure(path: path, problem: "a seed needs “chance” beside it")
            }
            return UInt64(try DocumentValue.integer(in: Chance.seeds)(value, path))
        }
        return odds.map { Chance(odds: $0, seed: seed) }
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
