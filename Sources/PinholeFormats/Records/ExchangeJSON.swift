package import PinholeModel

/// An exchange in lists and in live output; its members are those of ``ExchangeFields``.
package struct ExchangeJSON: Encodable, SelfDescribed {
    private static let fields = ExchangeFields.all.filter { $0.json?.isOnlyListed == false }
    private static let listedFields = ExchangeFields.all.filter { $0.json != nil }

    private let record: ExchangeRecord?
    private let isListed: Bool

    /// Takes the facts of an exchange.
    ///
    /// - Parameters:
    ///   - record: The exchange; `nil` for an object without members.
    ///   - isListed: Whether the members that exist only in the console's list are written.
    package init(_ record: ExchangeRecord?, isListed: Bool = false) {
        self.record = record
        self.isListed = isListed
    }

    /// The members of the table.
    package static func schema(in book: SchemaBook) throws -> JSONSchema {
        try fields.schema(in: book, type: "exchange")
    }

    /// An object without members.
    package static var schemaSample: ExchangeJSON { ExchangeJSON(nil) }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        guard let record else { return }
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encode("exchange", forKey: MemberName(stringValue: "type"))
        for field in isListed ? Self.listedFields : Self.fields { try field.encode(record, to: &container) }
    }
}
