package import PinholeModel
package import PinholeTrust

/// The matrix: the outcome of each policy in each scenario.
public struct LabReport: Sendable {
    /// The rows of the matrix.
    public let policies: [LabPolicy]
    /// The columns of the matrix.
    public let scenarios: [Scenario]
    /// The cells, row by row; a cell is there for each policy and scenario.
    public let cells: [LabCell]
    /// The host that clients ask for.
    package let host: Host
    /// The time at which the run began.
    package let started: Timestamp
    /// The chain of the honest server, which reports show beside those that clients were shown; empty if it is not
    /// known.
    package internal(set) var honest: [CertificateFacts] = []
    /// The diagnoses of whole rows, by the identifiers of the rows.
    package internal(set) var diagnoses: [String: RowDiagnosis] = [:]

    /// Returns the cell of a policy and a scenario, by their identifiers; `nil` if there is none.
    public func cell(_ policy: String, _ scenario: String) -> LabCell? {
        cells.first { $0.policy == policy && $0.scenario == scenario }
    }

    /// The cells that count and differ from a correct client: avoidable misses and false alarms.
    ///
    /// - Parameter profile: The grades that count.
    /// - Returns: The cells, row by row.
    public func faults(_ profile: LabProfile = .baseline) -> [LabCell] {
        cells.filter { $0.isFault && profile.judges($0.grade) }
    }

    /// The attacks that went through although a correct client notices them.
    public var missed: [LabCell] { cells.filter { $0.outcome == .missed && !$0.isAsExpected } }

    /// The legitimate changes that were refused.
    public var falseAlarms: [LabCell] { cells.filter { $0.outcome == .falseAlarm } }

    /// The inconclusive cells.
    public var inconclusive: [LabCell] { cells.filter { $0.outcome == .inconclusive } }
}

/// A diagnosis of a whole row.
package struct RowDiagnosis: Sendable, Hashable {
    /// A fault that makes all cells inconclusive, such as the refusal of its own server; `nil` for none.
    package var fault: String?
    /// The change that repairs the row, in one or two sentences; `nil` if none is needed.
    package var advice: String?
}
