import PinholeModel
import Testing

@Suite("ExchangeOutcome")
struct ExchangeOutcomeTests {
    @Test(
        "its kind and its detail make it again",
        arguments: [
            ExchangeOutcome.completed, .answeredByProxy("blocked"), .aborted(by: .client, "it left"),
            .aborted(by: .server, "it closed"), .closedByClient("it had enough"), .abortedByUser,
            .failed("no route"),
        ]
    )
    func parts(_ outcome: ExchangeOutcome) {
        #expect(ExchangeOutcome(outcome.kind, outcome.detail ?? "of no interest") == outcome)
    }

    @Test("the words of outcomes in filters and exports do not change")
    func words() {
        #expect(
            ExchangeOutcome.Kind.allCases.map(\.rawValue)
                == [
                    "completed", "answeredByProxy", "abortedByClient", "abortedByServer", "closedByClient",
                    "abortedByUser", "failed",
                ]
        )
    }
}
