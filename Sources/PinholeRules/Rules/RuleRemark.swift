/// Something in a set of rules that is understood, and cannot be meant.
package struct RuleRemark: Sendable, Equatable, CustomStringConvertible {
    /// The place of the rule in the list, from 0.
    package let index: Int
    /// The rule's name.
    package let rule: String
    /// What is odd, in a sentence.
    package let text: String

    /// Creates a remark.
    package init(index: Int, rule: String, text: String) {
        self.index = index
        self.rule = rule
        self.text = text
    }

    /// Where, and what.
    package var description: String { "rules[\(index)] “\(rule)”: \(text)" }
}
