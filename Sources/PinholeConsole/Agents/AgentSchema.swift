package import PinholeModel

/// The JSON schemas of what the tools of an agent return (revision 2025-06-18, “Output Schema”).
///
/// Each names the members that are always there. More members may come with later versions.
package enum AgentSchema {
    /// A page of exchanges and failed connections.
    static var page: JSONValue {
        let item = object(["type": text, "id": number], required: ["type", "id"])
        return object(["items": list(of: item), "next": orNull("integer")], required: ["items"])
    }

    /// An exchange with its messages.
    static var exchange: JSONValue {
        let head = object(["head": text, "body": orNull("string")], required: ["head"])
        return object(
            [
                "exchange": object(["id": number, "url": text], required: ["id", "url"]), "request": head,
                "response": .object(["type": .array([.string("object"), .string("null")])]),
                "messages": .object(["type": .array([.string("array"), .string("null")])]),
            ],
            required: ["exchange", "request"]
        )
    }

    /// A connection with its handshakes.
    static var connection: JSONValue {
        object(["flow": object(["id": number], required: ["id"])], required: ["flow"])
    }

    /// The secrets that several servers have seen.
    static var leaks: JSONValue {
        object(["leaks": list(of: object([:], required: []))], required: ["leaks"])
    }

    /// A report as Markdown, whose last line is the exit code.
    package static var report: JSONValue { object(["report": text], required: ["report"]) }

    private static var text: JSONValue { .object(["type": .string("string")]) }
    private static var number: JSONValue { .object(["type": .string("integer")]) }

    private static func orNull(_ type: String) -> JSONValue {
        .object(["type": .array([.string(type), .string("null")])])
    }

    private static func list(of items: JSONValue) -> JSONValue {
        .object(["type": .string("array"), "items": items])
    }

    private static func object(_ properties: [String: JSONValue], required: [String]) -> JSONValue {
        .object([
            "type": .string("object"), "properties": .object(properties),
            "required": .array(required.map(JSONValue.string)),
        ])
    }
}
