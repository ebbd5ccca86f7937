import PinholeLock
import PinholeModel

/// The conversation with one client of an ``AgentServer``.
///
/// Messages are taken in their order, so that a cancellation finds the call that it means. The calls themselves run
/// side by side, and their answers may come in any order.
package final class AgentSession: Sendable {
    /// Answers a message; `nil` for a message without a response.
    package typealias Work = @Sendable () async -> [UInt8]?

    /// The requests of one array that are answered.
    private static let batchLimit = 100
    /// The member of a cancellation that has the id of the call.
    private static let cancelled = "requestId"

    /// A call of a tool that has no answer yet.
    private final class Call: Sendable {
        private let state = Lock((task: Task<JSONValue, Never>?.none, isCancelled: false))

        /// Whether the client does not want the answer any more.
        var isCancelled: Bool { state.withLock(\.isCancelled) }

        /// Stops the work; its result is thrown away.
        func cancel() {
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }

        /// Runs the work, unless the call was cancelled.
        func run(_ work: @escaping @Sendable () async -> JSONValue) async -> JSONValue? {
            let task = state.withLock { state -> Task<JSONValue, Never>? in
                guard !state.isCancelled else { return nil }
                let task = Task { await work() }
                state.task = task
                return task
            }
            guard let task else { return nil }
            let result = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                cancel()
            }
            return isCancelled ? nil : result
        }
    }

    private struct State {
        /// The revision that `initialize` has agreed on; `nil` before that.
        var revision: AgentServer.Revision?
        var calls: [RequestID: Call] = [:]
    }

    private let server: AgentServer
    private let state: Lock<State>
    /// Whether each message comes with its revision, as over HTTP, and nothing is kept between messages.
    private let isStateless: Bool

    /// Begins a conversation.
    ///
    /// - Parameters:
    ///   - server: The tools.
    ///   - revision: The revision that the transport names; `nil` if `initialize` agrees on one.
    package init(_ server: AgentServer, _ revision: AgentServer.Revision? = nil) {
        self.server = server
        state = Lock(State(revision: revision))
        isStateless = revision != nil
    }

    private var revision: AgentServer.Revision { state.withLock { $0.revision } ?? .newest }

    /// Takes the next message.
    ///
    /// - Parameter message: The JSON of a request, a notification, an answer, or an array of them.
    /// - Returns: The work that answers it, with JSON on one line.
    package func take(_ message: [UInt8]) -> Work {
        do throws(DocumentFailure) {
            let (value, id) = try JSONValue.parse(message, quoting: "id", literals: [Self.cancelled])
            guard case .array(let messages) = value else {
                return take(value, id, message, inBatch: false) ?? { nil }
            }
            return try take(messages.count, in: message)
        } catch {
            return Self.now(AgentError(.parseError, "expected JSON: \(error)"))
        }
    }

    /// Returns the answer to a message that is longer than what is read of it.
    package static func tooLong(_ limit: Int) -> [UInt8] {
        AgentError(.invalidRequest, "a message may have at most \(limit) bytes").answer(to: .unknown)
    }

    /// Takes the messages of an array.
    private func take(_ count: Int, in array: [UInt8]) throws(DocumentFailure) -> Work {
        let revision = revision
        guard revision.hasBatches else {
            let problem = "expected one message: the revision \(revision.rawValue) has no arrays of messages"
            return Self.now(AgentError(.invalidRequest, problem))
        }
        guard (1...Self.batchLimit).contains(count) else {
            let problem = "expected 1 to \(Self.batchLimit) messages in an array, found \(count)"
            return Self.now(AgentError(.invalidRequest, problem))
        }
        var work: [Work] = []
        for message in Self.elements(of: array) {
            let (value, id) = try JSONValue.parse(message, quoting: "id", literals: [Self.cancelled])
            if let answer = take(value, id, message, inBatch: true) { work.append(answer) }
        }
        return { [work] in
            var answers: [[UInt8]] = []
            for answer in work { if let answer = await answer() { answers.append(answer) } }
            return answers.isEmpty ? nil : [0x5b] + answers.joined(separator: [0x2c]) + [0x5d]
        }
    }

    /// Returns the texts of the elements of an array, which is valid JSON and not empty.
    private static func elements(of array: [UInt8]) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        var (start, depth) = (0, 0)
        var (isText, isEscaped) = (false, false)
        for (position, byte) in array.enumerated() {
            if isText {
                if !isEscaped, byte == 0x22 { isText = false }
                isEscaped = !isEscaped && byte == 0x5c
                continue
            }
            switch byte {
            case 0x22: isText = true
            case 0x5b, 0x7b:
                depth += 1
                if depth == 1 { start = position + 1 }
            case 0x5d, 0x7d:
                depth -= 1
                if depth == 0 { elements.append(Array(array[start..<position])) }
            case 0x2c where depth == 1:
                elements.append(Array(array[start..<position]))
                start = position + 1
            default: break
            }
        }
        return elements
    }

    /// Takes one message; `nil` if it has no answer.
    ///
    /// - Parameters:
    ///   - value: The message.
    ///   - id: The JSON of its id.
    ///   - text: The JSON of the message.
    ///   - inBatch: Whether it came in an array.
    /// - Returns: The work that answers it.
    private func take(
        _ value: JSONValue,
        _ id: ArraySlice<UInt8>?,
        _ text: [UInt8],
        inBatch: Bool
    ) -> Work? {
        guard case .object(let members) = value else {
            return Self.now(AgentError(.invalidRequest, "expected an object, found \(value.summary)"))
        }
        // An answer to a request of ours, which are never sent, needs no answer.
        if members["method"] == nil, members["result"] != nil || members["error"] != nil { return nil }
        let number = RequestID(members["id"], id)
        do throws(AgentError) {
            let method = try Self.method(members, number)
            guard let number else {
                if method == "notifications/cancelled" { cancel(text) }
                return nil
            }
            let parameters = try Self.object(members["params"], "params")
            if method == "tools/call" { return try call(number, parameters) }
            let result = try result(of: method, parameters, inBatch: inBatch)
            return { number.answer("result", result) }
        } catch {
            return Self.now(error, number ?? .unknown)
        }
    }

    /// Checks what each request and notification must have, and returns its method.
    private static func method(
        _ members: [String: JSONValue],
        _ number: RequestID?
    ) throws(AgentError) -> String {
        guard members["jsonrpc"] == .string("2.0") else {
            throw AgentError(.invalidRequest, "jsonrpc: expected “2.0”")
        }
        if let id = members["id"], number == nil {
            throw AgentError(.invalidRequest, "id: expected a text or a number, found \(id.summary)")
        }
        guard case .string(let method)? = members["method"] else {
            throw AgentError(.invalidRequest, "method: expected a text")
        }
        return method
    }

    /// Returns the members of an object; none if it is missing.
    private static func object(
        _ value: JSONValue?,
        _ name: String
    ) throws(AgentError) -> [String: JSONValue] {
        switch value {
        case nil, .null?: [:]
        case .object(let members)?: members
        case let value?:
            throw AgentError(.invalidParameters, "\(name): expected an object, found \(value.summary)")
        }
    }

    private func result(
        of method: String,
        _ parameters: [String: JSONValue],
        inBatch: Bool
    ) throws(AgentError) -> JSONValue {
        switch method {
        case "initialize":
            guard !inBatch else {
                throw AgentError(.invalidRequest, "initialize: expected it as a message of its own")
            }
            return server.initialized(try agree(parameters["protocolVersion"]))
        case "ping": return .object([:])
        case "tools/list":
            if let cursor = parameters["cursor"], cursor != .null {
                throw AgentError(.invalidParameters, "cursor: all tools are on the first page")
            }
            return server.list(revision)
        default:
            throw AgentError(
                .methodNotFound,
                "there is no method \(TerminalText.quoted(method, longest: 100))"
            )
        }
    }

    /// Agrees on the client's revision; on the newest if that is not known.
    private func agree(_ wanted: JSONValue?) throws(AgentError) -> AgentServer.Revision {
        guard case .string(let wanted)? = wanted else {
            throw AgentError(
                .invalidParameters,
                "protocolVersion: expected a revision such as \(AgentServer.Revision.newest.rawValue)"
            )
        }
        let revision = AgentServer.Revision(rawValue: wanted) ?? .newest
        guard !isStateless else { return revision }
        let isFirst = state.withLock { state in
            defer { state.revision = state.revision ?? revision }
            return state.revision == nil
        }
        guard isFirst else { throw AgentError(.invalidRequest, "initialize: the session has begun already") }
        return revision
    }

    private func cancel(_ text: [UInt8]) {
        guard let parameters = JSONValue.readable("params", of: text, literals: [Self.cancelled]),
            let (value, literal) = try? JSONValue.parse(Array(parameters), quoting: Self.cancelled),
            case .object(let members) = value, let id = RequestID(members[Self.cancelled], literal)
        else { return }
        state.withLock { $0.calls[id] }?.cancel()
    }

    private func call(
        _ id: RequestID,
        _ parameters: [String: JSONValue]
    ) throws(AgentError) -> Work {
        let tool = try server.tool(parameters["name"])
        let values = try Self.object(parameters["arguments"], "arguments")
        let call = Call()
        let isNew = state.withLock { state in
            guard state.calls[id] == nil else { return false }
            state.calls[id] = call
            return true
        }
        guard isNew else { throw AgentError(.invalidRequest, "id: a call with this id has no answer yet") }
        let revision = revision
        return { [self] in
            defer { state.withLock { $0.calls[id] = nil } }
            return await call.run { await tool.call(values, revision) }.map { id.answer("result", $0) }
        }
    }

    private static func now(_ error: AgentError, _ id: RequestID = .unknown) -> Work {
        { error.answer(to: id) }
    }
}
