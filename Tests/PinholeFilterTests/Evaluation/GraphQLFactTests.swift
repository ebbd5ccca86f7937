import PinholeModel
import Testing

@testable import PinholeFilter

@Suite("Facts of GraphQL")
struct GraphQLFactTests {
    @Test("filters by operations hold as soon as the body is known, and are open before")
    func filters() throws {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 1),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("api.test:443"),
            method: "POST",
            path: "/graphql",
            request: MessageRecord(head: []),
            timings: ExchangeTimings(started: Timestamp(seconds: 0))
        )
        record.outcome = .completed
        let body = Array(#"{"query": "mutation Pay { pay }"}"#.utf8)
        for (text, isComplete, expected) in [
            ("graphql.operation == pay & graphql.type == mutation", true, Truth.yes),
            ("graphql.type == query", true, .no), ("graphql.type == query", false, .open),
        ] {
            var facts = RecordFacts(exchange: record, flow: nil) { _, part in
                #expect(part == .request)
                var found = TextFacts([body])
                found.isComplete = isComplete
                return found
            }
            var judge = FilterJudge(try Filter(text))
            #expect(judge.judge(&facts) == expected, "\(text)")
        }
    }
}
