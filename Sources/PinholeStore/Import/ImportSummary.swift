import PinholeModel

/// What became of an imported file.
package struct ImportSummary: Sendable, Equatable {
    /// Exchanges that were imported.
    package internal(set) var exchanges = 0
    /// Exchanges, and what else a file has, that were left out.
    package internal(set) var leftOut = 0
    /// Why, and what else is to be said; the first ones.
    package internal(set) var remarks: [String] = []
    private var flows = 0
    private var doubts: [ImportDoubt: Doubted] = [:]

    private struct Doubted: Sendable, Equatable {
        let first: String
        var count = 0
    }

    /// Notes that something is left out.
    mutating func leaveOut(_ remark: @autoclosure () -> String, limits: ImportLimits) {
        leftOut += 1
        if remarks.count < limits.remarks { remarks.append(TerminalText.line(remark())) }
    }

    /// Notes a flow that has no exchanges, as Pinhole's own JSON lines have: nothing of it could be imported.
    mutating func noteFlow() { flows += 1 }

    /// Notes what is not as it should be in an exchange.
    mutating func note(_ doubt: ImportDoubt, _ remark: @autoclosure () -> String) {
        doubts[doubt, default: Doubted(first: TerminalText.line(remark()))].count += 1
    }

    /// Says what was counted: the file is read.
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
