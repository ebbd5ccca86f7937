/// What is said of one cell, and, with many of its row, in one line.
struct CellRemark: Sendable {
    /// The cell.
    let place: LabDocument.Place
    /// What it comes to; cells of one row with the same words go into one line.
    let what: String
    /// Why, in a sentence.
    let reason: String

    /// The line of the cell alone.
    var line: String { "\(place): \(what)\(reason.isEmpty ? "" : ". \(reason)")" }

    /// A line for each row and each thing that is said, in the order of the remarks.
    ///
    /// - Parameter remarks: What is said.
    /// - Returns: Lines such as `SL, 12 cells (A01, A02 and 10 more): expected detected, found missed`; that of a
    ///   cell alone with its reason, and that of several where all have the same.
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
