import PinholeModel
import Testing

@testable import PinholeHTTP2

@Suite("FloodGuard")
struct FloodGuardTests {
    private var limits: HTTP2Limits {
        var limits = HTTP2Limits()
        limits.pings = HTTP2Limits.Allowance(burst: 3, perSecond: 10)
        return limits
    }

    @Test("lets a burst pass, and names the kind of event above it")
    func burst() {
        var floods = FloodGuard(limits: limits)
        for _ in 0..<3 { floods.spend(.ping) }
        #expect(floods.excess == nil)
        floods.spend(.ping)
        #expect(floods.excess == .ping)
    }

    @Test("refills with time, up to the burst")
    func refill() {
        var floods = FloodGuard(limits: limits)
        floods.refill(at: Timestamp(seconds: 100))
        for _ in 0..<3 { floods.spend(.ping) }
        floods.refill(at: Timestamp(seconds: 100) + .milliseconds(200))
        for _ in 0..<2 { floods.spend(.ping) }
        #expect(floods.excess == nil)
        floods.refill(at: Timestamp(seconds: 10_000))
        for _ in 0..<4 { floods.spend(.ping) }
        #expect(floods.excess == .ping)
    }

    @Test("earns with work")
    func work() {
        var floods = FloodGuard(limits: limits)
        for _ in 0..<1000 {
            floods.dataSent()
            floods.spend(.ping)
        }
        #expect(floods.excess == nil)
    }

    @Test("is not led astray by a clock that goes back")
    func clock() {
        var floods = FloodGuard(limits: limits)
        floods.refill(at: Timestamp(seconds: 100))
        floods.refill(at: Timestamp(seconds: 50))
        for _ in 0..<3 { floods.spend(.ping) }
        #expect(floods.excess == nil)
    }
}
