/// What became of one policy in one scenario: what the client did, beside what it should have done.
public enum LabOutcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// An attack, and the client refused.
    case detected
    /// An attack, and the client went along.
    case missed
    /// A legitimate change, and the client went along.
    case accepted
    /// A legitimate change, and the client refused.
    case falseAlarm
    /// It cannot be said; never a guess.
    case inconclusive

    /// The outcome in words: `false alarm`.
    public var title: String { self == .falseAlarm ? "false alarm" : rawValue }
}
