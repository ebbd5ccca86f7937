/// What became of an imported file.
package struct ImportSummary: Sendable, Equatable {
    /// Exchanges that were imported.
    package internal(set) var exchanges = 0
    /// Exchanges, and what else a file has, that were left out.
    package internal(set) var leftOut = 0
    /// Why, and what else is to be said; the first ones.
    package internal(set) var remarks: [String] = []
    private var flows = 0
    private var undated = 0
    private var firstUndated = ""

    /// Notes that something is left out.
    mutating func leaveOut(_ remark: @autoclosure () -> String, limits: ImportLimits) {
        leftOut += 1
        if remarks.count < limits.remarks { remarks.append(remark()) }
    }

    /// Notes a flow that has no exchanges, as Pinhole's own JSON lines have: nothing of it could be imported.
    mutating func noteFlow() { flows += 1 }

    /// Notes that an exchange has no date that can be read.
    mutating func noteUndated(_ remark: @autoclosure () -> String) {
        if undated == 0 { firstUndated = remark() }
        undated += 1
    }

    /// Says what was counted: the file is read.
    mutating func finish() {
        if undated > 0 {
            let count = undated == 1 ? "1 exchange stands" : "\(undated) exchanges stand"
            remarks.append("\(firstUndated); \(count) there as of now")
        }
        guard flows > 0 else { return }
        let count = flows == 1 ? "1 flow" : "\(flows) flows"
        remarks.append("\(count) without exchanges: there is nothing to import")
    }
}
