import PinholeModel

/// The name of a member of a JSON object.
struct MemberName: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension RecordField {
    /// Writes the member of a record, if the record has a value.
    func encode(_ record: Record, to container: inout KeyedEncodingContainer<MemberName>) throws {
        guard let json, let value else { return }
        let name = MemberName(stringValue: json.name)
        switch value {
        case .text(let get): try container.encodeIfPresent(get(record), forKey: name)
        case .texts(let get): try container.encode(get(record), forKey: name)
        case .object(_, let get, _):
            guard let object = get(record) else { return }
            try container.encode(object, forKey: name)
        case .number(let unit, let get):
            guard let number = get(record) else { return }
            switch unit {
            case .count, .status, .bytes: try container.encode(number, forKey: name)
            case .duration: try container.encode(Double(number) / 1000, forKey: name)
            case .moment:
                try container.encode(Timestamp(microseconds: number).iso8601Milliseconds, forKey: name)
            }
        }
    }

    /// Returns the text for a column of CSV; empty if the record has no value.
    func text(of record: Record) -> String {
        switch value {
        case .text(let get): return get(record) ?? ""
        case .texts(let get): return get(record).joined(separator: " ")
        case .object(_, _, let text): return text(record) ?? ""
        case .number(let unit, let get):
            guard let number = get(record) else { return "" }
            switch unit {
            case .count, .status, .bytes: return "\(number)"
            case .duration: return "\(Double(number) / 1000)"
            case .moment: return Timestamp(microseconds: number).iso8601Milliseconds
            }
        case nil: return ""
        }
    }
}
