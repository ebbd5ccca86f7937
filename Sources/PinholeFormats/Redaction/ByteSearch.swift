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
    /// The endings of two bytes, which rule out most places.
    private var pairs: [Int32] = []
    /// For each ending with many longer ones, the longer ending for every byte in front; 0 for none.
    ///
    /// Of thousands of strings, many have the same end, and to look through them took most of the time.
    private var rows: [Int32] = []
    /// The largest number of longer endings that are looked through one by one.
    private static let few = 3

    /// Prepares a search; strings that are too short are never found.
    package init(_ patterns: [[UInt8]]) {
        lengths = patterns.map(\.count)
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
        var longer: [Int32] = []
        var next = endings[ending].longer
        while next != 0 {
            longer.append(next)
            next = endings[Int(next)].next
        }
        guard longer.count > Self.few else { return }
        endings[ending].row = Int32(clamping: rows.count)
        rows += repeatElement(0, count: 256)
        for number in longer { rows[Int(endings[ending].row) + Int(endings[Int(number)].byte)] = number }
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
        guard !isEmpty, content.count >= Self.shortest else { return [] }
        var found: [(start: Int, pattern: Int32)] = []
        var ending: Int32 = 0
        let span = content.span
        for position in stride(from: span.count - 2, through: 0, by: -1) {
            ending = state(behind: ending, span[position], span[position + 1])
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
    /// - Returns: The ending; 0 for none.
    private func state(behind ending: Int32, _ byte: UInt8, _ following: UInt8) -> Int32 {
        var ending = ending
        while ending != 0 {
            if let longer = longer(ending, byte) { return longer }
            ending = endings[Int(ending)].shorter
        }
        return pairs[Self.pair(byte, following)]
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
