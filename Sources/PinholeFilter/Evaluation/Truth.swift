/// The truth of a condition, as far as it is known now.
package enum Truth: Hashable, Sendable {
    /// The condition does not hold, and that will not change.
    case no
    /// The answer depends on data that is not there yet.
    case open
    /// The condition holds.
    case yes

    /// Creates a final answer.
    package init(_ value: Bool) { self = value ? .yes : .no }

    /// Returns the truth of the negation; `open` stays open.
    package static prefix func ! (truth: Truth) -> Truth {
        switch truth {
        case .no: .yes
        case .open: .open
        case .yes: .no
        }
    }
}
