/// The columns that text takes in a terminal.
package enum TextColumns {
    /// Returns the number of columns of `text`, which must not contain control characters.
    package static func count(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// Returns the first characters of `text` that fit in a number of columns.
    package static func prefix<Text: StringProtocol>(_ text: Text, _ columns: Int) -> Text.SubSequence {
        var used = 0
        let end = text.firstIndex { character in
            used += width(of: character)
            return used > columns
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// Returns the last characters of `text` that fit in a number of columns.
    package static func suffix<Text: StringProtocol>(_ text: Text, _ columns: Int) -> Text.SubSequence {
        var used = 0
        let end = text.lastIndex { character in
            used += width(of: character)
            return used > columns
        }
        return text[(end.map { text.index(after: $0) } ?? text.startIndex)...]
    }

    /// Returns the number of columns of a character: two for a picture and for wide East Asian characters.
    ///
    /// A combining mark without a base character has no column.
    package static func width(of character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        // An emoji of several scalars is one picture: a flag, a family, a hand with a skin colour.
        if scalars.contains(where: \.isPicture) { return 2 }
        return scalars.reduce(0) { $0 + $1.columns }
    }
}

extension Unicode.Scalar {
    /// Whether terminals show the scalar, or the one before this selector, as a picture.
    fileprivate var isPicture: Bool { value == 0xfe0f || properties.isEmojiPresentation }

    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The vowels and the final consonants of a Korean syllable share the columns of its first consonant.
        if Self.joined.contains(where: { $0.contains(value) }) { return 0 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    private static let joined: [ClosedRange<UInt32>] = [0x1160...0x11ff, 0xd7b0...0xd7ff]

    /// The wide and full-width scalars of Unicode's EastAsianWidth.txt that are not emoji.
    ///
    /// Unassigned scalars of a block count as its assigned ones. According to the file, planes 2 and 3 are entirely
    /// wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0x4dbf, 0x4e00...0xa4cf,
        0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60,
        0xffe0...0xffe6, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff, 0x1f200...0x1f265, 0x20000...0x2fffd,
        0x30000...0x3fffd,
    ]
}
