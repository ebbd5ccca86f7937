/// The kind of a file in DER, guessed from its first bytes; the file may be incomplete (X.690 §8.1).
///
/// The guess is for messages: it tells a truncated file from a file of another kind.
package struct DERShape: Equatable, Sendable {
    /// The kind of a file.
    package enum Kind: String, Sendable {
        /// A certificate: a SEQUENCE of a SEQUENCE with a version or a serial number (RFC 5280 §4.1).
        case certificate = "DER certificate"
        /// A public key: a SEQUENCE of a SEQUENCE with an algorithm (RFC 5280 §4.1.2.7).
        case publicKey = "DER public key"
        /// A PKCS#12 file: a SEQUENCE with the version 3 (RFC 7292 §4).
        case pkcs12 = "PKCS#12 file"
        /// Any other SEQUENCE.
        case other = "DER file"
    }

    /// The kind of the file, as a guess.
    package let kind: Kind
    /// The number of bytes that the header announces for the whole file; `nil` if it announces none.
    package let announced: Int?
    /// The number of bytes that the file has.
    package let count: Int

    /// Looks at the first bytes of `file`; `nil` if they are no SEQUENCE.
    package init?(_ file: [UInt8]) {
        var rest = file[...]
        guard let outer = Self.header(&rest), outer.tag == 0x30 else { return nil }
        let head = file.count - rest.count
        announced = outer.length.map { head + $0 }
        count = file.count
        switch Self.header(&rest) {
        case let inner? where inner.tag == 0x30:
            switch rest.first {
            case 0xa0, 0x02: kind = .certificate
            case 0x06: kind = .publicKey
            default: kind = .other
            }
        case let inner? where inner.tag == 0x02 && inner.length == 1 && rest.first == 3: kind = .pkcs12
        default: kind = .other
        }
    }

    /// Whether the end of the file is missing.
    package var isTruncated: Bool { announced.map { $0 > count } ?? false }

    /// The failure to report if ``isTruncated``.
    package var truncation: CryptoFailure {
        CryptoFailure(
            "it looks like a truncated \(kind.rawValue): its header announces "
                + "\(announced.map(String.init) ?? "more") bytes, and there are \(count); copy the file again"
        )
    }

    /// Takes a tag and a length from the front.
    ///
    /// The length is `nil` in the indefinite form and if it has more than four bytes.
    private static func header(_ rest: inout ArraySlice<UInt8>) -> (tag: UInt8, length: Int?)? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        guard first & 0x80 != 0 else { return (tag, Int(first)) }
        let digits = rest.prefix(Int(first & 0x7f))
        rest = rest.dropFirst(digits.count)
        guard (1...4).contains(digits.count), digits.count == first & 0x7f else { return (tag, nil) }
        return (tag, digits.reduce(0) { $0 << 8 | Int($1) })
    }
}
