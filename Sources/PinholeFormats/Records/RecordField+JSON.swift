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

extension Array {
    /// Returns the schema of an object whose members are those of the fields.
    ///
    /// - Parameters:
    ///   - book: The schemas of the members' types.
    ///   - types: The words that the member `type` can be.
    /// - Returns: The schema.
    /// - Throws: The error of a type without a schema.
    func schema<Record>(
        in book: SchemaBook,
        type types: String...
    ) throws -> JSONSchema where Element == RecordField<Record> {
        var members = ["type": JSONSchema.choice(types)]
        for field in self {
            if let json = field.json { members[json.name] = try field.schema(in: book)?.described(by: json) }
        }
        return .object(members, required: ["type", "id"])
    }
}

extension RecordField {
    /// Returns the schema of the member by the type of its value, without its description; `nil` without a value.
    fileprivate func schema(in book: SchemaBook) throws -> JSONSchema? {
        switch value {
        case .text, .number(.moment, _): .text
        case .texts: .list(of: .text)
        case .number(.count, _), .number(.bytes, _): .integer
        case .number(.status, _): .small
        case .number(.duration, _): .number
        case .object(.boolean, _, _): .flag
        case .object(.durations, _, _): .map(of: .number)
        case .object(.handshakeFailure, _, _): try book.schema(of: HandshakeFailureJSON.self)
        case .object(.clientProcess, _, _): try book.schema(of: ClientProcess.self)
        case .object(.ruleHits, _, _): try book.schema(of: [RuleHit].self)
        case nil: nil
        }
    }
}
