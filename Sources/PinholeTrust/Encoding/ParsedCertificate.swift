/// The fields of a certificate that path validation reads (RFC 5280 §4.1 and §4.2).
package struct ParsedCertificate: Sendable {
    /// The bits of keyUsage (RFC 5280 §4.2.1.3).
    struct KeyUsage: OptionSet, Hashable {
        let rawValue: UInt16

        static let digitalSignature = KeyUsage(rawValue: 1 << 0)
        static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
        static let keyAgreement = KeyUsage(rawValue: 1 << 4)
        static let keyCertSign = KeyUsage(rawValue: 1 << 5)
    }

    /// A certificate policy with the kinds of its qualifiers.
    struct Policy: Hashable {
        let identifier: ObjectID
        let qualifiers: [ObjectID]
    }

    /// A pair of policyMappings.
    struct Mapping: Hashable {
        let issuerPolicy: ObjectID
        let subjectPolicy: ObjectID
    }

    /// The version; RFC 5280 defines 1 to 3.
    let version: Int
    /// Whether the certificate has fields that its version does not have: extensions need version 3, unique
    /// identifiers version 2 (RFC 5280 §4.1.2.8 and §4.1.2.9).
    private(set) var exceedsVersion = false
    let issuer: DistinguishedName
    let subject: DistinguishedName
    /// Whether the algorithm in the signed part is the algorithm of the signature (RFC 5280 §4.1.1.2).
    let algorithmsAgree: Bool
    /// The algorithm of the signature; `nil` if it cannot be read.
    let signatureAlgorithm: ObjectID?
    /// The algorithm of the key; `nil` if it cannot be read.
    let keyAlgorithm: ObjectID?
    /// The identifiers of the critical extensions.
    private(set) var critical: Set<ObjectID> = []
    /// The extension that occurs twice; `nil` if there is none.
    private(set) var repeated: ObjectID?
    /// The first extension that could not be read, with the reason; `nil` if all could.
    private(set) var malformed: (identifier: ObjectID, reason: String)?
    /// Whether basicConstraints is there.
    private(set) var hasBasicConstraints = false
    /// The `cA` of basicConstraints.
    private(set) var isAuthority = false
    private(set) var pathLength: Int?
    private(set) var keyUsage: KeyUsage?
    /// The purposes of extendedKeyUsage.
    private(set) var purposes: Set<ObjectID>?
    private(set) var alternativeNames: [GeneralName]?
    private(set) var subtrees: NameSubtrees?
    private(set) var policies: [Policy]?
    private(set) var mappings: [Mapping] = []
    private(set) var requireExplicitPolicy: Int?
    private(set) var inhibitPolicyMapping: Int?
    private(set) var inhibitAnyPolicy: Int?
    private(set) var authorityKey: [UInt8]?
    private(set) var subjectKey: [UInt8]?

    /// Reads a certificate; `nil` if it is not in DER.
    package init?(der: [UInt8]) {
        do throws(DERFailure) {
            try self.init(reading: der)
        } catch {
            return nil
        }
    }

    private init(reading der: [UInt8]) throws(DERFailure) {
        var file = DERReader(der[...])
        var outer = try file.next(DERElement.Tag.sequence).reader
        try file.finish()
        var fields = try outer.next(DERElement.Tag.sequence).reader
        let outerAlgorithm = try outer.next(DERElement.Tag.sequence)
        _ = try outer.next(DERElement.Tag.bitString)
        try outer.finish()
        var version = 1
        if let element = try fields.nextIfPresent(0xa0) {
            var reader = element.reader
            version = try reader.next(DERElement.Tag.integer).count() + 1
            try reader.finish()
        }
        self.version = version
        _ = try fields.next(DERElement.Tag.integer)
        algorithmsAgree = try fields.next(DERElement.Tag.sequence).encoding == outerAlgorithm.encoding
        issuer = try DistinguishedName(try fields.next(DERElement.Tag.sequence))
        _ = try fields.next(DERElement.Tag.sequence)
        subject = try DistinguishedName(try fields.next(DERElement.Tag.sequence))
        let key = try fields.next(DERElement.Tag.sequence)
        signatureAlgorithm = Self.algorithm(outerAlgorithm)
        var keyReader = key.reader
        keyAlgorithm = (try? keyReader.next(DERElement.Tag.sequence)).flatMap(Self.algorithm)
        for unique in [0x81, 0x82] as [UInt8] where try fields.nextIfPresent(unique) != nil {
            if version < 2 { exceedsVersion = true }
        }
        let list = try fields.nextIfPresent(0xa3)
        try fields.finish()
        guard let list else { return }
        if version < 3 { exceedsVersion = true }
        try readExtensions(list)
    }

    /// The identifier of an AlgorithmIdentifier.
    private static func algorithm(_ element: DERElement) -> ObjectID? {
        var reader = element.reader
        return try? reader.next(DERElement.Tag.objectIdentifier).objectID()
    }

    private mutating func readExtensions(_ list: DERElement) throws(DERFailure) {
        var outer = list.reader
        let elements = try outer.next(DERElement.Tag.sequence).elements()
        try outer.finish()
        var seen: Set<ObjectID> = []
        for element in elements {
            var reader = try element.expecting(DERElement.Tag.sequence).reader
            let identifier = try reader.next(DERElement.Tag.objectIdentifier).objectID()
            let isCritical = try reader.nextIfPresent(DERElement.Tag.boolean)?.boolean() ?? false
            let value = try reader.next(DERElement.Tag.octetString)
            try reader.finish()
            if !seen.insert(identifier).inserted { repeated = repeated ?? identifier }
            if isCritical { critical.insert(identifier) }
            do throws(DERFailure) {
                try read(identifier, value, isCritical)
            } catch {
                malformed = malformed ?? (identifier, error.detail)
            }
        }
    }

    private mutating func read(
        _ identifier: ObjectID,
        _ value: DERElement,
        _ isCritical: Bool
    ) throws(DERFailure) {
        let sequence = DERElement.Tag.sequence
        switch identifier {
        case .basicConstraints: try readBasicConstraints(try Self.only(sequence, value))
        case .keyUsage: keyUsage = try Self.usage(try Self.only(DERElement.Tag.bitString, value))
        case .extendedKeyUsage: purposes = Set(try Self.identifiers(try Self.only(sequence, value)))
        case .subjectAltName: alternativeNames = try Self.names(try Self.only(sequence, value))
        case .nameConstraints:
            subtrees = try NameSubtrees(try Self.only(sequence, value), isCritical: isCritical)
        case .certificatePolicies: policies = try Self.policies(try Self.only(sequence, value))
        case .policyMappings: mappings = try Self.mappings(try Self.only(sequence, value))
        case .policyConstraints: try readPolicyConstraints(try Self.only(sequence, value))
        case .inhibitAnyPolicy: inhibitAnyPolicy = try Self.only(DERElement.Tag.integer, value).count()
        case .authorityKeyIdentifier:
            var reader = try Self.only(sequence, value).reader
            authorityKey = try reader.nextIfPresent(0x80).map { Array($0.content) }
        case .subjectKeyIdentifier:
            subjectKey = Array(try Self.only(DERElement.Tag.octetString, value).content)
        default: return
        }
    }

    private mutating func readBasicConstraints(_ element: DERElement) throws(DERFailure) {
        var reader = element.reader
        isAuthority = try reader.nextIfPresent(DERElement.Tag.boolean)?.boolean() ?? false
        pathLength = try reader.nextIfPresent(DERElement.Tag.integer)?.count()
        try reader.finish()
        hasBasicConstraints = true
    }

    private mutating func readPolicyConstraints(_ element: DERElement) throws(DERFailure) {
        var reader = element.reader
        requireExplicitPolicy = try reader.nextIfPresent(0x80)?.count()
        inhibitPolicyMapping = try reader.nextIfPresent(0x81)?.count()
        try reader.finish()
    }

    /// The only element of an extension's value, which must have this tag.
    private static func only(_ tag: UInt8, _ value: DERElement) throws(DERFailure) -> DERElement {
        var reader = value.reader
        let element = try reader.next(tag)
        try reader.finish()
        return element
    }

    private static func usage(_ element: DERElement) throws(DERFailure) -> KeyUsage {
        let bits = element.content.dropFirst()
        guard let unused = element.content.first, unused < 8, !bits.isEmpty || unused == 0,
            (bits.last ?? 0) & ((1 << unused) - 1) == 0
        else { throw DERFailure("the unused bits of keyUsage are not in DER") }
        var usage = KeyUsage()
        for (index, byte) in bits.prefix(2).enumerated() {
            for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
                usage.insert(KeyUsage(rawValue: 1 << UInt16(index * 8 + bit)))
            }
        }
        return usage
    }

    private static func identifiers(_ element: DERElement) throws(DERFailure) -> [ObjectID] {
        var identifiers: [ObjectID] = []
        for item in try element.elements() {
            identifiers.append(try item.expecting(DERElement.Tag.objectIdentifier).objectID())
        }
        return identifiers
    }

    private static func names(_ element: DERElement) throws(DERFailure) -> [GeneralName] {
        var names: [GeneralName] = []
        for item in try element.elements() { names.append(try GeneralName(item)) }
        return names
    }

    private static func policies(_ element: DERElement) throws(DERFailure) -> [Policy] {
        var policies: [Policy] = []
        for item in try element.elements() {
            var reader = try item.expecting(DERElement.Tag.sequence).reader
            let identifier = try reader.next(DERElement.Tag.objectIdentifier).objectID()
            var qualifiers: [ObjectID] = []
            for qualifier in try reader.nextIfPresent(DERElement.Tag.sequence)?.elements() ?? [] {
                var reader = try qualifier.expecting(DERElement.Tag.sequence).reader
                qualifiers.append(try reader.next(DERElement.Tag.objectIdentifier).objectID())
            }
            try reader.finish()
            guard !policies.contains(where: { $0.identifier == identifier }) else {
                throw DERFailure("a policy occurs twice")
            }
            policies.append(Policy(identifier: identifier, qualifiers: qualifiers))
        }
        return policies
    }

    private static func mappings(_ element: DERElement) throws(DERFailure) -> [Mapping] {
        var mappings: [Mapping] = []
        for item in try element.elements() {
            let pair = try identifiers(try item.expecting(DERElement.Tag.sequence))
            guard pair.count == 2, let issuer = pair.first, let subject = pair.last else {
                throw DERFailure("a policy mapping is no pair")
            }
            mappings.append(Mapping(issuerPolicy: issuer, subjectPolicy: subject))
        }
        return mappings
    }
}
