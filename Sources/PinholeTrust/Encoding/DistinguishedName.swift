/// A name of X.501 (RFC 5280 §4.1.2.4), in its encoding and in a form for comparisons.
struct DistinguishedName: Hashable, Sendable {
    /// An attribute of a name: its type with its value.
    struct Attribute: Hashable, Sendable {
        let type: ObjectID
        /// The value for comparisons: lower case, without white space at the ends, one space inside
        /// (RFC 5280 §7.1); the encoding if the value is no text.
        let value: [UInt8]
        /// The value as text; `nil` if it is none.
        let text: String?

        static func == (left: Attribute, right: Attribute) -> Bool {
            left.type == right.type && left.value == right.value
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(type)
            hasher.combine(value)
        }
    }

    /// The name in DER.
    let encoding: [UInt8]
    /// The relative distinguished names, each with its attributes.
    let parts: [Set<Attribute>]

    /// Reads the contents of a `Name`.
    init(_ element: DERElement) throws(DERFailure) {
        encoding = Array(element.encoding)
        var parts: [Set<Attribute>] = []
        for part in try element.elements() {
            guard part.tag == DERElement.Tag.set else { throw DERFailure("a name is no list of sets") }
            var attributes: Set<Attribute> = []
            for attribute in try part.elements() {
                var reader = attribute.reader
                let type = try reader.next(DERElement.Tag.objectIdentifier).objectID()
                let value = try reader.next()
                try reader.finish()
                let text = Self.text(value)
                attributes.insert(
                    Attribute(
                        type: type,
                        value: text.map { Array(Self.folded($0).utf8) } ?? Array(value.encoding),
                        text: text
                    )
                )
            }
            parts.append(attributes)
        }
        self.parts = parts
    }

    /// Whether the name has no attributes.
    var isEmpty: Bool { parts.isEmpty }

    /// The texts of the attributes of this type.
    func texts(of type: ObjectID) -> [String] {
        parts.flatMap { part in part.filter { $0.type == type }.compactMap(\.text) }
    }

    /// Whether the name is the same as `other` or below it (RFC 5280 §4.2.1.10).
    func isWithin(_ other: DistinguishedName) -> Bool { parts.starts(with: other.parts) }

    private static func text(_ value: DERElement) -> String? {
        switch value.tag {
        // UTF8String, NumericString, PrintableString, IA5String, VisibleString
        case 0x0c, 0x12, 0x13, 0x16, 0x1a: String(validating: value.content, as: UTF8.self)
        // TeletexString: read as Latin-1, as every implementation does.
        case 0x14: String(String.UnicodeScalarView(value.content.map { Unicode.Scalar($0) }))
        case 0x1e: wideText(value.content, width: 2)
        case 0x1c: wideText(value.content, width: 4)
        default: nil
        }
    }

    /// Reads a BMPString or a UniversalString.
    private static func wideText(_ content: ArraySlice<UInt8>, width: Int) -> String? {
        guard content.count.isMultiple(of: width) else { return nil }
        var scalars = String.UnicodeScalarView()
        var rest = content
        while !rest.isEmpty {
            let number = rest.prefix(width).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let scalar = Unicode.Scalar(number) else { return nil }
            scalars.append(scalar)
            rest = rest.dropFirst(width)
        }
        return String(scalars)
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
