import PinholeModel

/// The result of importing a file.
package struct ImportSummary: Sendable, Equatable {
    /// The number of imported exchanges.
    package internal(set) var exchanges = 0
    /// The number of exchanges and other entries that were left out.
    package internal(set) var leftOut = 0
    /// The first reasons for entries that were left out, and other remarks.
    package internal(set) var remarks: [String] = []
    private var flows = 0
    private var doubts: [ImportDoubt: Doubted] = [:]

    private struct Doubted: Sendable, Equatable {
        let first: String
        var count = 0
    }

    /// Notes that an entry is left out.
    mutating func leaveOut(_ remark: @autoclosure () -> String, limits: ImportLimits) {
        leftOut += 1
        if remarks.count < limits.remarks { remarks.append(TerminalText.line(remark())) }
    }

    /// Counts a flow without exchanges, which Pinhole's JSON lines contain and which cannot be imported.
    mutating func noteFlow() { flows += 1 }

    /// Counts a fault in an exchange; the first remark of each kind is kept.
    mutating func note(_ doubt: ImportDoubt, _ remark: @autoclosure () -> String) {
        doubts[doubt, default: Doubted(first: TerminalText.line(remark()))].count += 1
    }

    /// Adds the remarks about the counted faults and flows, at the end of the file.
    mutating func finish() {
        for doubt in ImportDoubt.allCases {
            guard let doubted = doubts[doubt] else { continue }
            remarks.append("\(doubted.first); \(doubt.told(doubted.count))")
        }
        guard flows > 0 else { return }
        let count = flows == 1 ? "1 flow" : "\(flows) flows"
        remarks.append("\(count) without exchanges: there is nothing to import")
    }
}
