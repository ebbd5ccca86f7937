import PinholeFormats
import PinholeModel
import PinholeStore

/// A parameter of a request, with its schema.
package struct ConsoleParameter: Sendable {
    /// The name in the query, the path or the head.
    let name: String
    /// The schema of its values, with the meaning.
    let schema: JSONSchema
    /// Whether the request needs it.
    var isRequired = false
    /// The part of the request that has it, by its word in OpenAPI.
    var place = "query"

    private init(_ name: String, _ schema: JSONSchema, _ meaning: String? = nil) {
        self.name = name
        self.schema = meaning.map(schema.meaning) ?? schema
    }

    /// Creates the parameter that a part of a path in braces is.
    static func path(_ name: String, _ meaning: String?) -> ConsoleParameter {
        var parameter = ConsoleParameter(name, name == "id" ? .integer : .text, meaning)
        (parameter.place, parameter.isRequired) = ("path", true)
        return parameter
    }

    /// The parameter, which the request needs.
    var required: ConsoleParameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }

    static func text(_ name: String, _ meaning: String? = nil) -> ConsoleParameter {
        .init(name, .text, meaning)
    }

    static func number(_ name: String, _ meaning: String? = nil) -> ConsoleParameter {
        .init(name, .integer, meaning)
    }

    /// Creates a parameter that is one of a few words.
    package static func choice(
        _ name: String,
        _ values: [String],
        _ meaning: String? = nil
    ) -> ConsoleParameter {
        .init(name, .choice(values), meaning)
    }

    static func limit(_ most: Int) -> ConsoleParameter {
        .init("limit", .integer.range(1...Int64(most), default: 200), "The number of items at most.")
    }

    static let filter = text(
        "filter",
        "The filter of the exchanges and flows, as docs/FILTERS.md describes it; empty for all."
    )
    static let ids = text("ids", "Numbers between commas, at most \(ConsoleLimits().page).")
    static let before = number("before", "Only items with a lower number.")
    static let within = ConsoleParameter(
        "within",
        .integer.range(1...60_000),
        "Milliseconds after which a search answers with the items found so far; “more” is then true."
    )
    static let sort = choice(
        "sort",
        TrafficSort.Key.allCases.map(\.rawValue),
        "The field that sorts them; without it they stand by number. Equal ones stand by number, in the same "
            + "direction, and items without a value come last, in both."
    )
    static let order = ConsoleParameter(
        "order",
        .choice(["ascending", "descending"]).keyword("default", .string("ascending")),
        "The direction, beside sort."
    )
    static let decoded = choice("decoded", ["0", "1"], "Whether content codings are removed.")
    static let length = ConsoleParameter(
        "length",
        .integer.keyword("default", .integer(1 << 20)),
        "Bytes at most, up to \(ConsoleLimits().bodyPiece)."
    )
    static let protobuf = choice(
        "as",
        ["protobuf"],
        "“protobuf”: the message of Protocol Buffers that the body is, without its content codings, as JSON. Fields "
            + "have names if the files of --proto declare the message that the path or the Content-Type denotes; else "
            + "they are by number."
    )
    static let lastEvent: ConsoleParameter = {
        var parameter = number("Last-Event-ID", "The revision at which the last stream ended.")
        parameter.place = "header"
        return parameter
    }()
}
