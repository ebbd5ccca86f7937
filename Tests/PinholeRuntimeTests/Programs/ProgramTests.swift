import PinholeLock
import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeRuntime

/// Programs that are asked in lines of JSON; those here are a few lines of shell.
@Suite("Program")
struct ProgramTests {
    /// What was said to people.
    private final class Notices: Sendable {
        let texts = Lock<[String]>([])
    }

    private let notices = Notices()
    private var said: [String] { notices.texts.withLock { $0 } }

    /// Answers what it is asked, with `answer` behind the number.
    private static func loop(_ answer: String = "") -> String {
        "while read -r line; do id=${line#*:}; printf '{\"id\": %s\(answer)}\\n' \"${id%%,*}\"; done"
    }

    private func program(
        _ script: String,
        patience: Duration = Patience.limit,
        failures: Int = 3
    ) -> Program {
        var call = ProgramCall(name: "it")
        call.points = [.request]
        call.patience = patience
        var declaration = ProgramDeclaration(call, command: ["sh", "-c", script])
        declaration.failureLimit = failures
        return Program(declaration) { [notices] text in notices.texts.withLock { $0.append(text) } }
    }

    private func question(_ body: [UInt8] = []) -> MessageQuestion {
        let request = RuleRequest(
            scheme: .https,
            authority: Authority(host: .name("a.test"), port: 443),
            method: "POST",
            path: "/x",
            fields: HeaderFields()
        )
        var message = HeldMessage(request: request, tasks: [])
        message.exchange = ExchangeID(rawValue: 7)
        message.body = body
        return MessageQuestion(point: .request, rule: "r", message: message)
    }

    private func ask(
        _ program: Program,
        _ body: [UInt8] = []
    ) async -> Result<MessageDecision, MessageFailure> {
        await withCheckedContinuation { continuation in
            program.ask(question(body)) { continuation.resume(returning: $0) }
        }
    }

    private func failure(_ program: Program, _ body: [UInt8] = []) async -> String {
        switch await ask(program, body) {
        case .success(let answer): "\(answer)"
        case .failure(let failure): failure.description
        }
    }

    @Test("is started once, and asked many times")
    func answers() async throws {
        let program = program(Self.loop(#", "note": "n""#))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 1...50 {
                group.addTask { if case .failure = await ask(program) { false } else { true } }
            }
            for await isRight in group { #expect(isRight) }
        }
        Program.stop([program])
        #expect(await failure(program) == "the program is not asked any more")
    }

    @Test("large questions and answers pass, and bytes that are no text")
    func large() async throws {
        // What it was asked comes back as the new body.
        let program = program(
            #"""
            exec python3 -c 'import json, sys
            for line in sys.stdin:
                question = json.loads(line)
                if question["id"]:
                    change = {"bodyBase64": question["request"]["bodyBase64"]}
                    print(json.dumps({"id": question["id"], "request": change}), flush=True)'
            """#
        )
        let body = [UInt8](repeating: 0xff, count: 1 << 20)
        #expect(try await ask(program, body).get().body == body)
        Program.stop([program])
    }

    @Test("a program that ends fails its waiting questions, and is started again")
    func death() async {
        let program = program(
            #"read hello; read -r line; id=${line#*:}; echo "{\"id\": ${id%%,*}}"; read line; exit 7"#
        )
        for _ in 1...2 {
            guard case .success = await ask(program) else {
                Issue.record("no answer")
                return
            }
            #expect(await failure(program) == "it ended with the code 7")
        }
        #expect(said.allSatisfy { $0 == "the program “it”: it ended with the code 7" })
        Program.stop([program])
    }

    @Test("a program that is too slow fails the question, is left out after some failures, and tried again")
    func slowness() async throws {
        let program = program("while read line; do :; done", patience: .milliseconds(20), failures: 2)
        for _ in 1...2 { #expect(await failure(program) == "it took longer than 0.02 s") }
        #expect(said.contains { $0.hasSuffix("and is left out for 1 s") })
        var wasLeftOut = false
        let clock = ContinuousClock()
        let deadline = clock.now + Patience.limit
        // Each pause is longer than the one before it, so it is met however busy the machine is.
        while clock.now < deadline,
            !wasLeftOut || !said.contains(where: { $0.hasSuffix("and is left out for 2 s") })
        {
            let failure = await failure(program)
            if failure.hasPrefix("it failed 2 times, and is left out for ") { wasLeftOut = true }
            await Task.yield()
        }
        #expect(wasLeftOut)
        #expect(said.contains { $0.hasSuffix("and is left out for 2 s") })
        Program.stop([program])
    }

    @Test("a program that does not exist is reported")
    func missing() async {
        let call = ProgramCall(name: "it")
        let program = Program(ProgramDeclaration(call, command: ["/nowhere/it"])) { _ in }
        #expect(await failure(program) == "could not start /nowhere/it: No such file or directory")
    }

    @Test("an invalid answer is reported, and later answers count")
    func nonsense() async {
        let program = program(
            "read hello; read line; echo nonsense; echo '{}'; echo; echo '{\"id\": 99}'; echo warning >&2; "
                + "echo '{\"id\": 1}'; echo '{\"id\": 1}'; cat > /dev/null"
        )
        guard case .success = await ask(program) else {
            Issue.record("no answer")
            return
        }
        Program.stop([program])
        let wanted = [
            "wrote what is not a JSON object with an id: nonsense",
            "wrote what is not a JSON object with an id: {}",
            "answered the question 99 which was not asked", "says: warning",
        ]
        for text in wanted { #expect(said.contains("the program “it”: \(text)"), "\(said)") }
    }

    @Test(
        "an answer that cannot be used says why",
        arguments: [
            (#", "respnd": {}"#, "found “respnd”; to fix it: write “respond”"),
            (
                #", "request": {"fields": [["Content-Length", "1"]]}"#,
                "request.fields[0]: expected a header that"
            ),
            (#", "respond": {}, "drop": true"#, "expected one of request, respond and drop"),
            (#", "response": {}"#, "expected a known key"),
            (#", "request": {"method": "HEAD"}"#, "a method other than CONNECT and HEAD"),
            (#", "request": {"path": "x y"}"#, "request.path: expected a path"),
            (#", "request": {"path": "*"}"#, "request.path: expected a path"),
            (#", "request": {"body": "a", "bodyBase64": ""}"#, "expected body or bodyBase64, found both"),
            (#", "request": {"status": 404}"#, "request.status: expected none, since a request is held"),
            (#", "request": {"path": 1}"#, "request.path: expected a text in quotes"),
            (#", "request": {"fields": [["X"]]}"#, "request.fields[0]: expected a list of two texts"),
            (#", "request": {"bodyBase64": "?"}"#, "request.bodyBase64: expected Base64"),
            (#", "respond": {"status": "ok"}"#, "respond.status: expected a status such as 404"),
            (#", "respond": {"status": 204, "body": "x"}"#, "respond.body: expected none, since 204"),
            (#", "drop": "now""#, "drop: expected true, “close” or “reset”"),
        ]
    )
    func unusable(answer: String, reason: String) async {
        let program = program(Self.loop(answer.replacing("\"", with: "\\\"").replacing("\\\"", with: "\"")))
        let failure = await failure(program)
        #expect(failure.hasPrefix("its answer cannot be used: ") && failure.contains(reason), "\(failure)")
        Program.stop([program])
    }

    @Test("another version of the protocol is refused")
    func version() async {
        let program = program(#"echo '{"id": 0, "protocol": 2}'; cat > /dev/null"#)
        #expect(await failure(program) == "it speaks the protocol 2, and this proxy the protocol 1")
        Program.stop([program])
    }

    @Test("a line without end, and a flood of complaints, cost little")
    func floods() async {
        let endless = program("read hello; head -c 100000000 /dev/zero | tr '\\0' x; cat > /dev/null")
        #expect(await failure(endless) == "it wrote a line of more than 32 MiB")
        Program.stop([endless])
        let began = ContinuousClock.now
        let noisy = program("yes complaint >&2 & \(Self.loop())")
        for _ in 1...20 {
            guard case .success = await ask(noisy) else {
                Issue.record("no answer")
                return
            }
        }
        // Who complains is a process of its own, which may begin later.
        let complaint = "the program “it”: says: complaint"
        while !said.contains(complaint), began.duration(to: .now) < Patience.limit { _ = await ask(noisy) }
        Program.stop([noisy])
        // Twenty in ten seconds, which may have begun before and may end later, and what is told when one ends.
        let windows = Int(began.duration(to: .now).components.seconds) / 10 + 2
        #expect(said.count <= 20 * windows + 5, "\(said.count) lines")
        #expect(said.contains(complaint))
    }

    @Test("a program that leaves a child with its output is noticed, and both are ended")
    func orphan() async {
        let program = program("sleep 1000 & read hello; read line; exit 3")
        #expect(await failure(program) == "it ended with the code 3")
        Program.stop([program])
    }

    @Test("a program that does not read gets a bounded amount of input")
    func unread() async {
        let program = program("exec sleep 1000", patience: .milliseconds(500), failures: 100)
        let body = [UInt8](repeating: 0x61, count: 40 << 20)
        async let first = failure(program, body)
        async let second = failure(program, body)
        let failures = await [first, second].sorted()
        #expect(failures == ["it does not read what it is asked", "it took longer than 0.5 s"])
        Program.stop([program])
    }
}
