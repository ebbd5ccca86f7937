/// A rule that is valid but contradicts another rule or cannot act as intended.
package struct RuleRemark: Sendable, Equatable, CustomStringConvertible {
    /// The index of the rule in the list, from 0.
    package let index: Int
    /// The name of the rule.
    package let rule: String
    /// The problem in a sentence.
    package let text: String

    /// The place and the problem.
    package var description: String { "rules[\(index)] “\(rule)”: \(text)" }
}
