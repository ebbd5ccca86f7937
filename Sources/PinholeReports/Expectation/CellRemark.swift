/// A remark on one cell, which can be merged with equal remarks on the row into one line.
struct CellRemark: Sendable {
    /// The place of the cell.
    let place: LabDocument.Place
    /// The finding in a few words; cells of one row with the same words go into one line.
    let what: String
    /// The reason for the outcome, in a sentence.
    let reason: String

    /// The line of the cell alone.
    var line: String { "\(place): \(what)\(reason.isEmpty ? "" : ". \(reason)")" }

    /// Makes a line for each row and each finding, in the order of the remarks.
    ///
    /// - Returns: Lines such as `SL, 12 cells (A01, A02 and 10 more): expected detected, found missed`. A line gives
    ///   the reason if it is for one cell, or if all of its cells have the same reason.
    static func lines(_ remarks: [CellRemark]) -> [String] {
        var order: [[String]] = []
        var groups: [[String]: [CellRemark]] = [:]
        for remark in remarks {
            let key = [remark.place.policy, remark.what]
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(remark)
        }
        return order.compactMap { key in
            guard let group = groups[key], let first = group.first else { return nil }
            guard group.count > 1 else { return first.line }
            let names = group.prefix(8).map(\.place.scenario).joined(separator: ", ")
            let rest = group.count > 8 ? " and \(group.count - 8) more" : ""
            let isOne = !first.reason.isEmpty && group.allSatisfy { $0.reason == first.reason }
            return "\(first.place.policy), \(group.count) cells (\(names)\(rest)): \(first.what)"
                + (isOne ? ". \(first.reason)" : "")
        }
    }
}
