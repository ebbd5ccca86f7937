import PinholeModel
import Testing

@testable import PinholeRules

@Suite("RuleSurroundings")
struct RuleSurroundingsTests {
    @Test(
        "name the obstacle of a rule that cannot act, and nothing for others",
        arguments: [
            (#""block", "when": "host == pinhole.test""#, "answers for pinhole.test itself"),
            (#""block", "when": "host == a.raw.test & ~m get""#, "(tls.passthrough: *.raw.test)"),
            (#""mapRemote", "to": "http://localhost:8080""#, "where the proxy itself listens"),
            (#""mapRemote", "to": "http://127.0.0.1:8080/x""#, "where the proxy itself listens"),
            (#""mapRemote", "to": "http://localhost:8081""#, nil),
            (#""throttle", "preset": "3G", "when": "host == a.raw.test""#, nil),
            (#""delay", "seconds": 1, "when": "host == own.raw.test""#, nil),
            (#""delay", "seconds": 1, "when": "host == some.test""#, nil),
            (#""delay", "seconds": 1, "when": "host == a.raw.test & !https""#, nil),
            (#""noCaching", "when": "host == a.raw.test | host == b""#, nil),
        ] as [(String, String?)]
    )
    func remarks(json: String, expected: String?) throws {
        let set = try RuleSet(JSONValue(parsing: Array(#"[{"do": \#(json)}]"#.utf8)), path: "rules")
        let place = RuleSurroundings(
            pathKind: { _ in .missing },
            passthrough: try HostRules(["*.raw.test", "!own.raw.test", "some.test:8443"]),
            ownHost: .name("pinhole.test"),
            listeners: [try Authority("127.0.0.1:8080")]
        )
        let remarks = place.remarks(on: try #require(set.rules.first))
        #expect(remarks.count == (expected == nil ? 0 : 1))
        #expect(expected.map { remarks.first?.contains($0) == true } != false, "\(remarks)")
    }
}
