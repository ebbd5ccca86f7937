import PinholeModel
import PinholeStore

/// A document with the user's mark and comment on the same exchange or flow, in one JSON object.
struct NotedJSON<Document: Codable>: Encodable {
    private enum CodingKeys: CodingKey {
        case isMarked, comment, messageCount
    }

    let document: Document
    let note: TrafficNote
    /// The number of messages; `nil` if the document cannot have any.
    let messageCount: Int64?

    func encode(to encoder: any Encoder) throws {
        try document.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(note.isMarked, forKey: .isMarked)
        try container.encodeIfPresent(note.comment, forKey: .comment)
        try container.encodeIfPresent(messageCount, forKey: .messageCount)
    }
}

extension NotedJSON {
    /// The members of the document and those of the note.
    static func schema(in book: SchemaBook) throws -> JSONSchema {
        try book.members(of: Document.self).merging(
            .object(["isMarked": .flag, "comment": .text, "messageCount": .integer], required: ["isMarked"])
        )
    }
}
