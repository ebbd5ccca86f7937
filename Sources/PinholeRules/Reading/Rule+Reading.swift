package import PinholeFilter
package import PinholeModel

extension RuleKey {
    /// The keys of every rule.
    enum Every {
        static let kind = ReadRuleKey<RuleKind>("do", .choice(), isRequired: true, "the kind of the rule")
        static let when = ReadRuleKey<String>(
            "when",
            .text(.filter, DocumentValue.word),
            "a filter (docs/FILTERS.md): the rule acts on the exchanges that the filter matches; on all without it"
        )
        static let name = ReadRuleKey<String>(
            "name",
            .text(.line, DocumentValue.fieldText),
            usual: "\"rule N\"",
            "the name of the rule in the capture and in messages"
        )
        static let enabled = ReadRuleKey<Bool>(
            "enabled",
            .boolean,
            usual: "true",
            "`false` switches the rule off"
        )
        static let chance = ReadRuleKey<Double>(
            "chance",
            RuleValue(.number(0...1), Rule.odds),
            usual: "1",
            "the part of the matches on which the rule acts, above 0: `0.1` is one in ten, drawn for each anew"
        )
        static let seed = ReadRuleKey<Int>(
            "seed",
            .integer(in: Chance.seeds),
            "the number from which the draws of `chance` follow, so that a run repeats; without it the proxy draws one "
                + "and prints it"
        )
    }
}

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
            throw DocumentFailure.noList(value, path)
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
        if let text = try object.read(RuleKey.Every.when) {
            filter = try Self.filter(text, "\(object.path).when", vocabulary)
        }
        let kind = try object.require(RuleKey.Every.kind)
        var name = "rule \(number)"
        try object.read(RuleKey.Every.name, into: &name)
        var isEnabled = true
        try object.read(RuleKey.Every.enabled, into: &isEnabled)
        let chance = try Self.chance(&object)
        let action = try RuleAction(kind, &object)
        try object.finish()
        self.init(name: name, filter: filter, action: action, isEnabled: isEnabled, chance: chance)
    }

    private static func chance(_ object: inout DocumentObject) throws(DocumentFailure) -> Chance? {
        let odds = try object.read(RuleKey.Every.chance)
        let seed = try object.read(RuleKey.Every.seed)
        guard let odds else {
            guard seed == nil else {
                throw DocumentFailure(path: "\(object.path).seed", problem: "a seed needs “chance” beside it")
            }
            return nil
        }
        return Chance(odds: odds, seed: seed.map { UInt64($0) })
    }

    fileprivate static func odds(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Double {
        let number: Double? =
            switch value {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        guard let number, number > 0, number <= 1 else {
            throw value.failure(
                at: path,
                expected: "a number above 0 and at most 1",
                remedy: "write 0.1 for one match in ten"
            )
        }
        return number
    }

    private static func filter(
        _ text: String,
        _ path: String,
        _ vocabulary: FilterVocabulary
    ) throws(DocumentFailure) -> Filter {
        do throws(FilterFailure) {
            return try Filter(text, vocabulary)
        } catch {
            throw DocumentFailure(path: path, problem: error.description)
        }
    }
}
