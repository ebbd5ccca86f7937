import PinholeModel
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("RecordingPauses")
struct RecordingPausesTests {
    private func exchange(_ id: Int64) -> FlowEvent { .bodyPart(ExchangeID(rawValue: id), .request, [1]) }

    private func flow(_ id: Int64) -> FlowEvent {
        .flow(FlowRecord(id: FlowID(rawValue: id), opened: Timestamp(seconds: 0), client: "c", listener: "l"))
    }

    @Test("exchanges that begin in a pause are not recorded; earlier ones are")
    func exchanges() {
        var pauses = RecordingPauses()
        #expect(pauses.keeps(exchange(1)) && !pauses.isPaused)
        pauses.begin(at: 10)
        pauses.begin(at: 12)
        #expect(pauses.isPaused && pauses.keeps(exchange(9)))
        #expect(!pauses.keeps(exchange(10)) && !pauses.keeps(exchange(11)))
        pauses.end(at: 20)
        #expect(!pauses.isPaused && !pauses.keeps(exchange(15)) && pauses.keeps(exchange(21)))
        #expect(pauses.keeps(exchange(9)))
        pauses.end(at: 30)
        #expect(pauses.keeps(exchange(25)))
    }

    @Test("a flow that began in a pause is kept once it is over, since later exchanges belong to it")
    func flows() {
        var pauses = RecordingPauses()
        pauses.begin(at: 10)
        #expect(pauses.keeps(flow(9)) && !pauses.keeps(flow(11)))
        pauses.end(at: 20)
        #expect(pauses.keeps(flow(11)))
    }
}
