/// An escape in a text of JSON (RFC 8259 §7).
package enum JSONEscape: Equatable {
    /// A character, and the number of bytes of its escape.
    case scalar(Unicode.Scalar, length: Int)
    /// Half of a surrogate pair, which is no character.
    case half(length: Int)

    /// Reads an escape; `nil` if the bytes begin with none.
    ///
    /// - Parameter text: The bytes from the backslash on; no escape has more than 12.
    package init?(_ text: ArraySlice<UInt8>) {
        guard text.first == 0x5c, let letter = text.dropFirst().first else { return nil }
        switch letter {
        case 0x22, 0x5c, 0x2f: self = .scalar(Unicode.Scalar(letter), length: 2)
        case 0x62: self = .scalar("\u{8}", length: 2)
        case 0x66: self = .scalar("\u{c}", length: 2)
        case 0x6e: self = .scalar("\n", length: 2)
        case 0x72: self = .scalar("\r", length: 2)
        case 0x74: self = .scalar("\t", length: 2)
        case 0x75:
            guard let first = Self.unit(text) else { return nil }
            if let scalar = Unicode.Scalar(first) {
                self = .scalar(scalar, length: 6)
            } else if let second = Self.unit(text.dropFirst(6)),
                let scalar = Unicode.Scalar(pair: first, second)
            {
                self = .scalar(scalar, length: 12)
            } else {
                self = .half(length: 6)
            }
        default: return nil
        }
    }

    /// Reads `\uXXXX`.
    private static func unit(_ text: ArraySlice<UInt8>) -> UInt16? {
        guard text.starts(with: [0x5c, 0x75]) else { return nil }
        let digits = text.dropFirst(2).prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Hexadecimal.digit($0) != nil }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension Unicode.Scalar {
    /// Creates the scalar of a pair of surrogates; `nil` for other units.
    package init?(pair lead: UInt16, _ trail: UInt16) {
        guard UTF16.isLeadSurrogate(lead), UTF16.isTrailSurrogate(trail) else { return nil }
        self.init(0x10000 + (UInt32(lead & 0x3ff) << 10 | UInt32(trail & 0x3ff)))
    }
}
