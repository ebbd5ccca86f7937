/// A field by its name in filters and orders, which exchanges, flows or both may have.
package final class NamedField: Sendable {
    /// The name in filters and orders.
    package let name: String
    /// The field of exchanges; `nil` if exchanges show the field of their flow.
    package let exchange: ExchangeField?
    /// The field of flows; `nil` if flows have none.
    package let flow: FlowField?

    private init(_ name: String) {
        self.name = name
        exchange = ExchangeFields.all.first { $0.name == name && $0.isAsked }
        flow = FlowFields.all.first { $0.name == name && $0.isAsked }
    }

    /// The fields, those of exchanges first.
    package static let all: [NamedField] = {
        let exchanges = ExchangeFields.all.filter(\.isAsked).map(\.name)
        let flows = FlowFields.all.filter(\.isAsked).map(\.name).filter { !exchanges.contains($0) }
        return (exchanges + flows).map(NamedField.init)
    }()

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// Returns the field with a name; `nil` if there is none.
    package static func named(_ name: String) -> NamedField? { byName[name] }

    /// Whether filters ask for the field.
    package var isFiltered: Bool { exchange?.filter != nil || flow?.filter != nil }

    /// Whether lists can be sorted by the field.
    package var isOrdered: Bool { exchange?.order != nil || flow?.order != nil }

    /// The unit of the number; `nil` for texts.
    package var unit: FieldUnit? { exchange?.value?.unit ?? flow?.value?.unit }

    /// The moment at which rules can know the value.
    package var stage: FieldFilterStage { exchange?.filter?.stage ?? flow?.filter?.stage ?? .end }

    /// The meaning, for listings and docs/FILTERS.md.
    package var meaning: String { exchange?.filter?.meaning ?? flow?.filter?.meaning ?? "" }

    /// A filter that compares the field.
    package var example: String { exchange?.filter?.example ?? flow?.filter?.example ?? "" }

    /// All texts that the field can be; `nil` if there is no fixed list.
    package var values: [String]? {
        guard let ofExchange = exchange?.filter?.values else { return flow?.filter?.values }
        guard let ofFlow = flow?.filter?.values else { return ofExchange }
        return Set(ofExchange).union(ofFlow).sorted()
    }

    /// The usual texts of the field; `nil` if no list exists.
    package var usualValues: [String]? { exchange?.filter?.usualValues ?? flow?.filter?.usualValues }

    /// Whether the text is a host name, as A-labels.
    package var isHostName: Bool {
        exchange?.filter?.isHostName == true || flow?.filter?.isHostName == true
    }

    /// Whether an exchange has at most one text, which never changes.
    package var isFixed: Bool { exchange?.filter?.isFixed == true }
}

extension NamedField: Hashable {
    /// Whether both are the field of the same name.
    package static func == (left: NamedField, right: NamedField) -> Bool { left === right }

    /// Hashes the identity, since there is one object per name.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension RecordField {
    fileprivate var isAsked: Bool { filter != nil || order != nil }
}

extension FieldValue {
    fileprivate var unit: FieldUnit? {
        guard case .number(let unit, _) = self else { return nil }
        return unit
    }
}
