/// Whether something holds, as far as that can be known by now.
package enum Truth: Hashable, Sendable {
    /// It does not hold.
    case no
    /// It depends on what has not come yet.
    case open
    /// It holds.
    case yes

    /// `yes` or `no`.
    package init(_ value: Bool) { self = value ? .yes : .no }

    /// What holds where this does not.
    package static prefix func ! (truth: Truth) -> Truth {
        switch truth {
        case .no: .yes
        case .open: .open
        case .yes: .no
        }
    }
}
