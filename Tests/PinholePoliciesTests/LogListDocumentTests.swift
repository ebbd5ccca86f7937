import PinholeCrypto
import PinholeModel
import PinholePolicies
import PinholeTrust
import Testing

@Suite("LogListDocument")
struct LogListDocumentTests {
    private static let key = Result { PublicKey(of: try PrivateKey.generateP256()).spki }

    private static func list(state: String, member: String = "logs") throws -> String {
        let log =
            #"{"description": "Log", "key": "\#(Base64.encode(try key.get()))", "mmd": 86400, "state": \#(state)}"#
        return #"""
            {"version": "1.2", "log_list_timestamp": "2026-11-01T00:00:00Z", "is_all_logs": false,
             "operators": [{"name": "Operator", "email": [], "\#(member)": [\#(log)]}]}
            """#
    }

    private func state(_ state: String, member: String = "logs") throws -> TransparencyLog.State? {
        let list = try LogListDocument.read(Array(Self.list(state: state, member: member).utf8))
        #expect(list.date == Timestamp(seconds: 1_793_491_200))
        let log = try #require(list[Digest.sha256(try Self.key.get())])
        #expect(log.operator == "Operator" && log.title == "Log")
        return log.state
    }

    @Test("reads operators, logs of both kinds, and states")
    func reads() throws {
        let since = #"{"timestamp": "2026-10-01T00:00:00Z"}"#
        for name in ["qualified", "usable", "readonly"] {
            #expect(try state(#"{"\#(name)": \#(since)}"#) == .approved)
        }
        #expect(try state(#"{"usable": \#(since)}"#, member: "tiled_logs") == .approved)
        #expect(try state(#"{"retired": \#(since)}"#) == .retired(Timestamp(seconds: 1_790_812_800)))
        #expect(try state(#"{"pending": \#(since)}"#) == .unapproved)
        #expect(try state(#"{"rejected": {}}"#) == .unapproved)
    }

    @Test(
        "names the expected value and its place",
        arguments: [
            ("{}", "operators"), ("[]", "expected a list of logs (version 3)"), ("no JSON", "expected"),
            (#"{"operators": [{"logs": []}]}"#, "operators[0]: expected the key “name”"),
            (#"{"operators": [{"name": "A", "logs": [{"key": "AAAA"}]}]}"#, "operators[0].logs[0].key"),
            (#"{"log_list_timestamp": "today", "operators": []}"#, "log_list_timestamp"),
        ]
    )
    func malformed(text: String, words: String) {
        let failure = #expect(throws: PolicyFailure.self) { try LogListDocument.read(Array(text.utf8)) }
        #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
    }

    @Test(
        "a state that is none is refused",
        arguments: [#"{"new": {}}"#, #"{}"#, #"{"retired": {}}"#, #""usable""#]
    )
    func states(text: String) {
        #expect(throws: PolicyFailure.self) { try LogListDocument.read(Array(Self.list(state: text).utf8)) }
    }
}
