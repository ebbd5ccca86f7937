import PinholeFilter
import PinholeModel
import Testing

@Suite("TextField, values")
struct TextFieldValuesTests {
    @Test(
        "every end that an exchange or a flow can have is an outcome",
        arguments: [
            ExchangeOutcome.completed, .answeredByProxy(""), .aborted(by: .client, ""),
            .aborted(by: .server, ""),
            .failed(""),
        ]
    )
    func outcomes(_ outcome: ExchangeOutcome) throws {
        let values = try #require(TextField.outcome.values)
        #expect(Outcome.Kind.allCases.allSatisfy { values.contains($0.rawValue) })
        let name =
            switch outcome {
            case .completed: "completed"
            case .answeredByProxy: "answeredByProxy"
            case .aborted(let side, _): side == .client ? "abortedByClient" : "abortedByServer"
            case .failed: "failed"
            }
        #expect(values.contains(name) && Set(values).count == values.count)
    }

    @Test("what has no end is not enumerated")
    func open() {
        #expect(TextField.host.values == nil && TextField.header(.either, "x").values == nil)
        #expect(TextField.alert.values?.contains("unknown_ca") == true)
    }
}
