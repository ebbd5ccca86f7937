package import PinholeModel
import PinholeRules

/// The kinds of rules with their keys, from which the page of rules makes its forms.
package struct RuleForms: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("keys", "The keys of every rule.")
    ]

    /// A key of a rule.
    struct Key: Sendable, Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON("title", "The label in a form, if the name alone says too little."),
            FieldJSON("meaning", "Names of keys and values stand in backticks."),
            FieldJSON("usual", "The default as JSON."),
            FieldJSON(
                "type",
                "The kind of the value: an integer is a whole number or one of the words; content may have many lines."
            ),
            FieldJSON("isList", "Whether the value is a list of values of the kind."),
            FieldJSON("keys", "The keys of an object."),
        ]

        /// The kind of a value.
        enum Kind: String, Sendable, Codable, CaseIterable {
            /// `true` or `false`.
            case boolean
            /// A whole number or a fraction.
            case number
            /// A whole number, or one of the words.
            case integer
            /// A choice between ``Key/numbers``.
            case numbers
            /// A choice between ``Key/words``.
            case words
            /// A text of one line.
            case line
            /// A text that may have many lines.
            case content
            /// A condition on exchanges (docs/FILTERS.md).
            case filter
            /// A regular expression (docs/FILTERS.md#expressions).
            case expression
            /// A credential.
            case secret
            /// The name of a declared program.
            case program
            /// An object with the keys.
            case object
            /// Any value of JSON.
            case any
        }

        let name: String
        /// The label in a form; `nil` to use the name.
        var title: String?
        /// The effect of the key, with names of keys and values in backticks.
        let meaning: String
        /// The default as JSON; `nil` if there is none.
        let usual: String?
        let isRequired: Bool
        /// The kind of the value.
        var type: Kind
        /// Whether the value is a list of values of this kind.
        var isList = false
        /// The bounds of a number.
        var minimum: Double?
        /// The upper bound of a number.
        var maximum: Double?
        /// The unit of a number.
        var unit: String?
        /// The words that are values.
        var words: [String] = []
        /// The numbers that are values.
        var numbers: [Int64] = []
        /// The keys of an object.
        var keys: [Key] = []
    }

    /// A kind of rules.
    struct Kind: Sendable, Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON("answers", "Whether the proxy answers in the server's place.")
        ]

        let kind: String
        let summary: String
        /// Further facts about the kind, in sentences; `nil` if there are none.
        let details: String?
        /// Whether the proxy answers in the server's place.
        let answers: Bool
        let keys: [Key]
        let alternatives: RuleAlternatives?
    }

    /// The keys of every rule.
    let keys: [Key]
    let kinds: [Kind]

    /// The forms of all kinds of rules.
    package static var all: RuleForms {
        RuleForms(
            keys: RuleKey.common.map(Key.init),
            kinds: RuleKind.allCases.map { kind in
                Kind(
                    kind: kind.rawValue,
                    summary: kind.summary,
                    details: kind.details,
                    answers: kind.answers,
                    keys: kind.keys.map(Key.init),
                    alternatives: kind.alternatives
                )
            }
        )
    }
}

extension RuleForms.Key {
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
