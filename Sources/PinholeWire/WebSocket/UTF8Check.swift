/// Checks UTF-8 piece by piece, with any division into pieces (RFC 3629 §4).
package struct UTF8Check: Sendable, Equatable {
    /// The number of continuation bytes that the current character still needs.
    private var missing = 0
    /// The smallest permitted next continuation byte.
    ///
    /// The range excludes overlong forms, surrogates and values beyond U+10FFFF, which all show in the second byte.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xbf
    /// Whether all bytes so far are valid.
    package private(set) var isValid = true

    /// Creates a check for a new text.
    package init() {}

    /// Whether the text so far is UTF-8 and ends with a complete character.
    package var isComplete: Bool { isValid && missing == 0 }

    /// Checks the next bytes.
    ///
    /// A fault is final.
    package mutating func receive(_ bytes: Span<UInt8>) {
        guard isValid else { return }
        for index in bytes.indices {
            let byte = bytes[index]
            if missing == 0 {
                if byte >= 0x80 { begin(byte) }
            } else if byte >= lowest, byte <= highest {
                missing -= 1
                (lowest, highest) = (0x80, 0xbf)
            } else {
                isValid = false
            }
            guard isValid else { return }
        }
    }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case 0xc2...0xdf: missing = 1
        case 0xe0: (missing, lowest) = (2, 0xa0)
        case 0xed: (missing, highest) = (2, 0x9f)
        case 0xe1...0xef: missing = 2
        case 0xf0: (missing, lowest) = (3, 0x90)
        case 0xf1...0xf3: missing = 3
        case 0xf4: (missing, highest) = (3, 0x8f)
        default: isValid = false
        }
    }
}
