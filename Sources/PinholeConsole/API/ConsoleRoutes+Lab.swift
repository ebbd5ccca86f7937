import PinholeModel
import PinholeSession

extension ConsoleRoute {
    /// The operations of the lab.
    static let lab: KeyValuePairs<String, ConsoleOperation> = [
        "GET /api/lab": .init(
            "The catalogue of the pinning lab, and its last run",
            answers: [.json(LabJSON.Catalogue.self, "The catalogue.")],
            work: .now { try $0.labCatalogue() }
        ),
        "POST /api/lab/run": .init(
            "Run policies against scenarios; one run at a time",
            body: .body(of: LabOrder.Members.self),
            answers: [.json(LabJSON.Run.self, "It has begun.", status: 202)],
            problems: [409, 422],
            work: .working(.checks) { (call, _) in try await call.runLab() }
        ),
        "DELETE /api/lab/run": .init(
            "Cancel the run",
            answers: [.none("It ends; its known cells stay.")],
            problems: [409],
            work: .now { try $0.cancelLab() }
        ),
        "GET /api/lab/evidence": .init(
            "The evidence of one cell of the last run, as docs/CI.md describes it",
            .text("policy").required,
            .text("scenario").required,
            answers: [.json(.object, "A report of one row and one column.")],
            problems: [404],
            work: .now { try $0.labEvidence() }
        ),
        "GET /api/lab/events": .init(
            "The progress of the run: events run and cells",
            answers: [
                .bytes(
                    "text/event-stream",
                    "Server-sent events, from the beginning of the run.",
                    schema: .text
                )
            ],
            work: .now { try $0.labEvents() }
        ),
    ]
}
