import PinholeModel

/// Answers agents by the Model Context Protocol: JSON-RPC 2.0, the revisions with an `initialize` handshake.
package final class AgentServer: Sendable {
    /// The revisions that are spoken, newest first.
    private static let revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    /// The codes of JSON-RPC 2.0 §5.1.
    private enum Code: Int64 {
        case parseError = -32_700
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParameters = -32_602
    }

    private let tools: [AgentTool]
    private let version: String
    private let instructions: String

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - tools: The tools.
    ///   - version: The version of Pinhole.
    ///   - instructions: What an agent needs to know before it calls a tool.
    package init(tools: [AgentTool], version: String, instructions: String) {
        self.tools = tools
        self.version = version
        self.instructions = instructions
    }

    /// Answers a message.
    ///
    /// - Parameter message: The JSON of one request or notification.
    /// - Returns: The JSON of the answer on one line; `nil` for a message without an answer.
    package func answer(_ message: [UInt8]) async -> [UInt8]? {
        let value: JSONValue
        do throws(DocumentFailure) {
            value = try JSONValue(parsing: message)
        } catch {
            return Self.failure(.null, .parseError, "expected JSON: \(error)")
        }
        guard case .object(let members) = value, case .string(let method)? = members["method"] else {
            // An answer to a request of ours, which are never sent, needs no answer.
            if case .object(let members) = value, members["result"] != nil || members["error"] != nil {
                return nil
            }
            return Self.failure(.null, .invalidRequest, "expected one request of JSON-RPC 2.0 with a method")
        }
        guard let id = members["id"], id != .null else { return nil }
        var parameters: [String: JSONValue] = [:]
        if case .object(let given)? = members["params"] { parameters = given }
        switch method {
        case "initialize": return Self.result(id, initialized(parameters))
        case "ping": return Self.result(id, .object([:]))
        case "tools/list": return Self.result(id, .object(["tools": .array(tools.map(\.declaration))]))
        case "tools/call": return await call(id, parameters)
        default: return Self.failure(id, .methodNotFound, "there is no method \(method.prefix(100))")
        }
    }

    private func initialized(_ parameters: [String: JSONValue]) -> JSONValue {
        var revision = Self.revisions[0]
        if case .string(let wanted)? = parameters["protocolVersion"], Self.revisions.contains(wanted) {
            revision = wanted
        }
        return .object([
            "protocolVersion": .string(revision),
            "capabilities": .object(["tools": .object([:])]),
            "serverInfo": .object(["name": .string("pinhole"), "version": .string(version)]),
            "instructions": .string(instructions),
        ])
    }

    private func call(_ id: JSONValue, _ parameters: [String: JSONValue]) async -> [UInt8] {
        guard case .string(let name)? = parameters["name"], let tool = tools.first(where: { $0.name == name })
        else {
            let names = tools.map(\.name).joined(separator: ", ")
            return Self.failure(id, .invalidParameters, "name: expected \(names)")
        }
        var values: [String: JSONValue] = [:]
        if case .object(let given)? = parameters["arguments"] { values = given }
        let (text, isError) = await tool.call(values)
        let content: JSONValue = .object(["type": .string("text"), "text": .string(text)])
        return Self.result(id, .object(["content": .array([content]), "isError": .boolean(isError)]))
    }

    private static func result(_ id: JSONValue, _ result: JSONValue) -> [UInt8] {
        text(["jsonrpc": .string("2.0"), "id": id, "result": result])
    }

    private static func failure(_ id: JSONValue, _ code: Code, _ message: String) -> [UInt8] {
        let error: JSONValue = .object(["code": .integer(code.rawValue), "message": .string(message)])
        return text(["jsonrpc": .string("2.0"), "id": id, "error": error])
    }

    private static func text(_ members: [String: JSONValue]) -> [UInt8] {
        var json = JSONText()
        json.value(.object(members))
        return json.take()
    }
}
