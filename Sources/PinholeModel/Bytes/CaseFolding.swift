/// Compares bytes without regard to the case of ASCII letters.
public enum CaseFolding {
    /// Whether both are equal.
    public static func isEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lower($0) == lower($1) }
    }

    /// Whether `text` contains `part`.
    public static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first.map(lower) else { return true }
        guard text.count >= part.count else { return false }
        let rest = part.dropFirst()
        for start in 0...(text.count - part.count) where lower(text[start]) == first {
            if isEqual(text[(start + 1)..<(start + part.count)], rest) { return true }
        }
        return false
    }

    /// Whether the whole of `text` matches `glob`, in which `*` is any run of bytes.
    ///
    /// The time is linear in the length of the text in practice, and never exponential.
    public static func matches(_ text: [UInt8], glob: [UInt8]) -> Bool {
        var place = 0
        var next = 0
        var star: (place: Int, next: Int)?
        while place < text.count {
            if next < glob.count, glob[next] == 0x2a {
                star = (place, next + 1)
                next += 1
            } else if next < glob.count, lower(glob[next]) == lower(text[place]) {
                place += 1
                next += 1
            } else if let last = star {
                // Going back to the last star is enough: it can take all that an earlier star could take.
                star = (last.place + 1, last.next)
                (place, next) = (last.place + 1, last.next)
            } else {
                return false
            }
        }
        return glob[next...].allSatisfy { $0 == 0x2a }
    }

    /// Returns the byte, with an ASCII letter in lower case.
    public static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }

    /// Whether the bytes at `range` are the ASCII text `name`, which is in lower case; their own case does not matter.
    public static func isSpelled(_ name: StaticString, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let count = name.utf8CodeUnitCount
        guard range.count == count else { return false }
        let found = bytes.extracting(range)
        let expected = unsafe Span(_unsafeStart: name.utf8Start, count: count)
        if count >= 8 {
            // Only letters have the bit 0x40, and only their case may differ.
            return isEveryWord(of: found, UInt64.self, of: expected) { word, text in
                word | (text & 0x4040_4040_4040_4040) >> 1 == text
            }
        }
        if count >= 4 {
            return isEveryWord(of: found, UInt32.self, of: expected) { word, text in
                word | (text & 0x4040_4040) >> 1 == text
            }
        }
        return expected.indices.allSatisfy { lower(found[$0]) == expected[$0] }
    }

    /// Whether `condition` is true for each pair of words of two spans of the same length; the last word may overlap
    /// the one before.
    @inline(__always)
    fileprivate static func isEveryWord<Word: FixedWidthInteger & BitwiseCopyable>(
        of left: Span<UInt8>,
        _ type: Word.Type,
        of right: Span<UInt8>,
        _ condition: (Word, Word) -> Bool
    ) -> Bool {
        let width = Word.bitWidth / 8
        let last = left.count - width
        precondition(last >= 0 && left.count == right.count, "both hold at least a word")
        var place = 0
        while true {
            let (word, text) = unsafe (
                left.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: type),
                right.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: type)
            )
            guard condition(word, text) else { return false }
            guard place < last else { return true }
            place = min(place &+ width, last)
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether both hold the same bytes.
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return indices.allSatisfy { self[$0] == other[$0] } }
        return CaseFolding.isEveryWord(of: self, UInt64.self, of: other) { $0 == $1 }
    }
}
