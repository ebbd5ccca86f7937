import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeConsole

/// The rules of JSON-RPC 2.0, and of the revisions of the Model Context Protocol.
@Suite("A session of an agent")
struct AgentSessionTests {
    private static let page = JSONSchema.object([:], required: ["items"])

    /// A server with a tool that answers at once, and one that works until it is cancelled.
    private static func server(_ stopped: AsyncStream<Void>.Continuation? = nil) -> AgentServer {
        let list = AgentTool("list", "Lists.", [.init("limit", .integer, "The number.")], output: page) { _ in
            #"{"items": [1]}"#
        }
        let wait = AgentTool("wait", "Waits.") { _ in
            defer { stopped?.finish() }
            try await Patience.untilCancelled()
            return "done"
        }
        return AgentServer(tools: [list, wait], version: "1", instructions: "")
    }

    private static func answer(_ text: String, _ session: AgentSession) async throws -> JSONValue? {
        guard let answer = await session.take(Array(text.utf8))() else { return nil }
        #expect(!answer.contains(0x0a))
        return try JSONValue(parsing: answer)
    }

    private static func code(_ answer: JSONValue?) -> Int64? {
        guard case .object(let members)? = answer, case .object(let error)? = members["error"],
            case .integer(let code)? = error["code"]
        else { return nil }
        return code
    }

    private static func member(_ path: String..., of value: JSONValue?) -> JSONValue? {
        path.reduce(value) { value, name in
            if case .object(let members)? = value { members[name] } else { nil }
        }
    }

    private static func begun(
        _ revision: String,
        _ server: AgentServer = server()
    ) async throws -> AgentSession {
        let session = AgentSession(server)
        let text = #"""
            {"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {"protocolVersion": "\#(revision)",
            "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}
            """#
        let answer = try await answer(text, session)
        #expect(Self.member("id", of: answer) == .string("i"))
        return session
    }

    @Test(
        "a message that breaks a rule gets the code of the rule, and the id if that can be repeated",
        arguments: [
            ("{", -32_700, "null"), ("", -32_700, "null"), (#"{"a": 1, "a": 2}"#, -32_700, "null"),
            ("1", -32_600, "null"), ("{}", -32_600, "null"),
            (#"{"id": 7, "method": "ping"}"#, -32_600, "7"),
            (#"{"jsonrpc": "1.0", "id": 7, "method": "ping"}"#, -32_600, "7"),
            (#"{"jsonrpc": 2.0, "id": "x", "method": "ping"}"#, -32_600, #""x""#),
            (#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, -32_600, "null"),
            (#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#, -32_600, "null"),
            (#"{"jsonrpc": "2.0", "id": [1], "method": "ping"}"#, -32_600, "null"),
            (#"{"jsonrpc": "2.0", "id": true, "method": "ping"}"#, -32_600, "null"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": 1}"#, -32_600, "7"),
            (#"{"jsonrpc": "2.0", "id": 7}"#, -32_600, "7"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "resources/list"}"#, -32_601, "7"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "notifications/initialized"}"#, -32_601, "7"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": []}"#, -32_602, "7"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": "x"}"#, -32_602, "7"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {}}"#, -32_602, "7"),
            (
                #"{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"cursor": "x"}}"#, -32_602,
                "7"
            ),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x"}}"#, -32_602, "7"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": 1}}"#, -32_602, "7"),
            (#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}"#, -32_602, "7"),
            (
                #"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "list", "arguments": []}}"#,
                -32_602, "7"
            ),
        ]
    )
    func refused(_ text: String, _ code: Int64, _ id: String) async throws {
        let answer = try await Self.answer(text, AgentSession(Self.server()))
        #expect(Self.code(answer) == code, "\(String(describing: answer))")
        #expect(try Self.member("id", of: answer) == JSONValue(parsing: Array(id.utf8)))
        #expect(Self.member("jsonrpc", of: answer) == .string("2.0"))
    }

    @Test(
        "a notification and an answer are never answered, whatever they say",
        arguments: [
            #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#,
            #"{"jsonrpc": "2.0", "method": "no/such/method", "params": [1]}"#,
            #"{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "list"}}"#,
            #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}"#,
            #"{"jsonrpc": "2.0", "method": "notifications/cancelled"}"#,
            #"{"jsonrpc": "2.0", "id": 1, "result": {}}"#,
            #"{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}"#,
        ]
    )
    func unanswered(_ text: String) async throws {
        #expect(try await Self.answer(text, AgentSession(Self.server())) == nil)
    }

    @Test("ping is answered before initialize; ids are repeated as they came")
    func ping() async throws {
        let session = AgentSession(Self.server())
        for id in ["0", "-7", #""a""#, #""""#, "1.5"] {
            let answer = try await Self.answer(
                #"{"jsonrpc": "2.0", "id": \#(id), "method": "ping"}"#,
                session
            )
            #expect(try Self.member("id", of: answer) == JSONValue(parsing: Array(id.utf8)))
            #expect(Self.member("result", of: answer) == .object([:]))
        }
    }

    /// A number that no floating-point number stands for.
    private static let digits = "12345678901234567890123456789"

    @Test("a number of any length is repeated digit by digit, alone, in an array, and for a cancellation")
    func longNumbers() async throws {
        let digits = Self.digits
        func text(_ work: AgentSession.Work) async -> String? {
            await work().map { String(decoding: $0, as: UTF8.self) }
        }
        let session = try await Self.begun("2025-03-26")
        for id in [digits, "-\(digits).50", "1.0", "-0", "1E2", "1e400", "-1E+400", "1e-400"] {
            let ping = #"{"jsonrpc": "2.0", "id": \#(id), "method": "ping"}"#
            let answer = #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#
            #expect(await text(session.take(Array(ping.utf8))) == answer)
            let pings = #" [{"x": ["]", {"\\\"[,": 1}], \#(ping.dropFirst()) , \#(ping)]"#
            #expect(await text(session.take(Array(pings.utf8))) == "[\(answer),\(answer)]")
        }
        let call =
            #"{"jsonrpc": "2.0", "id": \#(digits), "method": "tools/call", "params": {"name": "wait"}}"#
        let work = session.take(Array(call.utf8))
        let cancel = "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": "
        // Another number that is the same in floating point.
        for id in ["\(digits.dropLast())8", digits] {
            let call =
                #"{"jsonrpc": "2.0", "id": \#(id), "method": "tools/call", "params": {"name": "list"}}"#
            let isRefused = await text(session.take(Array(call.utf8)))?.contains("no answer yet") == true
            #expect(isRefused == (id == digits))
        }
        #expect(await text(session.take(Array("\(cancel){\"requestId\": \(digits)}}".utf8))) == nil)
        #expect(await work() == nil)
    }

    @Test(
        "a call with an id too large for an integer can be cancelled by that id",
        arguments: ["1e400", "-1E+400"]
    )
    func cancelledByHugeNumber(id: String) async throws {
        let session = try await Self.begun("2025-11-25")
        let call = #"{"jsonrpc": "2.0", "id": \#(id), "method": "tools/call", "params": {"name": "wait"}}"#
        let work = session.take(Array(call.utf8))
        let cancel =
            #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": \#(id)}}"#
        #expect(await session.take(Array(cancel.utf8))() == nil)
        #expect(await work() == nil)
    }

    @Test("a whole number may be written with a fraction of zero or an exponent")
    func wholeNumbers() throws {
        func number(_ value: JSONValue) throws -> Int64? {
            try AgentTool.Arguments(["n": value]).number("n", in: 1...100)
        }
        for (text, expected) in [("1.0", 1), ("1e1", 10), ("100.000", 100)] as [(String, Int64)] {
            #expect(try number(JSONValue(parsing: Array(text.utf8))) == expected)
        }
        for text in ["1.5", "1e3", "-1.0", "1e300", "12345678901234567890123"] {
            #expect(throws: AgentTool.Refusal.self) { try number(JSONValue(parsing: Array(text.utf8))) }
        }
    }

    @Test("initialize agrees on the client's revision, or on the newest, and once alone")
    func initialize() async throws {
        for (wanted, agreed) in [
            ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"), ("2099-01-01", "2025-11-25"), ("", "2025-11-25"),
        ] {
            let session = AgentSession(Self.server())
            let text =
                #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "\#(wanted)"}}"#
            let answer = try await Self.answer(text, session)
            #expect(Self.member("result", "protocolVersion", of: answer) == .string(agreed))
            #expect(Self.code(try await Self.answer(text, session)) == -32_600)
        }
    }

    private static let pings = #"""
        [{"jsonrpc": "2.0", "id": 5, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/initialized"}, 3,
        {"jsonrpc": "2.0", "id": 6, "method": "ping"}]
        """#

    @Test(
        "an array of messages is answered by an array until 2025-03-26",
        arguments: ["2024-11-05", "2025-03-26"]
    )
    func batch(_ revision: String) async throws {
        let session = try await Self.begun(revision)
        guard case .array(let answers)? = try await Self.answer(Self.pings, session) else {
            Issue.record("expected an array")
            return
        }
        #expect(answers.map { Self.member("id", of: $0) } == [.integer(5), .null, .integer(6)])
        let quiet = #"[{"jsonrpc": "2.0", "method": "notifications/initialized"}]"#
        #expect(try await Self.answer(quiet, session) == nil)
        #expect(Self.code(try await Self.answer("[]", session)) == -32_600)
        let begins =
            #"[{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}]"#
        guard case .array(let refused)? = try await Self.answer(begins, session) else {
            Issue.record("expected an array")
            return
        }
        #expect(Self.code(refused.first) == -32_600)
        let many = "[" + Array(repeating: "1", count: 101).joined(separator: ",") + "]"
        #expect(Self.code(try await Self.answer(many, session)) == -32_600)
    }

    @Test("an array of messages is one error from 2025-06-18 on", arguments: ["2025-06-18", "2025-11-25"])
    func noBatch(_ revision: String) async throws {
        let answer = try await Self.answer(Self.pings, try await Self.begun(revision))
        #expect(Self.code(answer) == -32_600 && Self.member("id", of: answer) == .null)
    }

    @Test("a cancelled call is not answered, and its work stops", .patience)
    func cancelled() async throws {
        let (stops, stopped) = AsyncStream.makeStream(of: Void.self)
        let session = try await Self.begun("2025-11-25", Self.server(stopped))
        let call = #"{"jsonrpc": "2.0", "id": 30, "method": "tools/call", "params": {"name": "wait"}}"#
        let work = session.take(Array(call.utf8))
        async let answer = work()
        // The same number again, while the call has no answer.
        #expect(Self.code(try await Self.answer(call, session)) == -32_600)
        let cancel = #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 30}}"#
        #expect(try await Self.answer(cancel, session) == nil)
        #expect(await answer == nil)
        stopped.finish()
        for await _ in stops {}
        let next = #"{"jsonrpc": "2.0", "id": 30, "method": "tools/call", "params": {"name": "list"}}"#
        #expect(Self.member("result", of: try await Self.answer(next, session)) != nil)
    }

    @Test("a call that is cancelled before it begins does no work")
    func cancelledEarly() async throws {
        let session = AgentSession(Self.server())
        let call = #"{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "wait"}}"#
        let work = session.take(Array(call.utf8))
        let cancel = #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}}"#
        #expect(try await Self.answer(cancel, session) == nil)
        #expect(await work() == nil)
    }

    @Test("a report is structured content, too")
    func report() async {
        let tool = AgentTool("lab", "", output: AgentSchema.report) { _ in "# A report" }
        let result = await tool.call([:], .newest)
        #expect(Self.member("structuredContent", of: result) == .object(["report": .string("# A report")]))
        #expect(Self.member("content", of: result) != nil)
    }

    @Test("results with a schema have structured content from 2025-06-18 on")
    func structured() async throws {
        let call =
            #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list", "arguments": null}}"#
        let list = #"{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}"#
        for revision in AgentServer.Revision.allCases {
            let session = try await Self.begun(revision.rawValue)
            let result = try await Self.answer(call, session)
            let content = Self.member("result", "structuredContent", of: result)
            #expect((content == .object(["items": .array([.integer(1)])])) == (revision >= .v2025June))
            #expect((content == nil) == (revision < .v2025June))
            guard
                case .array(let tools)? = Self.member(
                    "result",
                    "tools",
                    of: try await Self.answer(list, session)
                )
            else {
                Issue.record("expected tools")
                continue
            }
            #expect(
                (Self.member("outputSchema", of: tools.first) == Self.page.json) == (revision >= .v2025June)
            )
            #expect(Self.member("outputSchema", of: tools.last) == nil)
            #expect((Self.member("annotations", of: tools.first) != nil) == (revision >= .v2025March))
        }
        let wrong =
            #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list", "arguments": {"x": 1}}}"#
        let refused = try await Self.answer(wrong, try await Self.begun("2025-11-25"))
        #expect(Self.member("result", "isError", of: refused) == .boolean(true))
        #expect(Self.member("result", "structuredContent", of: refused) == nil)
    }
}
