package import PinholeModel

/// A number of an exchange or a flow; ``meaning`` explains each.
package struct NumberField: Hashable, Sendable {
    /// The field in the tables of the records.
    package let field: NamedField
    /// The unit of the numbers, and so the way in which they are written.
    package let unit: FieldUnit

    private init?(_ field: NamedField) {
        guard field.isFiltered, let unit = field.unit else { return nil }
        self.field = field
        self.unit = unit
    }

    private init(_ name: String) {
        let field = NamedField.required(name)
        self.init(field: field, unit: field.unit ?? .count)
    }

    private init(field: NamedField, unit: FieldUnit) {
        self.field = field
        self.unit = unit
    }

    /// All numbers that filters can compare.
    package static let all: [NumberField] = NamedField.all.compactMap { NumberField($0) }

    /// The name in the language.
    package var name: String { field.name }

    /// The meaning of the number, for listings and docs/FILTERS.md.
    package var meaning: String { field.meaning }

    /// A filter that compares the number.
    package var example: String { field.example }

    /// The source of the number.
    package var source: FactSource { field.source }
}

// Constants for the fields that code refers to.
extension NumberField {
    /// The status of the response.
    package static let status = NumberField("status")
    /// The port that the client asked for.
    package static let port = NumberField("port")
    /// The number in lists.
    package static let id = NumberField("id")
    /// The number of the client's process.
    package static let pid = NumberField("pid")
    /// The number of the flow.
    package static let flow = NumberField("flow")
    /// The moment of the beginning.
    package static let time = NumberField("time")
    /// The length of both bodies.
    package static let size = NumberField("size")
    /// The time from the beginning to the end.
    package static let duration = NumberField("duration")
}
