import PinholeStore

/// A document, and in the same object what people said of what it shows.
struct NotedJSON<Document: Encodable>: Encodable {
    private enum CodingKeys: CodingKey {
        case isMarked, comment, messageCount
    }

    let document: Document
    let note: TrafficNote
    /// How many messages there are; `nil` where there can be none.
    let messageCount: Int64?

    func encode(to encoder: any Encoder) throws {
        try document.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(note.isMarked, forKey: .isMarked)
        try container.encodeIfPresent(note.comment, forKey: .comment)
        try container.encodeIfPresent(messageCount, forKey: .messageCount)
    }
}
