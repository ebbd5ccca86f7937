/// The rules that a proxy runs with, as the page of rules shows them.
package struct RuleListing: Sendable, Encodable {
    /// A rule.
    package struct Entry: Sendable, Encodable {
        private enum CodingKeys: CodingKey {
            case text, name, kind, summary, sentence, filter, isEnabled, hits
        }

        /// The text of the rule, in JSON.
        let text: String
        let name: String
        /// The kind by its name in the configuration.
        let kind: String
        /// A short description of the kind.
        let summary: String
        /// The effect of the rule, in a sentence.
        let sentence: String
        /// The filter of the rule; empty for all exchanges.
        let filter: String
        let isEnabled: Bool
        /// The number of exchanges that the rule has acted on since the proxy started.
        let hits: Int

        /// Creates the entry of a rule.
        package init(
            text: String,
            name: String,
            kind: String,
            summary: String,
            sentence: String,
            filter: String,
            isEnabled: Bool,
            hits: Int
        ) {
            self.text = text
            self.name = name
            self.kind = kind
            self.summary = summary
            self.sentence = sentence
            self.filter = filter
            self.isEnabled = isEnabled
            self.hits = hits
        }
    }

    /// A remark on a rule that is valid, but probably not what the user meant.
    package struct Remark: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case index, text }

        /// The index of the rule, from 0.
        let index: Int
        let text: String

        /// Creates a remark on a rule.
        package init(index: Int, text: String) {
            self.index = index
            self.text = text
        }
    }

    /// A connection that `throttle` rules can imitate by its name.
    package struct Preset: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case name, downKilobits, upKilobits, latencyMilliseconds }

        let name: String
        let downKilobits: Int64
        let upKilobits: Int64
        let latencyMilliseconds: Int64

        /// Creates a preset with its numbers.
        package init(name: String, downKilobits: Int64, upKilobits: Int64, latencyMilliseconds: Int64) {
            self.name = name
            self.downKilobits = downKilobits
            self.upKilobits = upKilobits
            self.latencyMilliseconds = latencyMilliseconds
        }
    }

    private enum CodingKeys: CodingKey { case revision, rules, remarks, presets, programs }

    /// The revision, which grows with every change; a request to replace the rules names the revision that it saw.
    let revision: Int
    let rules: [Entry]
    let remarks: [Remark]
    let presets: [Preset]
    /// The names of the declared programs, to which `askProgram` rules may refer.
    let programs: [String]

    /// The rules that slow traffic.
    var throttling: [Entry] { rules.filter { $0.isEnabled && $0.kind == "throttle" } }

    /// Creates a listing of the current rules.
    package init(
        revision: Int,
        rules: [Entry],
        remarks: [Remark],
        presets: [Preset] = [],
        programs: [String] = []
    ) {
        self.revision = revision
        self.rules = rules
        self.remarks = remarks
        self.presets = presets
        self.programs = programs
    }
}
