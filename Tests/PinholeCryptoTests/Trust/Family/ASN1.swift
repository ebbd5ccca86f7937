import PinholeModel

/// Encodes whatever a test wants to see refused; nothing is checked.
enum ASN1 {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var digits: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            digits.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(digits.count)] + digits + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func sequence(of parts: [[UInt8]]) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func set(_ parts: [UInt8]...) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
    static func integer(_ bytes: [UInt8]) -> [UInt8] { element(0x02, bytes) }
    static func integer(_ value: UInt8) -> [UInt8] { element(0x02, value < 0x80 ? [value] : [0, value]) }
    static func enumerated(_ value: UInt8) -> [UInt8] { element(0x0a, [value]) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + bytes) }
    static func utf8(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }
    static func ia5(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
    static let isTrue: [UInt8] = [0x01, 0x01, 0xff]
    static let null: [UInt8] = [0x05, 0x00]

    static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0x80 | number, content) }
    static func context(_ number: UInt8, holding content: [UInt8]) -> [UInt8] {
        element(0xa0 | number, content)
    }

    static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { UInt64($0) }
        var content: [UInt8] = []
        for number in [numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2) {
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

    /// UTCTime up to 2049, GeneralizedTime after.
    static func time(_ moment: Timestamp) -> [UInt8] {
        let digits = moment.iso8601.filter { $0.isNumber } + "Z"
        return digits < "2050" ? element(0x17, Array(digits.dropFirst(2).utf8)) : generalized(moment)
    }

    static func generalized(_ moment: Timestamp) -> [UInt8] {
        element(0x18, Array((moment.iso8601.filter { $0.isNumber } + "Z").utf8))
    }

    /// A name of one commonName; an empty name for `nil`.
    static func name(_ commonName: String?) -> [UInt8] {
        guard let commonName else { return sequence() }
        return sequence(set(sequence(identifier("2.5.4.3"), utf8(commonName))))
    }
}
