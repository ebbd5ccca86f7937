/// A schema of JSON (JSON Schema 2020-12), as the description of the API and the tools of agents have it.
package struct JSONSchema: Sendable, Equatable {
    /// The name under which a description lists the schema once; `nil` for a schema that stands where it is used.
    package private(set) var name: String?
    private var keywords: [String: JSONValue]

    private init(_ keywords: [String: JSONValue]) { self.keywords = keywords }

    private init(_ type: String, format: String? = nil) {
        keywords = ["type": .string(type)]
        keywords["format"] = format.map(JSONValue.string)
    }

    /// The schema that every value fits.
    package static let any = JSONSchema([:])
    /// A string of any length.
    package static let text = JSONSchema("string")
    /// True or false.
    package static let flag = JSONSchema("boolean")
    /// A number, perhaps with a fraction.
    package static let number = JSONSchema("number")
    /// A whole number of 64 bits.
    package static let integer = JSONSchema("integer", format: "int64")
    /// A whole number of fewer bits.
    package static let small = JSONSchema("integer")
    /// The bytes of a body.
    package static let bytes = JSONSchema("string", format: "binary")
    /// An object whose members the description does not name.
    package static let object = JSONSchema("object")

    /// A text that is one of several.
    package static func choice(_ values: [String]) -> JSONSchema { text.keyword("enum", .texts(values)) }

    /// Returns the schema of an array whose elements have one schema.
    package static func list(of element: JSONSchema) -> JSONSchema {
        JSONSchema("array").keyword("items", element.json)
    }

    /// An object whose members have any names.
    package static func map(of element: JSONSchema) -> JSONSchema {
        object.keyword("additionalProperties", element.json)
    }

    /// A value by one of several schemas.
    package static func either(_ schemas: JSONSchema...) -> JSONSchema {
        JSONSchema(["oneOf": .array(schemas.map(\.json))])
    }

    /// An object.
    ///
    /// - Parameters:
    ///   - members: The schemas of its members.
    ///   - required: The names of the members that are always there.
    ///   - isClosed: Whether other members are refused.
    /// - Returns: The schema.
    package static func object(
        _ members: [String: JSONSchema],
        required: [String] = [],
        isClosed: Bool = false
    ) -> JSONSchema {
        var schema = object.keyword("properties", .object(members.mapValues(\.json)))
        if !required.isEmpty { schema.keywords["required"] = .texts(required) }
        if isClosed { schema.keywords["additionalProperties"] = .boolean(false) }
        return schema
    }

    /// The schema that a description lists under a name.
    package static func reference(_ name: String) -> JSONSchema {
        JSONSchema(["$ref": .string("#/components/schemas/\(name)")])
    }

    /// The schema as JSON.
    package var json: JSONValue { .object(keywords) }

    /// The names of an object's members.
    package var names: Set<String> {
        guard case .object(let members)? = keywords["properties"] else { return [] }
        return Set(members.keys)
    }

    /// Whether an object has no other members than those of the schema.
    package var isClosed: Bool { keywords["additionalProperties"] == .boolean(false) }

    /// Returns the schema with a keyword.
    package func keyword(_ name: String, _ value: JSONValue) -> JSONSchema {
        var schema = self
        schema.keywords[name] = value
        return schema
    }

    /// Returns the schema with a description.
    package func meaning(_ text: String) -> JSONSchema { keyword("description", .string(text)) }

    /// Returns the schema of a whole number with its bounds.
    package func range(_ bounds: ClosedRange<Int64>, default value: Int64? = nil) -> JSONSchema {
        let bounded = keyword("minimum", .integer(bounds.lowerBound))
        let schema =
            bounds.upperBound < .max ? bounded.keyword("maximum", .integer(bounds.upperBound)) : bounded
        return value.map { schema.keyword("default", .integer($0)) } ?? schema
    }

    /// Returns the schema of a text that is a time (RFC 3339), or bytes in Base64.
    package func format(_ format: FieldFormat) -> JSONSchema {
        keyword("format", .string(format.rawValue))
    }

    /// Returns the schema of a value that may also be null, or of another type.
    package func or(_ type: String) -> JSONSchema {
        keyword("type", .array([keywords["type"] ?? .null, .string(type)]))
    }

    /// Returns the schema under a name.
    package func named(_ name: String) -> JSONSchema {
        var schema = self
        schema.name = name
        return schema
    }

    /// Returns the schema of an object that may lack each of its members.
    package var optional: JSONSchema {
        var schema = self
        schema.keywords["required"] = nil
        return schema
    }

    /// Returns the schema of an object without some of its members.
    package func lacking(_ names: Set<String>) -> JSONSchema {
        var schema = self
        if case .object(let members)? = keywords["properties"] {
            schema.keywords["properties"] = .object(members.filter { !names.contains($0.key) })
        }
        if case .array(let required)? = keywords["required"] {
            schema.keywords["required"] = .array(
                required.filter { !names.map(JSONValue.string).contains($0) }
            )
        }
        return schema
    }

    /// Returns the schema of an object with the members of another one as well.
    package func merging(_ other: JSONSchema) -> JSONSchema {
        func members(_ schema: JSONSchema) -> [String: JSONValue] {
            if case .object(let members)? = schema.keywords["properties"] { members } else { [:] }
        }
        func required(_ schema: JSONSchema) -> [JSONValue] {
            if case .array(let names)? = schema.keywords["required"] { names } else { [] }
        }
        let merged = keyword(
            "properties",
            .object(members(self).merging(members(other)) { first, _ in first })
        )
        let names = required(self) + required(other)
        return names.isEmpty ? merged : merged.keyword("required", .array(names))
    }

    /// Returns the schema with what a type says of its members.
    ///
    /// - Parameter fields: The members; each name is one of the schema's.
    /// - Returns: The schema.
    /// - Throws: ``DocumentFailure`` with a name that is none.
    package func described(by fields: [FieldJSON]) throws(DocumentFailure) -> JSONSchema {
        guard case .object(var members)? = keywords["properties"] else { return self }
        for field in fields {
            guard case .object(let member)? = members[field.name] else {
                throw DocumentFailure(path: field.name, expected: "a member", found: "another name")
            }
            members[field.name] = JSONSchema(member).described(by: field).json
        }
        return keyword("properties", .object(members))
    }

    /// Returns the schema of a member with what a table of fields says of it.
    package func described(by field: FieldJSON) -> JSONSchema {
        var schema = field.meaning.isEmpty ? self : meaning(field.meaning)
        if let format = field.format { schema = schema.format(format) }
        guard let values = field.values else { return schema }
        guard case .object(let items)? = keywords["items"] else {
            return schema.keyword("enum", .texts(values))
        }
        return schema.keyword("items", JSONSchema(items).keyword("enum", .texts(values)).json)
    }
}

extension JSONValue {
    /// Creates a list of texts.
    package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
