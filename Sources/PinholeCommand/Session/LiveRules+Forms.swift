import PinholeConsole
import PinholeFilter
import PinholeModel
import PinholeRules

/// The forms of rules, and the meaning of a rule that somebody is writing.
extension LiveRules {
    /// The kinds of rules with their keys.
    static var forms: RuleForms {
        RuleForms(
            keys: RuleKey.common.map(RuleForms.Key.init),
            kinds: RuleKind.allCases.map { kind in
                RuleForms.Kind(
                    kind: kind.rawValue,
                    summary: kind.summary,
                    details: kind.details,
                    answers: kind.answers,
                    keys: kind.keys.map(RuleForms.Key.init),
                    alternatives: kind.alternatives.map {
                        RuleForms.Alternatives(names: $0.names, isRequired: $0.isRequired)
                    }
                )
            }
        )
    }

    /// Reads a rule.
    ///
    /// - Parameters:
    ///   - text: The rule, as JSON.
    ///   - index: The index of the rule that it replaces; `nil` for a new rule behind all others.
    /// - Returns: The meaning of the rule, or its mistake.
    func check(_ text: String, at index: Int?) -> Result<RuleReading, RuleMistake> {
        var rules = proxy.running.configuration.rules.rules
        let place = index.flatMap { rules.indices.contains($0) ? $0 : nil } ?? rules.count
        let rule: Rule
        let path = "rule"
        do throws(DocumentFailure) {
            rule = try Self.rule(
                text,
                place,
                path: path,
                proxy.settings.filters,
                proxy.settings.programs
            )
        } catch {
            let isInside = error.path.hasPrefix("\(path).")
            let message = error.description.dropFirst(
                isInside || error.path == path ? error.path.count + 2 : 0
            )
            return .failure(
                RuleMistake(
                    place: isInside ? String(error.path.dropFirst(path.count + 1)) : "",
                    message: String(message)
                )
            )
        }
        if place == rules.count { rules.append(rule) } else { rules[place] = rule }
        let remarks = RuleSet(rules).remarks(in: RuleSurroundings(proxy.running.configuration))
        return .success(
            RuleReading(
                sentence: rule.sentence,
                filter: rule.filter == .everything ? "" : rule.filter.description,
                remarks: rule.filter.remarks + remarks.filter { $0.index == place }.map(\.text)
            )
        )
    }
}

extension RuleForms.Key {
    /// Creates the description of a key.
    fileprivate init(_ key: RuleKey) {
        self.init(key, key.shape)
    }

    private init(_ key: RuleKey, _ shape: RuleShape) {
        let type: Kind
        var keys: [RuleKey] = []
        switch shape {
        case .boolean: type = .boolean
        case .number: type = .number
        case .integer: type = .integer
        case .numbers: type = .numbers
        case .words: type = .words
        case .text(.line): type = .line
        case .text(.content): type = .content
        case .text(.filter): type = .filter
        case .text(.expression): type = .expression
        case .text(.secret): type = .secret
        case .text(.program): type = .program
        case .object(let members):
            type = .object
            keys = members
        case .any: type = .any
        case .list(let element):
            self.init(key, element)
            isList = true
            return
        }
        self.init(
            name: key.name,
            meaning: key.meaning,
            usual: key.usual,
            isRequired: key.isRequired,
            type: type
        )
        title = key.title
        self.keys = keys.map(RuleForms.Key.init)
        switch shape {
        case .number(let range, let unit):
            (minimum, maximum, self.unit) = (range.lowerBound, range.upperBound, unit)
        case .integer(let range, let words):
            (minimum, maximum, self.words) = (Double(range.lowerBound), Double(range.upperBound), words)
        case .numbers(let numbers): self.numbers = numbers
        case .words(let words): self.words = words
        case .boolean, .text, .list, .object, .any: break
        }
    }
}
