package import PinholeModel

extension FlowFields {
    /// The members of a flow in JSON: those of the table, and the failure of a handshake, whose form is JSON's own.
    static let members =
        all.filter { $0.json != nil } + [
            FlowField(
                "handshakeFailure",
                .object(.handshakeFailure, { $0.failedHandshake.flatMap(HandshakeFailureJSON.init) }),
                json: "handshakeFailure"
            )
        ]
}

/// A flow in lists and in live output: the members of ``FlowFields``.
package struct FlowJSON: Encodable, SelfDescribed {
    private static let fields = FlowFields.members.filter { $0.json?.isOnlyListed == false }

    private let record: FlowRecord?
    private let isListed: Bool

    /// Takes the facts of a flow.
    ///
    /// - Parameters:
    ///   - record: The flow; `nil` for an object without members.
    ///   - isListed: Whether the members that exist only in the console's list are written.
    package init(_ record: FlowRecord?, isListed: Bool = false) {
        self.record = record
        self.isListed = isListed
    }

    /// The members of the table.
    package static func schema(in book: SchemaBook) throws -> JSONSchema {
        try fields.schema(in: book, type: "flow")
    }

    /// An object without members.
    package static var schemaSample: FlowJSON { FlowJSON(nil) }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        guard let record else { return }
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encode("flow", forKey: MemberName(stringValue: "type"))
        for field in isListed ? FlowFields.members : Self.fields {
            try field.encode(record, to: &container)
        }
    }
}
