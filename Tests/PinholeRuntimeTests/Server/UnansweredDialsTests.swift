import PinholeModel
import Testing

@testable import PinholeRuntime

@Suite("UnansweredDials")
struct UnansweredDialsTests {
    private let server = Authority(host: .name("a.test"), port: 443)
    private let other = Authority(host: .name("b.test"), port: 443)

    @Test("bounds the waiting dials of each server separately")
    func limit() {
        let dials = UnansweredDials(limit: 4)
        for _ in 0..<4 { #expect(dials.begin(server)) }
        #expect(!dials.begin(server) && dials.begin(other))
        dials.end(server)
        #expect(dials.begin(server))
    }

    @Test("takes refusals for a circle from the first that was one too many to the last that waited")
    func circle() {
        let dials = UnansweredDials(limit: 4)
        #expect(dials.begin(server) && dials.begin(server) && dials.begin(server))
        #expect(!dials.isCircle(server), "three quarters are no circle")
        #expect(dials.begin(server) && !dials.begin(server))
        for _ in 0..<4 {
            #expect(dials.isCircle(server) && !dials.isCircle(other))
            dials.end(server)
        }
        #expect(dials.begin(server) && !dials.isCircle(server))
    }

    @Test("takes a refusal for a circle where nearly as many wait: the other proxy noticed first")
    func otherNoticed() {
        let dials = UnansweredDials(limit: 4)
        for _ in 0..<4 { #expect(dials.begin(server)) }
        #expect(dials.isCircle(server))
    }
}
