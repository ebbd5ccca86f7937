import COpenSSL
package import PinholeModel
import PinholeTrust

/// Encodes values in DER (X.690) without checks, since the lab makes certificates that verifiers have to refuse.
package enum ASN1 {
    /// A SEQUENCE of elements.
    package static func sequence(_ parts: [UInt8]...) -> [UInt8] {
        DERWriter.element(0x30, parts.flatMap { $0 })
    }
    /// A SEQUENCE of elements.
    package static func sequence(of parts: [[UInt8]]) -> [UInt8] {
        DERWriter.element(0x30, parts.flatMap { $0 })
    }
    /// A SET of elements.
    package static func set(_ parts: [UInt8]...) -> [UInt8] { DERWriter.element(0x31, parts.flatMap { $0 }) }
    /// An INTEGER of these bytes.
    package static func integer(_ bytes: [UInt8]) -> [UInt8] { DERWriter.element(0x02, bytes) }
    /// A small INTEGER.
    package static func integer(_ value: UInt8) -> [UInt8] {
        DERWriter.element(0x02, value < 0x80 ? [value] : [0, value])
    }
    /// Encodes an ENUMERATED of one byte.
    package static func enumerated(_ value: UInt8) -> [UInt8] { DERWriter.element(0x0a, [value]) }
    /// An OCTET STRING.
    package static func octets(_ bytes: [UInt8]) -> [UInt8] { DERWriter.element(0x04, bytes) }
    /// A BIT STRING whose last `unused` bits do not count.
    package static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] {
        DERWriter.element(0x03, [unused] + bytes)
    }
    /// A named BIT STRING of up to eight bits, bit 0 first, trailing zeros cut (X.690 §11.2.2).
    static func bits(named bits: UInt8) -> [UInt8] {
        bits == 0 ? self.bits([]) : self.bits([bits], unused: UInt8(bits.trailingZeroBitCount))
    }
    /// A UTF8String.
    package static func utf8(_ text: String) -> [UInt8] { DERWriter.element(0x0c, Array(text.utf8)) }
    /// The BOOLEAN TRUE.
    package static let isTrue: [UInt8] = [0x01, 0x01, 0xff]
    /// The encoded NULL.
    package static let null: [UInt8] = [0x05, 0x00]

    /// A primitive element of a context-specific tag.
    package static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        DERWriter.element(0x80 | number, content)
    }
    /// A constructed element of a context-specific tag.
    package static func context(_ number: UInt8, holding content: [UInt8]) -> [UInt8] {
        DERWriter.element(0xa0 | number, content)
    }

    /// The OBJECT IDENTIFIER with OpenSSL's number `nid`; empty if OpenSSL does not know it.
    static func identifier(_ nid: Int32) -> [UInt8] {
        encoded { i2d_ASN1_OBJECT(OBJ_nid2obj(nid), $0) } ?? []
    }

    /// An OBJECT IDENTIFIER in dotted form.
    package static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { UInt64($0) }
        var content: [UInt8] = []
        // X.690 8.19.4: the first two numbers share one.
        let first = numbers.prefix(2).reduce(0) { $0 * 40 + $1 }
        for number in [first] + numbers.dropFirst(2) {
            var digits = [UInt8(number & 0x7f)]
            var rest = number >> 7
            while rest > 0 {
                digits.insert(0x80 | UInt8(rest & 0x7f), at: 0)
                rest >>= 7
            }
            content += digits
        }
        return DERWriter.element(0x06, content)
    }

    /// A UTCTime up to 2049, a GeneralizedTime after that.
    package static func time(_ moment: Timestamp) -> [UInt8] {
        let digits = moment.iso8601.filter { $0.isNumber } + "Z"
        return digits < "2050"
            ? DERWriter.element(0x17, Array(digits.dropFirst(2).utf8)) : generalized(moment)
    }

    /// A GeneralizedTime.
    package static func generalized(_ moment: Timestamp) -> [UInt8] {
        DERWriter.element(0x18, Array((moment.iso8601.filter { $0.isNumber } + "Z").utf8))
    }

    /// A name with one commonName; an empty name if `commonName` is `nil`.
    package static func name(_ commonName: String?) -> [UInt8] {
        guard let commonName else { return sequence() }
        return sequence(set(sequence(identifier("2.5.4.3"), utf8(commonName))))
    }
}
