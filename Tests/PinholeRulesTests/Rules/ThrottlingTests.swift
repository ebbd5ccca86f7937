import PinholeModel
import Testing

@testable import PinholeRules

@Suite("Throttling")
struct ThrottlingTests {
    private func read(_ keys: String) throws -> Throttling {
        let set = try RuleSet(JSONValue(parsing: Array(#"[{"do": "throttle"\#(keys)}]"#.utf8)), path: "rules")
        guard case .throttle(let throttling) = set.rules.first?.action else { throw Missing() }
        return throttling
    }

    private struct Missing: Error {}

    @Test("takes a preset, and numbers that overrule it")
    func reads() throws {
        let slow = try read(#", "preset": "Slow 4G", "upKilobits": 12.5, "lossPercent": 2"#)
        #expect(slow.summary == "1440 kbit/s down, 12.5 kbit/s up, 563 ms latency, 2 % loss")
        #expect(try read("") == Throttling())
        let latency = try read(#", "latencyMilliseconds": 100, "jitterMilliseconds": 20"#)
        #expect(latency.summary == "100 ± 20 ms latency" && latency.retransmission == .milliseconds(300))
        #expect(try read(#", "preset": "Wi-Fi""#).summary == "30 Mbit/s down, 15 Mbit/s up, 2 ms latency")
        for preset in ThrottlePreset.allCases { #expect(preset.throttling.down ?? 0 > 0) }
    }

    @Test("varies the latency by no more than the jitter, and not always alike")
    func jitter() throws {
        let throttling = try read(#", "latencyMilliseconds": 10, "jitterMilliseconds": 20"#)
        let delays = Set((0..<200).map { throttling.delay(seed: $0) })
        #expect(delays.count > 50 && delays.allSatisfy { $0 >= .zero && $0 <= .milliseconds(30) })
        #expect(try read(#", "latencyMilliseconds": 10"#).delay(seed: 3) == .milliseconds(10))
    }

    @Test(
        "refuses an invalid connection",
        arguments: [
            (#", "preset": "4G""#, "preset: expected “3G” or"), (#", "downKilobits": 0"#, "a number of 1 to"),
            (#", "lossPercent": 100"#, "a number of 0 to 90"),
            (#", "latencyMilliseconds": "1""#, "a number of 0 to 60000"),
        ]
    )
    func refused(keys: String, expected: String) {
        #expect {
            _ = try read(keys)
        } throws: {
            "\($0)".contains(expected)
        }
    }

    @Test("matches tunnels by their known facts")
    func tunnels() throws {
        let json = #"""
            [{"do": "throttle", "downKilobits": 1, "when": "host == a.test"},
             {"do": "throttle", "downKilobits": 2, "when": "path startswith /"}, {"do": "block"}]
            """#
        let book = RuleBook(try RuleSet(JSONValue(parsing: Array(json.utf8)), path: "rules"))
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: Timestamp(seconds: 0),
            client: "127.0.0.1:1",
            listener: "127.0.0.1:2"
        )
        flow.authority = "a.test:443"
        var limits = Throttling()
        limits.down = 1000
        #expect(book.byteActions(of: flow).map(\.action) == [.throttle(limits)])
        flow.authority = "b.test:443"
        #expect(book.byteActions(of: flow).isEmpty)
    }
}
