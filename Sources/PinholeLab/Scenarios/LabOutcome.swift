/// The outcome of one policy in one scenario: the client's decision, compared with that of a correct client.
public enum LabOutcome: String, Sendable, Hashable, CaseIterable, Codable {
    /// An attack, and the client refused.
    case detected
    /// An attack, and the client accepted.
    case missed
    /// A legitimate change, and the client accepted.
    case accepted
    /// A legitimate change, and the client refused.
    case falseAlarm
    /// The runs allow no conclusion.
    case inconclusive

    /// The outcome in words: `false alarm`.
    public var title: String { self == .falseAlarm ? "false alarm" : rawValue }
}
