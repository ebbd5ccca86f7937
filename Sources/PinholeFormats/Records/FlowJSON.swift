package import PinholeModel

/// A flow in lists and in live output: the members of ``FlowFields``, and the reason why a handshake failed.
package struct FlowJSON: Encodable, SelfDescribed {
    private static let fields = FlowFields.all.filter { $0.json?.isOnlyListed == false }
    private static let listedFields = FlowFields.all.filter { $0.json != nil }

    private let record: FlowRecord?
    private let isListed: Bool

    /// Takes the facts of a flow.
    ///
    /// - Parameters:
    ///   - record: The flow.
    ///   - isListed: Whether the members that exist only in the console's list are written.
    package init(_ record: FlowRecord, isListed: Bool = false) {
        self.init(record: record, isListed: isListed)
    }

    private init(record: FlowRecord?, isListed: Bool) {
        self.record = record
        self.isListed = isListed
    }

    /// The members of the table, and the reason why a handshake failed.
    package static func schema(in book: SchemaBook) throws -> JSONSchema {
        let failure = JSONSchema.object(["handshakeFailure": try book.schema(of: HandshakeFailureJSON.self)])
        return try fields.schema(in: book, type: "flow").merging(failure)
    }

    /// An object without members.
    package static var schemaSample: FlowJSON { FlowJSON(record: nil, isListed: false) }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        guard let record else { return }
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encode("flow", forKey: MemberName(stringValue: "type"))
        for field in isListed ? Self.listedFields : Self.fields { try field.encode(record, to: &container) }
        try container.encodeIfPresent(
            record.failedHandshake.flatMap(HandshakeFailureJSON.init),
            forKey: MemberName(stringValue: "handshakeFailure")
        )
    }
}
