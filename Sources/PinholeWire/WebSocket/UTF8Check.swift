/// Checks UTF-8 piece by piece, wherever the pieces are cut (RFC 3629 §4).
package struct UTF8Check: Sendable, Equatable {
    /// Continuation bytes that are still missing of the character.
    private var missing = 0
    /// What the next continuation byte may be: overlong forms, surrogates and what lies beyond U+10FFFF
    /// are found in the second byte.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xbf
    /// Whether nothing so far was wrong.
    package private(set) var isValid = true

    /// Creates a check that has seen nothing.
    package init() {}

    /// Whether what was seen is UTF-8 and ends with a character.
    package var isComplete: Bool { isValid && missing == 0 }

    /// Looks at the next bytes; a fault is final.
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
