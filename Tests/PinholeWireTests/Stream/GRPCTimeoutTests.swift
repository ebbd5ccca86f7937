import PinholeWire
import Testing

@Suite("GRPCTimeout")
struct GRPCTimeoutTests {
    @Test("reads at most eight digits and a unit")
    func reads() {
        #expect(GRPCTimeout.duration("2H") == .seconds(7200))
        #expect(GRPCTimeout.duration("3M") == .seconds(180))
        #expect(GRPCTimeout.duration("4S") == .seconds(4))
        #expect(GRPCTimeout.duration("501m") == .milliseconds(501))
        #expect(GRPCTimeout.duration("99999999u") == .microseconds(99_999_999))
        #expect(GRPCTimeout.duration("5n") == .nanoseconds(5))
        for text in ["", "m", "5", "5x", "-5m", "999999999m", "5 m"] {
            #expect(GRPCTimeout.duration(text) == nil, "\(text)")
        }
    }
}
