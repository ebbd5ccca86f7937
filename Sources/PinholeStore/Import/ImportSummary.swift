/// What became of an imported file.
package struct ImportSummary: Sendable, Equatable {
    /// Exchanges that were imported.
    package internal(set) var exchanges = 0
    /// Exchanges, and what else a file has, that were left out.
    package internal(set) var leftOut = 0
    /// Why, and what else is to be said; the first ones.
    package internal(set) var remarks: [String] = []

    /// Notes that something is left out.
    mutating func leaveOut(_ remark: @autoclosure () -> String, limits: ImportLimits) {
        leftOut += 1
        if remarks.count < limits.remarks { remarks.append(remark()) }
    }
}
