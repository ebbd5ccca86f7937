/// What a cell shows in a table: its outcome, but for attacks that no client can notice, which are no fault.
package enum LabMark: String, Sendable, CaseIterable {
    /// An attack, refused.
    case detected
    /// An attack that went through.
    case missed
    /// An attack that went through, as it does with every client.
    case unnoticeable
    /// A legitimate change, accepted.
    case accepted
    /// A legitimate change, refused.
    case falseAlarm
    /// Nothing can be said.
    case inconclusive

    /// The mark of a cell.
    package init(_ cell: LabDocument.Cell) {
        self =
            switch cell.outcome {
            case .detected: .detected
            case .missed: cell.isAsExpected ? .unnoticeable : .missed
            case .accepted: .accepted
            case .falseAlarm: .falseAlarm
            case .inconclusive: .inconclusive
            }
    }

    /// The sign; each mark has its own, so that colours are not needed.
    package var symbol: String {
        switch self {
        case .detected: "✓"
        case .missed: "✗"
        case .unnoticeable: "–"
        case .accepted: "○"
        case .falseAlarm: "!"
        case .inconclusive: "?"
        }
    }

    /// A word or two, behind a number.
    package var title: String {
        switch self {
        case .unnoticeable: "missed by every client"
        case .falseAlarm: "false alarm"
        case .detected, .missed, .accepted, .inconclusive: rawValue
        }
    }

    /// What it means, for a legend.
    package var explanation: String {
        switch self {
        case .detected: "an attack, refused"
        case .missed: "an attack that went through"
        case .unnoticeable: "an attack that no client can notice"
        case .accepted: "a legitimate change, accepted"
        case .falseAlarm: "a legitimate change, refused: false alarm"
        case .inconclusive: "inconclusive"
        }
    }
}

extension LabDocument.Cell {
    /// What it shows in a table.
    package var mark: LabMark { LabMark(self) }
}
