import PinholeLab
import PinholeReports
import PinholeSession

/// Requests of the pinning lab.
extension ConsoleCall {
    func labCatalogue() throws -> ConsoleAnswer {
        .json(LabJSON.Catalogue(run: api.lab.run))
    }

    /// Begins a run; reading policies takes a moment, so this does not happen on the event loop.
    func runLab() async throws -> ConsoleAnswer {
        .json(LabJSON.Run(try api.lab.begin(try LabOrder(try order()))), status: 202)
    }

    func cancelLab() throws -> ConsoleAnswer {
        guard api.lab.cancel() else {
            throw Problem(409, "nothing to cancel", "no run of the lab goes on")
        }
        return ConsoleAnswer(204)
    }

    func labEvents() throws -> ConsoleAnswer {
        try takeStream()
        return ConsoleAnswer(
            200,
            fields: [("Content-Type", "text/event-stream")],
            body: .source(LabEvents(api.lab, api.streams), length: nil)
        )
    }

    /// Returns the evidence of one cell: a report of the lab with one row and one column.
    func labEvidence() throws -> ConsoleAnswer {
        let (policyID, scenarioID) = (request.value("policy") ?? "", request.value("scenario") ?? "")
        guard let run = api.lab.run, let lab = run.lab, let cell = run.cell(policyID, scenarioID),
            let policy = run.order.policies.first(where: { $0.id == policyID }),
            let scenario = run.order.scenarios.first(where: { $0.id == scenarioID })
        else {
            throw Problem(
                404,
                "not found",
                "the last run has no cell of “\(policyID.prefix(80))” in “\(scenarioID.prefix(20))” (yet)"
            )
        }
        let document = LabDocument(lab.report(of: cell, policy, scenario))
        return ConsoleAnswer(
            200,
            fields: [("Content-Type", "application/json")],
            body: .bytes(Array(document.json.utf8))
        )
    }
}
