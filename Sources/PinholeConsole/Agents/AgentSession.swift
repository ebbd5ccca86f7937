import PinholeLock
import PinholeModel

/// The conversation with one client of an ``AgentServer``.
///
/// Messages are taken in their order, so that a cancellation finds the call that it means. The calls themselves run
/// side by side, and their answers may come in any order.
package final class AgentSession: Sendable {
    /// Answers a message; `nil` for a message without an answer.
    package typealias Work = @Sendable () async -> [UInt8]?

    /// The requests of one array that are answered.
    private static let batchLimit = 100

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
        var calls: [JSONValue: Call] = [:]
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
        let value: JSONValue
        do throws(DocumentFailure) {
            value = try JSONValue(parsing: message)
        } catch {
            return Self.now(AgentError(.parseError, "expected JSON: \(error)").answer(to: .null))
        }
        guard case .array(let messages) = value else {
            guard let answer = take(value, inBatch: false) else { return { nil } }
            return { await answer().map(Self.text) }
        }
        return take(messages)
    }

    /// Returns the answer to a message that is longer than what is read of it.
    package static func tooLong(_ limit: Int) -> [UInt8] {
        text(AgentError(.invalidRequest, "a message may have at most \(limit) bytes").answer(to: .null))
    }

    private func take(_ messages: [JSONValue]) -> Work {
        let revision = revision
        guard revision.hasBatches else {
            let problem = "expected one message: the revision \(revision.rawValue) has no arrays of messages"
            return Self.now(AgentError(.invalidRequest, problem).answer(to: .null))
        }
        guard !messages.isEmpty, messages.count <= Self.batchLimit else {
            let problem = "expected 1 to \(Self.batchLimit) messages in an array, found \(messages.count)"
            return Self.now(AgentError(.invalidRequest, problem).answer(to: .null))
        }
        let work = messages.compactMap { take($0, inBatch: true) }
        return {
            var answers: [JSONValue] = []
            for answer in work { if let answer = await answer() { answers.append(answer) } }
            return answers.isEmpty ? nil : Self.text(.array(answers))
        }
    }

    /// Takes one message; `nil` if it has no answer.
    private func take(_ value: JSONValue, inBatch: Bool) -> (@Sendable () async -> JSONValue?)? {
        guard case .object(let members) = value else {
            let error = AgentError(.invalidRequest, "expected an object, found \(value.summary)")
            return { error.answer(to: .null) }
        }
        // An answer to a request of ours, which are never sent, needs no answer.
        if members["method"] == nil, members["result"] != nil || members["error"] != nil { return nil }
        do throws(AgentError) {
            let method = try Self.method(members)
            guard let id = members["id"] else {
                if method == "notifications/cancelled" { cancel(members["params"]) }
                return nil
            }
            let parameters = try Self.object(members["params"], "params")
            if method == "tools/call" { return try call(id, parameters) }
            let result = try result(of: method, parameters, inBatch: inBatch)
            return { .object(["jsonrpc": .string("2.0"), "id": id, "result": result]) }
        } catch {
            let id = Self.number(members)
            return { error.answer(to: id) }
        }
    }

    /// The number of a request; `null` if it has none that can be repeated.
    private static func number(_ members: [String: JSONValue]) -> JSONValue {
        switch members["id"] {
        case .string(let text)?: .string(text)
        case .integer(let number)?: .integer(number)
        case .number(let number)?: .number(number)
        case .null?, .boolean?, .array?, .object?, nil: .null
        }
    }

    /// Checks what each request and notification must have, and returns its method.
    private static func method(_ members: [String: JSONValue]) throws(AgentError) -> String {
        guard members["jsonrpc"] == .string("2.0") else {
            throw AgentError(.invalidRequest, "jsonrpc: expected “2.0”")
        }
        if let id = members["id"], number(members) == .null {
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

    private func cancel(_ parameters: JSONValue?) {
        guard case .object(let parameters)? = parameters, let id = parameters["requestId"] else { return }
        state.withLock { $0.calls[id] }?.cancel()
    }

    private func call(
        _ id: JSONValue,
        _ parameters: [String: JSONValue]
    ) throws(AgentError) -> @Sendable () async -> JSONValue? {
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
            return await call.run {
                let result = await tool.call(values, revision)
                return .object(["jsonrpc": .string("2.0"), "id": id, "result": result])
            }
        }
    }

    private static func now(_ answer: JSONValue) -> Work { { text(answer) } }

    private static func text(_ value: JSONValue) -> [UInt8] {
        var json = JSONText()
        json.value(value)
        return json.take()
    }
}
