package import PinholeModel

/// The JSON schemas of what the tools of an agent return (revision 2025-06-18, “Output Schema”).
///
/// Each names the members that are always there. More members may come with later versions.
package enum AgentSchema {
    /// A page of exchanges and failed connections.
    static let page = JSONSchema.object(
        [
            "items": .list(of: .object(["type": .text, "id": .small], required: ["type", "id"])),
            "next": .small.or("null"),
        ],
        required: ["items"]
    )

    /// An exchange with its messages.
    static let exchange = JSONSchema.object(
        [
            "exchange": .object(["id": .small, "url": .text], required: ["id", "url"]), "request": head,
            "response": .object.or("null"), "messages": .list(of: .any).or("null"),
        ],
        required: ["exchange", "request"]
    )
    private static let head = JSONSchema.object(
        ["head": .text, "body": .text.or("null")],
        required: ["head"]
    )

    /// A connection with its handshakes.
    static let connection = JSONSchema.object(
        ["flow": .object(["id": .small], required: ["id"])],
        required: ["flow"]
    )

    /// The secrets that several servers have seen.
    static let leaks = JSONSchema.object(["leaks": .list(of: .object)], required: ["leaks"])

    /// A report as Markdown, whose last line is the exit code.
    package static let report = JSONSchema.object(["report": .text], required: ["report"])
}
