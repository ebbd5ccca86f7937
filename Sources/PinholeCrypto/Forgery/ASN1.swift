package import PinholeModel

/// Encodes DER (X.690) without checks, so that certificates can be made which verifiers have to refuse.
package enum ASN1 {
    /// An element with a tag and its content.
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(truncatingIfNeeded: content.count)] + content }
        var digits: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            digits.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(digits.count)] + digits + content
    }

    /// A SEQUENCE of elements.
    package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    /// A SEQUENCE of elements.
    package static func sequence(of parts: [[UInt8]]) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    /// A SET of elements.
    package static func set(_ parts: [UInt8]...) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
    /// An INTEGER of these bytes.
    package static func integer(_ bytes: [UInt8]) -> [UInt8] { element(0x02, bytes) }
    /// A small INTEGER.
    package static func integer(_ value: UInt8) -> [UInt8] {
        element(0x02, value < 0x80 ? [value] : [0, value])
    }
    /// Encodes an ENUMERATED of one byte.
    package static func enumerated(_ value: UInt8) -> [UInt8] { element(0x0a, [value]) }
    /// An OCTET STRING.
    package static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    /// A BIT STRING whose last `unused` bits do not count.
    package static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] {
        element(0x03, [unused] + bytes)
    }
    /// A UTF8String.
    package static func utf8(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }
    /// An IA5String.
    package static func ia5(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
    /// The BOOLEAN TRUE.
    package static let isTrue: [UInt8] = [0x01, 0x01, 0xff]
    /// The encoded NULL.
    package static let null: [UInt8] = [0x05, 0x00]

    /// A primitive element of a context-specific tag.
    package static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        element(0x80 | number, content)
    }
    /// A constructed element of a context-specific tag.
    package static func context(_ number: UInt8, holding content: [UInt8]) -> [UInt8] {
        element(0xa0 | number, content)
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
        return element(0x06, content)
    }

    /// A UTCTime up to 2049, a GeneralizedTime after that.
    package static func time(_ moment: Timestamp) -> [UInt8] {
        let digits = moment.iso8601.filter { $0.isNumber } + "Z"
        return digits < "2050" ? element(0x17, Array(digits.dropFirst(2).utf8)) : generalized(moment)
    }

    /// A GeneralizedTime.
    package static func generalized(_ moment: Timestamp) -> [UInt8] {
        element(0x18, Array((moment.iso8601.filter { $0.isNumber } + "Z").utf8))
    }

    /// A name with one commonName; an empty name if `commonName` is `nil`.
    package static func name(_ commonName: String?) -> [UInt8] {
        guard let commonName else { return sequence() }
        return sequence(set(sequence(identifier("2.5.4.3"), utf8(commonName))))
    }
}
