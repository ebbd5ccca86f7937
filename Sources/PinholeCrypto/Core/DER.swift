import COpenSSL

/// Encodes the few ASN.1 shapes that certificate extensions are made of (X.690 DER).
enum DER {
    /// A `SEQUENCE` of encoded elements.
    static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, elements.flatMap { $0 }) }

    /// The `BOOLEAN` TRUE.
    static let isTrue: [UInt8] = [0x01, 0x01, 0xff]

    /// A non-negative `INTEGER` below 128.
    static func smallInteger(_ value: UInt8) -> [UInt8] { element(0x02, [value & 0x7f]) }

    /// Encodes an `OCTET STRING`.
    static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    /// A named `BIT STRING` of up to eight bits, bit 0 first, trailing zeros cut (X.690 §11.2.2).
    static func namedBits(_ bits: UInt8) -> [UInt8] {
        bits == 0 ? element(0x03, [0]) : element(0x03, [UInt8(bits.trailingZeroBitCount), bits])
    }

    /// A primitive element with the context tag `number`.
    static func context(_ number: UInt8, primitive bytes: [UInt8]) -> [UInt8] {
        element(0x80 | number, bytes)
    }

    /// A constructed element with the context tag `number`.
    static func context(_ number: UInt8, constructed elements: [[UInt8]]) -> [UInt8] {
        element(0xa0 | number, elements.flatMap { $0 })
    }

    /// The `OBJECT IDENTIFIER` with OpenSSL's number `nid`; empty if OpenSSL does not know it.
    static func objectIdentifier(_ nid: Int32) -> [UInt8] {
        encoded { i2d_ASN1_OBJECT(OBJ_nid2obj(nid), $0) } ?? []
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(digits.count)] + digits
    }
}
