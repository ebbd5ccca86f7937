package import PinholeModel

/// The content of a request or of an answer, by its media types and its schema.
package struct ConsoleContent: Sendable {
    /// The status of an answer.
    var status = 200
    /// The description of an answer.
    var meaning = ""
    /// The media types; none for an answer without content.
    var types: [String] = []
    /// The header fields of an answer, with their schemas.
    var fields: [String: JSONSchema] = [:]
    /// Whether a request needs its body.
    var isRequired = true
    /// Returns the schema of the content.
    var schema: @Sendable (SchemaBook) throws -> JSONSchema = { _ in .bytes }
    /// Returns the names of the members that a request may have; `nil` if others are not refused.
    ///
    /// A type is asked for them when a request comes, since all of them together would take 8 ms of each start.
    var members: @Sendable () -> Set<String>? = { nil }

    /// An answer whose members a type declares.
    package static func json<Value: Decodable & SendableMetatype>(
        _ type: Value.Type,
        _ meaning: String,
        status: Int = 200
    ) -> ConsoleContent {
        ConsoleContent(status: status, meaning: meaning, types: ["application/json"]) {
            try $0.schema(of: type)
        }
    }

    /// An answer with a schema that is written by hand.
    package static func json(_ schema: JSONSchema, _ meaning: String) -> ConsoleContent {
        ConsoleContent(meaning: meaning, types: ["application/json"]) { $0.use(schema) }
    }

    /// An answer that is no JSON.
    package static func bytes(
        _ type: String,
        _ meaning: String,
        status: Int = 200,
        schema: JSONSchema = .bytes,
        fields: [String: JSONSchema] = [:]
    ) -> ConsoleContent {
        ConsoleContent(status: status, meaning: meaning, types: [type], fields: fields) { _ in schema }
    }

    /// An answer without content.
    package static func none(_ meaning: String, status: Int = 204) -> ConsoleContent {
        ConsoleContent(status: status, meaning: meaning)
    }

    /// The body of a request, whose members a schema names.
    package static func body(_ schema: JSONSchema, isRequired: Bool = true) -> ConsoleContent {
        ConsoleContent(
            types: ["application/json"],
            isRequired: isRequired,
            schema: { $0.use(schema) },
            members: { schema.isClosed ? schema.names : nil }
        )
    }

    /// The body of a request, whose members a type declares; others are refused.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - isRequired: Whether a request needs its body.
    ///   - change: Returns the members of the body, if they are not those of the type.
    /// - Returns: The body.
    package static func body<Order: Decodable & SendableMetatype>(
        of type: Order.Type,
        isRequired: Bool = true,
        _ change: (@Sendable (JSONSchema) -> JSONSchema)? = nil
    ) -> ConsoleContent {
        ConsoleContent(
            types: ["application/json"],
            isRequired: isRequired,
            schema: { try change?($0.members(of: type)) ?? $0.schema(of: type) },
            members: {
                // A type that cannot be described has no members, so that its mistake is seen at the first request.
                (try? SchemaBook().members(of: type)).map { (change?($0) ?? $0).names } ?? []
            }
        )
    }

    /// The body of a request that is a file.
    package static let file = ConsoleContent(types: ["application/octet-stream"])
}
