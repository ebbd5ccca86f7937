package import PinholeModel

/// An exchange in lists and in live output; its members are those of ``ExchangeFields``.
package struct ExchangeJSON: Encodable {
    private static let fields = ExchangeFields.all.filter { $0.json?.isOnlyListed == false }
    private static let listedFields = ExchangeFields.all.filter { $0.json != nil }

    private let record: ExchangeRecord
    private let isListed: Bool

    /// Takes the facts of an exchange.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - isListed: Whether the members that exist only in the console's list are written.
    package init(_ record: ExchangeRecord, isListed: Bool = false) {
        self.record = record
        self.isListed = isListed
    }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encode("exchange", forKey: MemberName(stringValue: "type"))
        for field in isListed ? Self.listedFields : Self.fields { try field.encode(record, to: &container) }
    }
}
