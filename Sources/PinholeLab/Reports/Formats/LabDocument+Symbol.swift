extension LabDocument.Cell {
    /// The sign of a cell in a table; each outcome has its own, so that colours are not needed.
    var symbol: String { isUnnoticeable ? "–" : outcome.symbol }

    /// Whether the attack went through as it does with every client.
    var isUnnoticeable: Bool { outcome == .missed && isAsExpected }
}

extension LabOutcome {
    /// The sign of an outcome.
    var symbol: String {
        switch self {
        case .detected: "✓"
        case .missed: "✗"
        case .accepted: "○"
        case .falseAlarm: "!"
        case .inconclusive: "?"
        }
    }
}
