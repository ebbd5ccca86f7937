import PinholeModel

/// The tools that agents call by the Model Context Protocol (JSON-RPC 2.0, the revisions with an `initialize` handshake).
///
/// A server knows no client; each client has an ``AgentSession``.
package final class AgentServer: Sendable {
    /// A revision of the protocol, by its date.
    package enum Revision: String, Sendable, CaseIterable, Comparable {
        case v2024November = "2024-11-05"
        case v2025March = "2025-03-26"
        case v2025June = "2025-06-18"
        case v2025November = "2025-11-25"

        /// The newest revision.
        package static let newest = v2025November
        /// The revision of a client over HTTP that names none (revision 2025-06-18, “Protocol Version Header”).
        package static let unnamed = v2025March

        /// Whether several messages may come as one array; 2025-06-18 removed that.
        var hasBatches: Bool { self < .v2025June }
        /// Whether tools declare the structure of their results.
        var hasStructuredContent: Bool { self >= .v2025June }

        /// Whether a revision is older than another one.
        package static func < (one: Revision, other: Revision) -> Bool { one.rawValue < other.rawValue }
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

    /// Returns the result of `initialize`.
    func initialized(_ revision: Revision) -> JSONValue {
        .object([
            "protocolVersion": .string(revision.rawValue),
            "capabilities": .object(["tools": .object([:])]),
            "serverInfo": .object(["name": .string("pinhole"), "version": .string(version)]),
            "instructions": .string(instructions),
        ])
    }

    /// Returns the result of `tools/list`.
    func list(_ revision: Revision) -> JSONValue {
        .object(["tools": .array(tools.map { $0.declaration(revision) })])
    }

    /// Returns a tool; throws an error that names all of them if there is none.
    func tool(_ name: JSONValue?) throws(AgentError) -> AgentTool {
        if case .string(let name)? = name, let tool = tools.first(where: { $0.name == name }) { return tool }
        let names = tools.map(\.name).joined(separator: ", ")
        throw AgentError(.invalidParameters, "name: expected \(names)")
    }
}

/// An error that a client gets instead of a result.
struct AgentError: Error {
    /// The codes of JSON-RPC 2.0 §5.1.
    enum Code: Int64 {
        case parseError = -32_700
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParameters = -32_602
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    func answer(to id: RequestID) -> [UInt8] {
        id.answer("error", .object(["code": .integer(code.rawValue), "message": .string(message)]))
    }
}

/// The id of a request, which its answer repeats (JSON-RPC 2.0 §4).
struct RequestID: Hashable, Sendable {
    /// The id in the answer to a message whose id could not be read.
    static let unknown = RequestID(json: Array("null".utf8))

    /// The JSON of the id.
    ///
    /// A number stays as it came, because it may have more digits than a number in memory.
    private let json: [UInt8]

    private init(json: [UInt8]) { self.json = json }

    /// Creates an id from the member of a message; `nil` if that is no text and no number.
    ///
    /// - Parameters:
    ///   - value: The value of the member.
    ///   - literal: The JSON of the member as it came.
    init?(_ value: JSONValue?, _ literal: ArraySlice<UInt8>?) {
        switch value {
        case .integer?, .number?:
            guard let literal else { return nil }
            json = Array(literal)
        case .string?:
            var text = JSONText()
            text.value(value ?? .null)
            json = text.take()
        case .null?, .boolean?, .array?, .object?, nil: return nil
        }
    }

    /// Returns the JSON of an answer, on one line.
    func answer(_ name: String, _ value: JSONValue) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.member("jsonrpc", "2.0")
            text.member("id", json: json[...])
            text.name(name)
            text.value(value)
        }
        return text.take()
    }
}
