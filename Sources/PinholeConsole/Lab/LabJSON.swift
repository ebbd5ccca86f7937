import PinholeLab
import PinholeReports

/// The JSON documents of the lab's page.
enum LabJSON {
    /// The policies and scenarios that can be run.
    struct Catalogue: Codable {
        struct Policy: Codable {
            let id: String
            let title: String
            let stance: String
            let group: String
            let notes: [String]

            init(_ policy: LabPolicy) {
                id = policy.id
                title = policy.title
                stance = policy.stance.rawValue
                group = policy.group.rawValue
                notes = policy.notes
            }
        }

        struct Mark: Codable {
            let mark: String
            let symbol: String
            let title: String
            let explanation: String

            init(_ mark: LabMark) {
                self.mark = mark.rawValue
                symbol = mark.symbol
                title = mark.title
                explanation = mark.explanation
            }
        }

        let policies: [Policy]
        let scenarios: [LabColumn]
        let marks: [Mark]
        let run: Run?

        init(run: LabRuns.Run?) {
            policies = LabPolicy.builtIn.map(Policy.init)
            scenarios = Scenario.catalogue.map(LabColumn.init)
            marks = LabMark.allCases.map(Mark.init)
            self.run = run.map(Run.init)
        }
    }

    /// The state of a run, without its cells.
    struct Run: Codable {
        let number: Int
        let status: LabRuns.Status
        let failure: String?
        let host: String
        let started: String
        let policies: [Catalogue.Policy]
        let scenarios: [String]
        let total: Int
        let known: Int
        let milliseconds: Int64

        init(_ run: LabRuns.Run) {
            number = run.number
            status = run.status
            failure = run.failure
            host = run.order.host
            started = run.started
            policies = run.order.policies.map(Catalogue.Policy.init)
            scenarios = run.order.scenarios.map(\.id)
            total = run.total
            known = run.cells.count
            milliseconds = run.milliseconds
        }
    }

    /// A cell without its evidence.
    struct Cell: Codable {
        let policy: String
        let scenario: String
        let mark: String
        let isFault: Bool
        let reason: String

        init(_ cell: LabCell) {
            let document = LabDocument.Cell(cell)
            policy = cell.policy
            scenario = cell.scenario
            mark = document.mark.rawValue
            isFault = document.isFault
            reason = document.reason
        }
    }
}
