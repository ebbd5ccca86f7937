/// The character classes of RFC 9110 §5.6, as bit masks: no table in memory, no closure.
enum Grammar {
    static let carriageReturn: UInt8 = 0x0d
    static let lineFeed: UInt8 = 0x0a
    static let space: UInt8 = 0x20
    static let tab: UInt8 = 0x09
    static let colon: UInt8 = 0x3a

    /// Whether `byte` may stand in a token (RFC 9110 §5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        // ! # $ % & ' * + - . 0…9 lie below 0x40; A…Z ^ _ ` a…z | ~ above.
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? low &>> UInt64(byte) : high &>> UInt64(byte & 0x3f)) & 1 == 1
    }

    /// Whether `byte` is a control character other than a tab: never allowed inside a line of a head.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != tab) || byte == 0x7f
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Whether `bytes` is a token: at least one byte, all of them token characters.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isToken($0) }
    }

    /// The number that `digits` says in decimal: digits only, no sign, no overflow.
    static func decimal(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard isDigit(digit) else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit - 0x30))
            guard !overflow, !carry else { return nil }
            number = sum
        }
        return number
    }

    /// Whether `bytes` spells `text` (in lower case), whatever the case of its letters.
    static func matches(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        guard bytes.count == text.utf8.count else { return false }
        return zip(bytes, text.utf8).allSatisfy { byte, expected in
            (byte &- 0x41 < 26 ? byte | 0x20 : byte) == expected
        }
    }
}
