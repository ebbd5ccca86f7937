import PinholeLab

/// The mark of a cell in a table: its outcome, but a mark of its own for attacks that no client can notice.
package enum LabMark: String, Sendable, CaseIterable {
    /// An attack that the client refused.
    case detected
    /// An attack that went through.
    case missed
    /// An attack that goes through with every client.
    case unnoticeable
    /// A legitimate change that the client accepted.
    case accepted
    /// A legitimate change that the client refused.
    case falseAlarm
    /// The runs allow no conclusion.
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

    /// The meaning of the mark, for a legend.
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
    /// The mark of the cell in a table.
    package var mark: LabMark { LabMark(self) }
}
