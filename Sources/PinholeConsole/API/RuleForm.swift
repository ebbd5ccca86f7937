/// The kinds of rules with their keys, from which the page of rules makes its forms.
package struct RuleForms: Sendable, Encodable {
    /// A key of a rule.
    package struct Key: Sendable, Encodable {
        private enum CodingKeys: CodingKey {
            case name, title, meaning, usual, isRequired, type, isList, minimum, maximum, unit, words,
                numbers, keys
        }

        /// The kind of a value.
        package enum Kind: String, Sendable, Encodable {
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
        package var title: String?
        /// The effect of the key, with names of keys and values in backticks.
        let meaning: String
        /// The default as JSON; `nil` if there is none.
        let usual: String?
        let isRequired: Bool
        /// The kind of the value.
        package var type: Kind
        /// Whether the value is a list of values of this kind.
        package var isList = false
        /// The bounds of a number.
        package var minimum: Double?
        /// The upper bound of a number.
        package var maximum: Double?
        /// The unit of a number.
        package var unit: String?
        /// The words that are values.
        package var words: [String] = []
        /// The numbers that are values.
        package var numbers: [Int64] = []
        /// The keys of an object.
        package var keys: [Key] = []

        /// Creates a key whose values are of a kind.
        package init(name: String, meaning: String, usual: String?, isRequired: Bool, type: Kind) {
            self.name = name
            self.meaning = meaning
            self.usual = usual
            self.isRequired = isRequired
            self.type = type
        }
    }

    /// Keys of which a rule takes one.
    package struct Alternatives: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case names, isRequired }

        let names: [String]
        let isRequired: Bool

        /// Creates alternatives.
        package init(names: [String], isRequired: Bool) {
            self.names = names
            self.isRequired = isRequired
        }
    }

    /// A kind of rules.
    package struct Kind: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case kind, summary, details, answers, keys, alternatives }

        let kind: String
        let summary: String
        /// Further facts about the kind, in sentences; `nil` if there are none.
        let details: String?
        /// Whether the proxy answers in the server's place.
        let answers: Bool
        let keys: [Key]
        let alternatives: Alternatives?

        /// Creates a kind.
        package init(
            kind: String,
            summary: String,
            details: String?,
            answers: Bool,
            keys: [Key],
            alternatives: Alternatives?
        ) {
            self.kind = kind
            self.summary = summary
            self.details = details
            self.answers = answers
            self.keys = keys
            self.alternatives = alternatives
        }
    }

    private enum CodingKeys: CodingKey { case keys, kinds }

    /// The keys of every rule.
    let keys: [Key]
    let kinds: [Kind]

    /// Creates the kinds and the keys that all of them have.
    package init(keys: [Key], kinds: [Kind]) {
        self.keys = keys
        self.kinds = kinds
    }
}

/// The meaning of a rule that somebody is writing.
package struct RuleReading: Sendable, Encodable {
    private enum CodingKeys: CodingKey { case sentence, filter, remarks }

    /// The effect of the rule, in a sentence.
    let sentence: String
    /// The filter of the rule; empty for all exchanges.
    let filter: String
    /// Remarks on the rule at its place among the others.
    let remarks: [String]

    /// Creates the meaning of a rule.
    package init(sentence: String, filter: String, remarks: [String]) {
        self.sentence = sentence
        self.filter = filter
        self.remarks = remarks
    }
}

/// The mistake in a rule that somebody is writing.
package struct RuleMistake: Error, Sendable, Encodable {
    private enum CodingKeys: CodingKey { case place, message }

    /// The path in the rule, such as `fields[1]`; empty for the whole rule.
    let place: String
    /// The mistake, in a sentence.
    let message: String

    /// Creates a mistake at a place.
    package init(place: String, message: String) {
        self.place = place
        self.message = message
    }
}
