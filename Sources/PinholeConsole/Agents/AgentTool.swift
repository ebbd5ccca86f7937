package import PinholeModel

/// A tool that an agent may call by the Model Context Protocol.
package struct AgentTool: Sendable {
    /// The reason why a call has no result, in words that help the agent to call again.
    package struct Refusal: Error, CustomStringConvertible {
        /// The expectation, the finding and the remedy.
        package let description: String

        /// Creates a refusal.
        package init(_ description: String) { self.description = description }
    }

    /// A parameter of a tool.
    package struct Parameter: Sendable {
        let name: String
        /// The schema of its values, with their meaning.
        let schema: JSONSchema
        let isRequired: Bool

        /// Creates a parameter.
        package init(_ name: String, _ type: JSONSchema, _ meaning: String, isRequired: Bool = false) {
            self.name = name
            schema = type.meaning(meaning)
            self.isRequired = isRequired
        }
    }

    /// The values that an agent gave for the parameters.
    package struct Arguments: Sendable {
        private let values: [String: JSONValue]

        /// Takes the values of a call.
        package init(_ values: [String: JSONValue]) { self.values = values }

        /// Returns a text; `nil` if there is none.
        package func text(_ name: String) throws(Refusal) -> String? {
            switch values[name] {
            case nil, .null: return nil
            case .string(let text)?: return text
            case let value?: throw Refusal("\(name): expected a text, found \(value.summary)")
            }
        }

        /// Returns a number in a range; `nil` if there is none.
        package func number(
            _ name: String,
            in range: ClosedRange<Int64> = FieldRange.ids
        ) throws(Refusal) -> Int64? {
            guard let value = values[name], value != .null else { return nil }
            let number: Int64? =
                switch value {
                case .integer(let number): number
                // A whole number may have a fraction of zero (JSON Schema 2020-12, core §4.2.3).
                case .number(let number): Int64(exactly: number)
                default: nil
                }
            guard let number, range.contains(number) else {
                throw Refusal(
                    "\(name): expected \(range.lowerBound) to \(range.upperBound), found \(value.summary)"
                )
            }
            return number
        }

        /// Returns the number of an exchange or a flow, which must be given.
        package func id() throws(Refusal) -> Int64 {
            guard let id = try number("id") else { throw Refusal("id: expected a number, found none") }
            return id
        }

        /// Returns whether a flag is set; `nil` if it is not given.
        package func flag(_ name: String) throws(Refusal) -> Bool? {
            switch values[name] {
            case nil, .null: return nil
            case .boolean(let flag)?: return flag
            case let value?: throw Refusal("\(name): expected true or false, found \(value.summary)")
            }
        }
    }

    /// The name by which the agent calls the tool.
    package let name: String
    private let description: String
    private let parameters: [Parameter]
    private let isReadOnly: Bool
    /// The JSON schema of the results; `nil` for results that are text.
    let output: JSONSchema?
    private let work: @Sendable (Arguments) async throws -> String

    /// Creates a tool.
    ///
    /// - Parameters:
    ///   - name: The name by which the agent calls the tool.
    ///   - description: What the tool does, for the agent.
    ///   - parameters: The parameters.
    ///   - isReadOnly: Whether a call changes nothing.
    ///   - output: The JSON schema of the results, which are objects then; `nil` for results that are text.
    ///   - work: Returns the result, as text or JSON.
    package init(
        _ name: String,
        _ description: String,
        _ parameters: [Parameter] = [],
        isReadOnly: Bool = true,
        output: JSONSchema? = nil,
        work: @escaping @Sendable (Arguments) async throws -> String
    ) {
        self.name = name
        self.description = description
        self.parameters = parameters
        self.isReadOnly = isReadOnly
        self.output = output
        self.work = work
    }

    /// Returns the declaration of the tool, with the JSON schemas of its parameters and of its results.
    func declaration(_ revision: AgentServer.Revision) -> JSONValue {
        let input = JSONSchema.object(
            Dictionary(parameters.map { ($0.name, $0.schema) }) { first, _ in first },
            required: parameters.filter(\.isRequired).map(\.name),
            isClosed: true
        )
        var members: [String: JSONValue] = [
            "name": .string(name), "description": .string(description), "inputSchema": input.json,
        ]
        if revision >= .v2025March {
            members["annotations"] = .object(["readOnlyHint": .boolean(isReadOnly)])
        }
        if revision.hasStructuredContent, let output { members["outputSchema"] = output.json }
        return .object(members)
    }

    /// Calls the tool.
    ///
    /// - Parameters:
    ///   - values: The values of the parameters.
    ///   - revision: The revision that the client speaks.
    /// - Returns: The result of `tools/call`.
    func call(_ values: [String: JSONValue], _ revision: AgentServer.Revision) async -> JSONValue {
        let (text, isError) = await call(values)
        let content: JSONValue = .object(["type": .string("text"), "text": .string(text)])
        var members: [String: JSONValue] = ["content": .array([content]), "isError": .boolean(isError)]
        if !isError, output != nil, revision.hasStructuredContent {
            members["structuredContent"] = Self.structured(text)
        }
        return .object(members)
    }

    /// Returns the object that a tool returned, or an object with the report (``AgentSchema/report``).
    private static func structured(_ text: String) -> JSONValue {
        if let value = try? JSONValue(parsing: Array(text.utf8)), case .object = value { return value }
        return .object(["report": .string(text)])
    }

    /// Calls the tool.
    ///
    /// - Parameter values: The values of the parameters.
    /// - Returns: The result, and whether it is an error for the agent.
    func call(_ values: [String: JSONValue]) async -> (text: String, isError: Bool) {
        let known = parameters.map(\.name)
        if let unknown = values.keys.sorted().first(where: { !known.contains($0) }) {
            let names = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
            return ("expected \(names), found “\(unknown)”", true)
        }
        do {
            return (try await work(Arguments(values)), false)
        } catch {
            return ("\(error)", true)
        }
    }
}
