import PinholeModel

/// A value of a JSON document, which knows how it is written and read.
protocol DocumentPart: Sendable {
    /// Whether an object that may lack the value leaves it out.
    var isLeftOut: Bool { get }

    /// Writes the value.
    func write(to text: inout JSONText)

    /// Reads the value at a path.
    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Self
}

/// A value that a document contains as an object, as the table of its members says.
protocol DocumentRecord: DocumentPart {
    /// The members, in the order in which they are written.
    static var members: [DocumentMember<Self>] { get }

    /// Creates a record whose members are read next.
    init()
}

/// A member of the objects of a record: the one declaration of its name and of the property that has its value.
struct DocumentMember<Record>: Sendable {
    fileprivate let write: @Sendable (Record, inout JSONText) -> Void
    fileprivate let read: @Sendable (inout Record, inout DocumentObject) throws(DocumentFailure) -> Void

    /// Creates a member that every object has.
    static func required<Part: DocumentPart>(
        _ name: String,
        _ path: any WritableKeyPath<Record, Part> & Sendable,
        _ read: @escaping @Sendable (JSONValue, String) throws(DocumentFailure) -> Part = Part.read
    ) -> DocumentMember {
        DocumentMember { record, text in
            text.name(name)
            record[keyPath: path].write(to: &text)
        } read: { (record, object) throws(DocumentFailure) in
            record[keyPath: path] = try object.require(name, read)
        }
    }

    /// Creates a member that objects may lack; the property then keeps the value of a new record.
    static func optional<Part: DocumentPart>(
        _ name: String,
        _ path: any WritableKeyPath<Record, Part> & Sendable,
        _ read: @escaping @Sendable (JSONValue, String) throws(DocumentFailure) -> Part = Part.read
    ) -> DocumentMember {
        DocumentMember { record, text in
            guard !record[keyPath: path].isLeftOut else { return }
            text.name(name)
            record[keyPath: path].write(to: &text)
        } read: { (record, object) throws(DocumentFailure) in
            try object.read(name, into: &record[keyPath: path], read)
        }
    }
}

extension DocumentPart {
    var isLeftOut: Bool { false }

    /// The value as JSON, with a line break at its end.
    var jsonLine: String {
        var text = JSONText()
        write(to: &text)
        return text.text + "\n"
    }
}

extension DocumentRecord {
    func write(to text: inout JSONText) {
        text.object { text in
            for member in Self.members { member.write(self, &text) }
        }
    }

    /// Reads an object; a member that is not in the table is a mistake.
    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Self {
        var object = try DocumentObject(value, path: path)
        var record = Self()
        for member in members { try member.read(&record, &object) }
        try object.finish()
        return record
    }
}

extension String: DocumentPart {
    func write(to text: inout JSONText) { text.string(self) }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        try DocumentValue.string(value, path)
    }
}

extension FixedWidthInteger {
    func write(to text: inout JSONText) { text.value(.integer(Int64(self))) }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Self {
        Self(
            try DocumentValue.integer(in: Int64(clamping: Self.min)...Int64(clamping: Self.max))(value, path)
        )
    }
}

extension Bool: DocumentPart {
    func write(to text: inout JSONText) { text.value(.boolean(self)) }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Bool {
        try DocumentValue.boolean(value, path)
    }
}

extension Int: DocumentPart {}
extension UInt8: DocumentPart {}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    func write(to text: inout JSONText) { text.string(rawValue) }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Self {
        try DocumentValue.choice(Self.self)(value, path)
    }
}

extension Optional: DocumentPart where Wrapped: DocumentPart {
    var isLeftOut: Bool { self == nil }

    func write(to text: inout JSONText) {
        if let self { self.write(to: &text) } else { text.value(.null) }
    }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Self {
        value == .null ? nil : try Wrapped.read(value, path)
    }
}

extension Array: DocumentPart where Element: DocumentPart {
    var isLeftOut: Bool { isEmpty }

    func write(to text: inout JSONText) {
        text.array { text in
            for element in self { element.write(to: &text) }
        }
    }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [Element] {
        try DocumentValue.list(Element.read)(value, path)
    }
}

extension Dictionary: DocumentPart where Key == String, Value: DocumentPart {
    var isLeftOut: Bool { isEmpty }

    func write(to text: inout JSONText) {
        text.object { text in
            for (name, value) in sorted(by: { $0.key < $1.key }) {
                text.name(name)
                value.write(to: &text)
            }
        }
    }

    static func read(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> Self {
        try read(value, path, Value.read)
    }

    /// Reads an object with values of one kind.
    static func read(
        _ value: JSONValue,
        _ path: String,
        _ read: (JSONValue, String) throws(DocumentFailure) -> Value
    ) throws(DocumentFailure) -> Self {
        guard case .object(let members) = value else {
            throw value.failure(at: path, expected: "an object {…}")
        }
        var values: Self = [:]
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            values[name] = try read(member, "\(path).\(name)")
        }
        return values
    }
}
