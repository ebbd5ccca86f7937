import PinholeFilter
import PinholeModel
import PinholeRules
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("DeferredFlows")
struct DeferredFlowsTests {
    private static func flow(
        _ id: Int64,
        _ authority: String? = nil,
        isClosed: Bool = false,
        exchanges: Int = 0,
        _ treatment: Treatment? = nil
    ) -> FlowEvent {
        var record = FlowRecord(
            id: FlowID(rawValue: id),
            opened: Timestamp(seconds: 0),
            client: "c",
            listener: "l"
        )
        record.authority = authority
        record.exchanges = exchanges
        record.treatment = treatment
        if isClosed { record.closed = Timestamp(seconds: 1) }
        return .flow(record)
    }

    private static func exchange(_ id: Int64, of flow: Int64) throws -> FlowEvent {
        .exchange(
            ExchangeRecord(
                id: ExchangeID(rawValue: id),
                flow: FlowID(rawValue: flow),
                scheme: .https,
                authority: try Authority("a.test:443"),
                method: "GET",
                path: "/",
                request: MessageRecord(head: []),
                timings: ExchangeTimings(started: Timestamp(seconds: 0))
            )
        )
    }

    @Test("a selected flow without exchanges is recorded at its end, a relay at its beginning")
    func meant() throws {
        let scope = CaptureScope(try Filter("host == a.test"))
        var flows = DeferredFlows(from: 1)
        #expect(flows.sift([Self.flow(5), Self.flow(5, "a.test:443")], scope).isEmpty)
        let end = Self.flow(5, "a.test:443", isClosed: true)
        #expect(flows.sift([end], scope) == [end])
        let relay = Self.flow(7, "a.test:443", .passedThrough)
        #expect(flows.sift([relay], scope) == [relay])
        #expect(
            flows.sift([Self.flow(6, "b.test:443"), Self.flow(6, "b.test:443", isClosed: true)], scope)
                .isEmpty
        )
    }

    @Test("a flow is not recorded if the filter left out all of its exchanges, even if it matches the flow")
    func emptied() throws {
        let scope = CaptureScope(try Filter("host == a.test & !asset"))
        var flows = DeferredFlows(from: 1)
        #expect(flows.sift([Self.flow(5, "a.test:443", isClosed: true, exchanges: 2)], scope).isEmpty)
    }

    @Test("an exchange that is recorded brings its flow in, before it and to its end")
    func broughtIn() throws {
        let scope = CaptureScope(try Filter("status >= 400"))
        var flows = DeferredFlows(from: 1)
        #expect(flows.sift([Self.flow(5, "a.test:443")], scope).isEmpty)
        let exchange = try Self.exchange(6, of: 5)
        #expect(flows.sift([exchange], scope) == [Self.flow(5, "a.test:443"), exchange])
        #expect(flows.sift([exchange], scope) == [exchange])
        let end = Self.flow(5, "a.test:443", isClosed: true)
        #expect(flows.sift([end], scope) == [end])
    }

    @Test("a flow that comes after its exchange is recorded")
    func late() throws {
        let scope = CaptureScope(try Filter("status >= 400"))
        var flows = DeferredFlows(from: 1)
        let events = [try Self.exchange(6, of: 5), Self.flow(5, "a.test:443", isClosed: true)]
        #expect(flows.sift(events, scope) == events)
    }

    @Test("flows that were recorded before a filter was set stay in the capture")
    func older() throws {
        let scope = CaptureScope(try Filter("status >= 400"))
        var flows = DeferredFlows(from: 10)
        let end = Self.flow(9, "a.test:443", isClosed: true)
        #expect(flows.sift([end, Self.flow(11, "a.test:443", isClosed: true)], scope) == [end])
    }

    @Test("without a filter any more, flows are recorded again")
    func everything() throws {
        let scope = CaptureScope(try Filter("status >= 400"))
        var flows = DeferredFlows(from: 1)
        #expect(flows.sift([Self.flow(5)], scope).isEmpty)
        scope.replace(with: .everything)
        #expect(flows.sift([Self.flow(5, isClosed: true)], scope).count == 1)
    }
}
