/// The rules that a proxy runs with, as the page of rules shows them.
package struct RuleListing: Sendable, Encodable {
    /// A rule.
    package struct Entry: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case text, name, kind, summary, filter, isEnabled, hits }

        /// The rule as it is written in JSON.
        let text: String
        let name: String
        /// The word of the configuration.
        let kind: String
        /// What the kind does, in a few words.
        let summary: String
        /// Which exchanges are meant; empty for all.
        let filter: String
        let isEnabled: Bool
        /// Exchanges on which it acted since the proxy began.
        let hits: Int

        /// Takes the facts of a rule.
        package init(
            text: String,
            name: String,
            kind: String,
            summary: String,
            filter: String,
            isEnabled: Bool,
            hits: Int
        ) {
            self.text = text
            self.name = name
            self.kind = kind
            self.summary = summary
            self.filter = filter
            self.isEnabled = isEnabled
            self.hits = hits
        }
    }

    /// Something that is understood, and cannot be meant.
    package struct Remark: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case index, text }

        /// Which rule, from 0.
        let index: Int
        let text: String

        /// A remark on a rule.
        package init(index: Int, text: String) {
            self.index = index
            self.text = text
        }
    }

    /// What a rule can do.
    package struct Kind: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case kind, summary }

        let kind: String
        let summary: String

        /// A kind by the word of the configuration.
        package init(kind: String, summary: String) {
            self.kind = kind
            self.summary = summary
        }
    }

    /// A connection that `throttle` rules can imitate by its name.
    package struct Preset: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case name, downKilobits, upKilobits, latencyMilliseconds }

        let name: String
        let downKilobits: Int64
        let upKilobits: Int64
        let latencyMilliseconds: Int64

        /// A preset with its numbers.
        package init(name: String, downKilobits: Int64, upKilobits: Int64, latencyMilliseconds: Int64) {
            self.name = name
            self.downKilobits = downKilobits
            self.upKilobits = upKilobits
            self.latencyMilliseconds = latencyMilliseconds
        }
    }

    private enum CodingKeys: CodingKey { case revision, rules, remarks, kinds, presets, programs }

    /// Grows with every change: who changes says which one was seen.
    let revision: Int
    let rules: [Entry]
    let remarks: [Remark]
    let kinds: [Kind]
    let presets: [Preset]
    /// What is declared for `askProgram` rules to name.
    let programs: [String]

    /// The rules that slow traffic.
    var throttling: [Entry] { rules.filter { $0.isEnabled && $0.kind == "throttle" } }

    /// Takes the rules of a moment.
    package init(
        revision: Int,
        rules: [Entry],
        remarks: [Remark],
        kinds: [Kind],
        presets: [Preset] = [],
        programs: [String] = []
    ) {
        self.revision = revision
        self.rules = rules
        self.remarks = remarks
        self.kinds = kinds
        self.presets = presets
        self.programs = programs
    }
}
