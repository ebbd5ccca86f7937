/// A name of a certificate's holder (RFC 5280 §4.2.1.6), also as the base of a subtree of name constraints.
enum GeneralName: Hashable, Sendable {
    /// The kind of a name.
    enum Kind: UInt8, Hashable, Sendable {
        case other = 0
        case email = 1
        case domain = 2
        case x400 = 3
        case directory = 4
        case party = 5
        case uri = 6
        case address = 7
        case registeredID = 8
    }

    /// An rfc822Name.
    case email(String)
    /// A dNSName.
    case domain(String)
    /// A directoryName.
    case directory(DistinguishedName)
    /// A uniformResourceIdentifier.
    case uri(String)
    /// An iPAddress: an address, or an address with a mask.
    case address([UInt8])
    /// An object identifier as a name (registeredID).
    case registeredID(ObjectID)
    /// A name of a kind that no verifier compares.
    case opaque(Kind)

    /// Reads a name.
    ///
    /// The whole tag counts: another class or the other form would hide a name from the constraints.
    init(_ element: DERElement) throws(DERFailure) {
        switch element.tag {
        case 0xa0: self = .opaque(.other)
        case 0x81: self = .email(try Self.ascii(element))
        case 0x82: self = .domain(try Self.ascii(element))
        case 0xa3: self = .opaque(.x400)
        case 0xa4:
            var reader = element.reader
            self = .directory(try DistinguishedName(try reader.next(DERElement.Tag.sequence)))
            try reader.finish()
        case 0xa5: self = .opaque(.party)
        case 0x86: self = .uri(try Self.ascii(element))
        case 0x87: self = .address(Array(element.content))
        case 0x88: self = .registeredID(try element.objectID())
        default: throw DERFailure("a name has the tag \(element.tag), which stands for no kind of name")
        }
    }

    /// The kind of the name.
    var kind: Kind {
        switch self {
        case .email: .email
        case .domain: .domain
        case .directory: .directory
        case .uri: .uri
        case .address: .address
        case .registeredID: .registeredID
        case .opaque(let kind): kind
        }
    }

    /// The name in a message.
    var title: String {
        switch self {
        case .email(let text), .domain(let text), .uri(let text): "“\(text)”"
        case .directory: "a directory name"
        case .address: "an address"
        case .registeredID(let identifier): "the registered ID \(identifier)"
        case .opaque: "a name of another kind"
        }
    }

    private static func ascii(_ element: DERElement) throws(DERFailure) -> String {
        guard element.content.allSatisfy({ $0 < 0x80 }) else {
            throw DERFailure("an IA5String has characters beyond ASCII")
        }
        return String(decoding: element.content, as: UTF8.self)
    }
}

/// The name constraints of an authority (RFC 5280 §4.2.1.10).
struct NameSubtrees: Hashable, Sendable {
    let permitted: [GeneralName]
    let excluded: [GeneralName]
    /// Whether a subtree has a minimum or a maximum, which RFC 5280 forbids.
    let hasDistances: Bool
    /// Whether the extension is critical.
    let isCritical: Bool

    /// Reads the value of the extension.
    init(_ element: DERElement, isCritical: Bool) throws(DERFailure) {
        var reader = try element.expecting(DERElement.Tag.sequence).reader
        var hasDistances = false
        permitted = try Self.trees(reader.nextIfPresent(0xa0), &hasDistances)
        excluded = try Self.trees(reader.nextIfPresent(0xa1), &hasDistances)
        try reader.finish()
        self.hasDistances = hasDistances
        self.isCritical = isCritical
    }

    private static func trees(
        _ list: DERElement?,
        _ hasDistances: inout Bool
    ) throws(DERFailure) -> [GeneralName] {
        guard let list else { return [] }
        var names: [GeneralName] = []
        for tree in try list.elements() {
            var reader = try tree.expecting(DERElement.Tag.sequence).reader
            names.append(try GeneralName(try reader.next()))
            for distance in [0x80, 0x81] as [UInt8] where try reader.nextIfPresent(distance) != nil {
                hasDistances = true
            }
            try reader.finish()
        }
        return names
    }
}
