@testable import PinholeTrust

/// A certificate without a valid signature, with the version and the extensions that a test chooses.
struct SyntheticCertificate {
    /// The version as it is encoded: 2 stands for version 3; `nil` leaves it out.
    var version: UInt8? = 2
    var issuer: String
    var subject: String
    /// The contents of the identifier of the signature's algorithm.
    var signature: [UInt8] = [0x2a, 0x03, 0x04]
    /// The extensions, each in its whole encoding.
    var extensions: [[UInt8]] = []

    /// The certificate in DER.
    var der: [UInt8] {
        let algorithm = Self.element(0x30, Self.element(0x06, signature))
        let dates = Self.element(0x30, [])
        let list = Self.element(0xa3, Self.element(0x30, extensions.flatMap { $0 }))
        let fields =
            (version.map { [0xa0, 0x03, 0x02, 0x01, $0] } ?? []) + [0x02, 0x01, 0x01] + algorithm
            + Self.name(issuer) + dates + Self.name(subject) + Self.element(0x30, [])
            + (extensions.isEmpty ? [] : list)
        return Self.element(0x30, Self.element(0x30, fields) + algorithm + [0x03, 0x02, 0x00, 0x00])
    }

    /// The fields of the certificate.
    var parsed: ParsedCertificate? { ParsedCertificate(der: der) }

    /// Encodes an element.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        guard content.count >= 0x100 else { return [tag, 0x81, UInt8(content.count)] + content }
        return [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }

    /// Encodes a critical extension of the arc 2.5.29.
    static func `extension`(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        element(0x30, [0x06, 0x03, 0x55, 0x1d, number, 0x01, 0x01, 0xff] + element(0x04, value))
    }

    /// The extensions of an authority.
    static let authority = [
        `extension`(19, [0x30, 0x03, 0x01, 0x01, 0xff]), `extension`(15, [0x03, 0x02, 0x01, 0x06]),
    ]

    /// A subjectAltName with one dNSName.
    static func domain(_ name: String) -> [UInt8] {
        `extension`(17, element(0x30, element(0x82, Array(name.utf8))))
    }

    /// An extendedKeyUsage with serverAuth.
    static let server = `extension`(37, [0x30, 0x0a, 0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 1])

    private static func name(_ text: String) -> [UInt8] {
        let attribute = element(0x30, [0x06, 0x03, 0x55, 0x04, 0x03] + element(0x0c, Array(text.utf8)))
        return element(0x30, element(0x31, attribute))
    }
}
