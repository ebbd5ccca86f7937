import PinholeModel
import Testing

@testable import PinholeRules

@Suite("ProgramDeclaration, from a document")
struct ProgramDeclarationReadingTests {
    private func read(_ text: String) throws -> [ProgramDeclaration] {
        try ProgramDeclaration.all(JSONValue(parsing: Array(text.utf8)), "programs")
    }

    private func rules(_ text: String) throws -> RuleSet {
        try RuleSet(JSONValue(parsing: Array(text.utf8)), path: "rules")
    }

    @Test("reads declared programs, and passes them to the rules that name them")
    func declared() throws {
        let programs = try read(
            #"""
            {"mark": {"command": ["python3", "mark.py"]},
             "guard": {"command": ["./guard"], "at": ["requestHead"], "seconds": 0.5, "onFailure": "close", "failures": 9}}
            """#
        )
        #expect(programs.map(\.name) == ["guard", "mark"])
        #expect(programs[1].call.points == [.request, .response] && programs[1].call.failure == .pass)
        #expect(programs[1].command == ["python3", "mark.py"] && programs[1].call.patience == .seconds(5))
        let guarding = programs[0].call
        #expect(guarding.requestPoint == .requestHead && guarding.responsePoint == nil)
        #expect(guarding.patience == .milliseconds(500) && programs[0].failureLimit == 9)
        let rules = try rules(#"[{"do": "block"}, {"do": "askProgram", "program": "guard"}]"#)
        #expect(rules.requestCount == 1)
        let resolved = try rules.resolvingPrograms(programs, path: "rules")
        #expect(resolved.rules.last?.action == .askProgram(guarding))
        #expect(resolved.requestCount == 2 && resolved.responseCount == 0)
        #expect(MessageTask(rule: "r", kind: .askProgram, work: .program(guarding, .requestHead)).isRequired)
    }

    @Test("a rule cannot declare a program, and names none that is not declared")
    func undeclared() throws {
        let programs = try read(#"{"mark": {"command": ["true"]}}"#)
        #expect(throws: DocumentFailure.self) {
            try rules(#"[{"do": "askProgram", "program": "mark", "command": ["touch", "/tmp/x"]}]"#)
        }
        #expect(throws: DocumentFailure.self) { try rules(#"[{"do": "askProgram", "program": ["true"]}]"#) }
        do {
            _ = try rules(#"[{"do": "askProgram", "program": "marc"}]"#)
                .resolvingPrograms(programs, path: "rules")
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".hasPrefix("rules[0].program: expected the name of a program under “programs”"))
            #expect("\(error)".hasSuffix("write “mark”"), "\(error)")
        }
    }

    @Test(
        "names the place and the expected value",
        arguments: [
            ("[]", "programs: expected an object"),
            (#"{"": {}}"#, "a name without control characters"),
            (#"{"a": {}}"#, "programs.a: expected the key “command”"),
            (#"{"a": {"command": []}}"#, "programs.a.command: expected a program and its arguments"),
            (#"{"a": {"command": "true"}}"#, "programs.a.command: expected a list"),
            (#"{"a": {"command": ["a\u0000"]}}"#, "without NUL"),
            (#"{"a": {"command": ["x"], "at": []}}"#, "found an empty list"),
            (#"{"a": {"command": ["x"], "at": ["request", "requestHead"]}}"#, "found request, requestHead"),
            (#"{"a": {"command": ["x"], "onFailure": "stop"}}"#, "“pass” or “close”"),
            (#"{"a": {"command": ["x"], "seconds": 0}}"#, "programs.a.seconds: expected seconds"),
        ]
    )
    func refused(text: String, expected: String) {
        do {
            _ = try read(text)
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains(expected), "\(error)")
        }
    }
}
