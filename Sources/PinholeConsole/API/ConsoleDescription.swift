import PinholeModel
import PinholeSession

/// The description of the API (OpenAPI 3.1), from the declarations of the routes and of the types that they name.
enum ConsoleDescription {
    /// Returns the description of routes.
    static func document(_ routes: [ConsoleRoute]) throws -> JSONValue {
        let book = SchemaBook()
        var paths: [String: JSONValue] = [:]
        for route in routes { paths[route.pattern] = try path(route, book) }
        let problem = try book.schema(of: Problem.Document.self)
        return .object([
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string("The control API of Pinhole"), "version": .string("1"),
                "description": .string(
                    "Served on loopback by pinhole proxy and pinhole console. A request needs the token in the file "
                        + "beside the capture."
                ),
            ]),
            "servers": .array([.object(["url": .string("http://127.0.0.1:8081")])]),
            "security": .array([.object(["bearer": .array([])]), .object(["cookie": .array([])])]),
            "paths": .object(paths),
            "components": .object([
                "securitySchemes": .object(securitySchemes),
                "responses": .object(refusals.mapValues { response($0, problem) }),
                "schemas": .object(book.schemas.mapValues(\.json)),
            ]),
        ])
    }

    private static let securitySchemes: [String: JSONValue] = [
        "bearer": .object(["type": .string("http"), "scheme": .string("bearer")]),
        "cookie": .object([
            "type": .string("apiKey"), "in": .string("cookie"), "name": .string("pinhole-token-8081"),
            "description": .string("The name ends with the port; GET /?token=TOKEN sets it."),
        ]),
    ]

    /// The problems that have a description of their own.
    private static let refusals = [
        "Problem": "The reason for the failure.",
        "BadRequest":
            "A parameter or the body has another form than expected, or the query has an unknown parameter.",
        "TokenNeeded":
            "The token is missing, or belongs to another console; WWW-Authenticate names the scheme.",
        "ForeignPage": "The request comes from another site's page.",
        "Misdirected": "Host is not the console's own.",
    ]

    /// The problems that every operation may have, by their status.
    private static let common = [
        "400": "BadRequest", "401": "TokenNeeded", "403": "ForeignPage", "421": "Misdirected",
        "default": "Problem",
    ]

    private static func response(_ meaning: String, _ problem: JSONSchema) -> JSONValue {
        .object([
            "description": .string(meaning),
            "content": .object(["application/problem+json": .object(["schema": problem.json])]),
        ])
    }

    private static func path(_ route: ConsoleRoute, _ book: SchemaBook) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        let parameters = route.parameters.map(json)
        if !parameters.isEmpty { members["parameters"] = .array(parameters) }
        for (method, operation) in route.methods { members[method.lowercased()] = try json(operation, book) }
        return .object(members)
    }

    private static func json(_ parameter: ConsoleParameter) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(parameter.name), "in": .string(parameter.place), "schema": parameter.schema.json,
        ]
        if parameter.isRequired { members["required"] = .boolean(true) }
        return .object(members)
    }

    private static func json(_ operation: ConsoleOperation, _ book: SchemaBook) throws -> JSONValue {
        var responses = common.mapValues(reference)
        for status in operation.problems { responses["\(status)"] = reference("Problem") }
        for answer in operation.answers {
            var members: [String: JSONValue] = ["description": .string(answer.meaning)]
            if !answer.types.isEmpty { members["content"] = try json(answer, book) }
            if !answer.fields.isEmpty {
                members["headers"] = .object(answer.fields.mapValues { .object(["schema": $0.json]) })
            }
            responses["\(answer.status)"] = .object(members)
        }
        var members: [String: JSONValue] = [
            "summary": .string(operation.summary), "responses": .object(responses),
        ]
        members["description"] = operation.details.map(JSONValue.string)
        if !operation.described.isEmpty { members["parameters"] = .array(operation.described.map(json)) }
        if let body = operation.body {
            members["requestBody"] = .object([
                "required": .boolean(body.isRequired), "content": try json(body, book),
            ])
        }
        return .object(members)
    }

    private static func reference(_ name: String) -> JSONValue {
        .object(["$ref": .string("#/components/responses/\(name)")])
    }

    private static func json(_ content: ConsoleContent, _ book: SchemaBook) throws -> JSONValue {
        let schema = try content.schema(book).json
        return .object(
            Dictionary(content.types.map { ($0, JSONValue.object(["schema": schema])) }) { first, _ in first }
        )
    }
}
