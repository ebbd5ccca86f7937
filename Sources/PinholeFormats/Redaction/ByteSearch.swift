/// Finds many byte strings in content at once, in a time that depends on the length of the content alone.
///
/// The automaton of Aho and Corasick reads the content from its end to its beginning. So each state tells the longest string
/// that begins at the current place, and no place is read twice, however often a string repeats itself.
package struct ByteSearch: Sendable {
    /// A place at which one of the strings was found.
    package struct Match: Sendable, Equatable {
        /// The place.
        package let range: Range<Int>
        /// The number of the string, in the order in which the strings were given.
        package let pattern: Int
    }

    /// An end of one of the strings, at least two bytes long.
    private struct Ending {
        /// The first byte.
        let byte: UInt8
        /// The first of the endings that are longer by one byte, and the next ending that is as long as this one; 0 for none.
        var longer: Int32 = 0
        var next: Int32 = 0
        /// The longest other ending that this one begins with; 0 for none.
        var shorter: Int32 = 0
        /// The longest string that this ending begins with; -1 for none.
        var pattern: Int32 = -1
        /// The place of its 256 numbers in ``rows``; -1 if it has few longer endings.
        var row: Int32 = -1
    }

    /// The length of the shortest string that can be found; anything shorter would be found everywhere.
    package static let shortest = 4

    private let lengths: [Int]
    /// All endings; the first stands for none.
    private var endings = [Ending(byte: 0)]
    /// The endings of two bytes.
    private var pairs: [Int32] = []
    /// The last bytes of each string, which rule out most places without a look at the endings.
    private var tails = Tails()
    /// For each ending with many longer ones, the longer ending for every byte in front; 0 for none.
    ///
    /// Of thousands of strings, many have the same end, and to look through them took most of the time.
    private var rows: [Int32] = []
    /// The largest number of longer endings that are looked through one by one.
    private static let few = 3

    /// Prepares a search; strings that are too short are never found.
    package init(_ patterns: [[UInt8]]) {
        lengths = patterns.map(\.count)
        tails = Tails(of: patterns.filter { $0.count >= Self.shortest })
        // The endings in the order of their lengths: those of two bytes come first.
        var queue: [Int32] = []
        for (number, pattern) in patterns.enumerated() where pattern.count >= Self.shortest {
            if let pair = add(pattern, Int32(clamping: number)) { queue.append(pair) }
        }
        var read = 0
        while read < queue.count {
            let ending = endings[Int(queue[read])]
            read += 1
            var longer = ending.longer
            while longer != 0 {
                let shorter = state(behind: ending.shorter, endings[Int(longer)].byte, ending.byte)
                endings[Int(longer)].shorter = shorter
                if endings[Int(longer)].pattern < 0 {
                    endings[Int(longer)].pattern = endings[Int(shorter)].pattern
                }
                queue.append(longer)
                longer = endings[Int(longer)].next
            }
        }
        for ending in endings.indices.dropFirst() { addRow(of: ending) }
    }

    private mutating func addRow(of ending: Int) {
        var (count, next) = (0, endings[ending].longer)
        while next != 0, count <= Self.few {
            count += 1
            next = endings[Int(next)].next
        }
        guard count > Self.few else { return }
        let row = rows.count
        endings[ending].row = Int32(clamping: row)
        rows += repeatElement(0, count: 256)
        next = endings[ending].longer
        while next != 0 {
            rows[row + Int(endings[Int(next)].byte)] = next
            next = endings[Int(next)].next
        }
    }

    /// Adds the endings of a string, and returns the one of two bytes if it is new.
    private mutating func add(_ pattern: [UInt8], _ number: Int32) -> Int32? {
        if pairs.isEmpty { pairs = [Int32](repeating: 0, count: 1 << 16) }
        let pair = Self.pair(pattern[pattern.count - 2], pattern[pattern.count - 1])
        let isNew = pairs[pair] == 0
        if isNew { pairs[pair] = append(pattern[pattern.count - 2]) }
        var ending = pairs[pair]
        for byte in pattern.dropLast(2).reversed() {
            if let known = longer(ending, byte) {
                ending = known
                continue
            }
            let new = append(byte)
            endings[Int(new)].next = endings[Int(ending)].longer
            endings[Int(ending)].longer = new
            ending = new
        }
        if endings[Int(ending)].pattern < 0 { endings[Int(ending)].pattern = number }
        return isNew ? pairs[pair] : nil
    }

    private mutating func append(_ byte: UInt8) -> Int32 {
        endings.append(Ending(byte: byte))
        return Int32(clamping: endings.count - 1)
    }

    /// Whether there is nothing to find.
    package var isEmpty: Bool { pairs.isEmpty }

    /// Returns the matches in order; where several begin, the longest counts, and none overlaps another.
    package func matches(in content: [UInt8]) -> [Match] {
        guard !isEmpty, content.count >= tails.length else { return [] }
        var found: [(start: Int, pattern: Int32)] = []
        var ending: Int32 = 0
        let span = content.span
        var last = tails.word(content[(content.count - tails.length + 1)...])
        for position in stride(from: span.count - 2, through: 0, by: -1) {
            let first = position + 2 - tails.length
            if first >= 0 { last = tails.word(last, with: span[first]) }
            let isTail = first >= 0 && tails.mayContain(last)
            guard ending != 0 || isTail else { continue }
            ending = state(behind: ending, span[position], span[position + 1], isTail)
            guard ending != 0, endings[Int(ending)].pattern >= 0 else { continue }
            found.append((position, endings[Int(ending)].pattern))
        }
        var end = 0
        return found.reversed().compactMap { start, pattern in
            guard start >= end else { return nil }
            end = start + lengths[Int(pattern)]
            return Match(range: start..<end, pattern: Int(pattern))
        }
    }

    /// Returns the longest ending that the content begins with at a place.
    ///
    /// - Parameters:
    ///   - ending: The longest ending at the place behind; 0 for none.
    ///   - byte: The byte at the place.
    ///   - following: The byte behind it.
    ///   - isTail: Whether a string can end behind the two.
    /// - Returns: The ending; 0 for none.
    private func state(
        behind ending: Int32,
        _ byte: UInt8,
        _ following: UInt8,
        _ isTail: Bool = true
    ) -> Int32 {
        var ending = ending
        while ending != 0 {
            if let longer = longer(ending, byte) { return longer }
            ending = endings[Int(ending)].shorter
        }
        return isTail ? pairs[Self.pair(byte, following)] : 0
    }

    /// Returns the ending that has one more byte in front; `nil` if there is none.
    private func longer(_ ending: Int32, _ byte: UInt8) -> Int32? {
        let row = endings[Int(ending)].row
        if row >= 0 {
            let longer = rows[Int(row) + Int(byte)]
            return longer == 0 ? nil : longer
        }
        var longer = endings[Int(ending)].longer
        while longer != 0, endings[Int(longer)].byte != byte { longer = endings[Int(longer)].next }
        return longer == 0 ? nil : longer
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }
}

/// The last bytes of strings: as many as the shortest one has, at most eight.
private struct Tails: Sendable {
    /// The number of bytes.
    private(set) var length = 0
    private var mask: UInt64 = 0
    /// A bit for each hash of a tail, and at least 32 bits for each string.
    private var bits: [UInt64] = []
    private var shift: UInt64 = 0

    init() {}

    init(of strings: [[UInt8]]) {
        guard let shortest = strings.map(\.count).min() else { return }
        length = min(shortest, 8)
        mask = UInt64.max >> UInt64(64 - 8 * length)
        let width = min(22, max(10, 5 + Int.bitWidth - strings.count.leadingZeroBitCount))
        shift = UInt64(64 - width)
        bits = [UInt64](repeating: 0, count: 1 << (width - 6))
        for string in strings {
            let place = place(of: word(string.suffix(length)))
            bits[place >> 6] |= 1 << UInt64(place & 63)
        }
    }

    /// Returns the bytes as a word, the first in the lowest bits.
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { self.word($0, with: $1) } }

    /// Returns the word for the place before, whose byte is `byte`.
    func word(_ word: UInt64, with byte: UInt8) -> UInt64 { (word << 8 | UInt64(byte)) & mask }

    /// Whether a string may end with the bytes of a word.
    func mayContain(_ word: UInt64) -> Bool {
        let place = place(of: word)
        return bits[place >> 6] >> UInt64(place & 63) & 1 == 1
    }

    private func place(of word: UInt64) -> Int { Int((word &* 0x9e37_79b9_7f4a_7c15) >> shift) }
}
