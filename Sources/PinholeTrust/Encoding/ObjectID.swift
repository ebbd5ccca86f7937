/// An OBJECT IDENTIFIER of ASN.1, as the contents of its encoding (X.690 §8.19).
package struct ObjectID: Hashable, Sendable {
    /// The contents of the encoding.
    let content: [UInt8]

    /// Wraps the contents of an encoding.
    init(content: ArraySlice<UInt8>) { self.content = Array(content) }

    /// Encodes an identifier: `ObjectID(2, 5, 29, 15)`.
    package init(_ first: Int, _ second: Int, _ rest: Int...) {
        var bytes: [UInt8] = []
        for number in [first * 40 + second] + rest {
            var digits = [UInt8(number & 0x7f)]
            var left = number >> 7
            while left > 0 {
                digits.append(UInt8(left & 0x7f) | 0x80)
                left >>= 7
            }
            bytes += digits.reversed()
        }
        content = bytes
    }
}

extension ObjectID: CustomStringConvertible {
    /// The numbers with dots between them; `?` if a number is too large.
    package var description: String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        for byte in content {
            guard number < UInt64.max >> 7 else { return "?" }
            number = number << 7 | UInt64(byte & 0x7f)
            guard byte & 0x80 == 0 else { continue }
            if numbers.isEmpty {
                let first = min(2, number / 40)
                numbers = [first, number - first * 40]
            } else {
                numbers.append(number)
            }
            number = 0
        }
        return numbers.map(String.init).joined(separator: ".")
    }
}

extension ObjectID {
    static let subjectKeyIdentifier = ObjectID(2, 5, 29, 14)
    static let keyUsage = ObjectID(2, 5, 29, 15)
    static let subjectAltName = ObjectID(2, 5, 29, 17)
    static let issuerAltName = ObjectID(2, 5, 29, 18)
    static let basicConstraints = ObjectID(2, 5, 29, 19)
    static let issuingDistributionPoint = ObjectID(2, 5, 29, 28)
    static let nameConstraints = ObjectID(2, 5, 29, 30)
    static let crlDistributionPoints = ObjectID(2, 5, 29, 31)
    static let certificatePolicies = ObjectID(2, 5, 29, 32)
    static let anyPolicy = ObjectID(2, 5, 29, 32, 0)
    static let policyMappings = ObjectID(2, 5, 29, 33)
    static let authorityKeyIdentifier = ObjectID(2, 5, 29, 35)
    static let policyConstraints = ObjectID(2, 5, 29, 36)
    static let extendedKeyUsage = ObjectID(2, 5, 29, 37)
    static let anyExtendedKeyUsage = ObjectID(2, 5, 29, 37, 0)
    static let inhibitAnyPolicy = ObjectID(2, 5, 29, 54)
    static let authorityInfoAccess = ObjectID(1, 3, 6, 1, 5, 5, 7, 1, 1)
    static let tlsFeature = ObjectID(1, 3, 6, 1, 5, 5, 7, 1, 24)
    static let signedTimestamps = ObjectID(1, 3, 6, 1, 4, 1, 11129, 2, 4, 2)
    static let serverAuth = ObjectID(1, 3, 6, 1, 5, 5, 7, 3, 1)
    static let practiceStatement = ObjectID(1, 3, 6, 1, 5, 5, 7, 2, 1)
    static let userNotice = ObjectID(1, 3, 6, 1, 5, 5, 7, 2, 2)
    static let microsoftGatedCrypto = ObjectID(1, 3, 6, 1, 4, 1, 311, 10, 3, 3)
    static let netscapeGatedCrypto = ObjectID(2, 16, 840, 1, 113730, 4, 1)
    static let netscapeCertificateType = ObjectID(2, 16, 840, 1, 113730, 1, 1)
    static let emailAddress = ObjectID(1, 2, 840, 113549, 1, 9, 1)
    static let dsa = ObjectID(1, 2, 840, 10040, 4, 1)
    /// The signatures of DSA with SHA-1, in its two identifiers, and with the digests of SHA-2.
    static let dsaSignatures: Set<ObjectID> = [
        ObjectID(1, 2, 840, 10040, 4, 3), ObjectID(1, 3, 14, 3, 2, 27),
        ObjectID(2, 16, 840, 1, 101, 3, 4, 3, 1), ObjectID(2, 16, 840, 1, 101, 3, 4, 3, 2),
        ObjectID(2, 16, 840, 1, 101, 3, 4, 3, 3), ObjectID(2, 16, 840, 1, 101, 3, 4, 3, 4),
    ]
    static let commonName = ObjectID(2, 5, 4, 3)
}
