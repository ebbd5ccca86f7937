/// Finds values in every spelling in which they can be written.
///
/// A spelling is not searched for as a text of its own, since most have too many variants. Instead, one reader for each notation
/// undoes it and notes where each byte came from, and the values are searched for in the result. So a value is found whichever
/// of its characters are escaped, in Base64 at any place of a longer text, and in one notation within another.
///
/// It is a class because a structure was copied for each run of symbols in a text.
final class SpellingSearch: Sendable {
    /// A place that holds a value.
    struct Occurrence: Equatable {
        /// The number of the value, in the order in which the values were given.
        let value: Int
        /// The notation of the value; of several, the one nearest to the value.
        let spelling: Spelling
        /// The octets of the spelling.
        var range: Range<Int>
    }

    private let plain: ByteSearch
    /// Searches contents without the escapes of all notations, for the values and for their form without such escapes.
    private let unescaped: ByteSearch
    private let valueOfUnescaped: [Int]
    private let mixed: EscapeNotations
    private let units: WideRun.Units
    /// The length of the shortest value.
    private let least: Int
    private let hasBlanks: Bool

    /// The notations that are undone one by one; a form has two of them.
    private static let singles: [EscapeNotations] = [
        .percent, [.percent, .plus], .html, .json, .quotedPrintable,
    ]
    /// The number of times that escapes are undone in the result.
    private static let passes = 3
    /// The number of packed texts that are read in one another.
    private static let depth = 2

    /// Prepares a search; values that are too short are never found.
    init(_ values: [[UInt8]]) {
        plain = ByteSearch(values)
        hasBlanks = values.contains { $0.contains(0x20) }
        let mixed: EscapeNotations = hasBlanks ? [.percent, .html, .json, .plus] : [.percent, .html, .json]
        var patterns = values
        var owners = Array(values.indices)
        for (number, value) in values.enumerated() {
            var form = value
            // A content is undone as often, so a further form would not occur; a value can be made of escapes alone.
            for _ in 0..<Self.passes {
                guard let next = UnescapedText(form, mixed)?.bytes else { break }
                form = next
            }
            guard form != value else { continue }
            patterns.append(form)
            owners.append(number)
        }
        self.mixed = mixed
        unescaped = patterns.count == values.count ? plain : ByteSearch(patterns)
        valueOfUnescaped = owners
        let searched = values.filter { $0.count >= ByteSearch.shortest }
        units = WideRun.Units(of: searched)
        least = searched.map(\.count).min() ?? 0
    }

    /// Returns the occurrences in order, none of which overlaps another: of a later one, only the rest counts.
    func occurrences(in content: [UInt8]) -> [Occurrence] {
        guard !plain.isEmpty else { return [] }
        var found: [Occurrence] = []
        search(content, .plain, Self.depth, { $0 }, &found)
        guard found.count > 1 else { return found }
        found.sort {
            ($0.range.lowerBound, -$0.range.count, $0.spelling == .plain ? 0 : 1)
                < ($1.range.lowerBound, -$1.range.count, $1.spelling == .plain ? 0 : 1)
        }
        var end = 0
        return found.compactMap { occurrence in
            guard occurrence.range.upperBound > end else { return nil }
            var rest = occurrence
            rest.range = max(end, occurrence.range.lowerBound)..<occurrence.range.upperBound
            end = occurrence.range.upperBound
            return rest
        }
    }

    private func search(
        _ text: [UInt8],
        _ spelling: Spelling,
        _ depth: Int,
        _ place: (Range<Int>) -> Range<Int>,
        _ found: inout [Occurrence]
    ) {
        searchPlain(text, spelling, place, &found)
        searchEscapes(text, depth, place, &found)
        searchRuns(text, depth, place, &found)
    }

    private func searchPlain(
        _ text: [UInt8],
        _ spelling: Spelling,
        _ place: (Range<Int>) -> Range<Int>,
        _ found: inout [Occurrence]
    ) {
        for match in plain.matches(in: text) {
            found.append(Occurrence(value: match.pattern, spelling: spelling, range: place(match.range)))
        }
    }

    // MARK: Escapes

    private func searchEscapes(
        _ text: [UInt8],
        _ depth: Int,
        _ place: (Range<Int>) -> Range<Int>,
        _ found: inout [Occurrence]
    ) {
        var present: EscapeNotations = []
        let beginnings = EscapeNotations.beginnings
        for byte in text { present.formUnion(beginnings[Int(byte)]) }
        if !hasBlanks { present.remove(.plus) }
        guard !present.isEmpty else { return }
        var changed = false
        for single in Self.singles
        where present.isSuperset(of: single) || single.contains(.plus) && present.contains(.plus) {
            guard let plainText = UnescapedText(text, single) else { continue }
            changed = true
            for match in plain.matches(in: plainText.bytes) {
                guard let spelling = plainText.spelling(of: match.range) else { continue }
                let range = place(plainText.place(of: match.range))
                found.append(Occurrence(value: match.pattern, spelling: spelling, range: range))
            }
            guard single == .quotedPrintable else { continue }
            searchMixed(plainText.bytes, mixed, depth, { place(plainText.place(of: $0)) }, &found)
            searchRuns(plainText.bytes, depth, { place(plainText.place(of: $0)) }, &found)
        }
        guard changed else { return }
        searchMixed(text, mixed, depth, place, &found)
        // Base64 has plus signs of its own.
        guard mixed.contains(.plus) else { return }
        searchMixed(text, mixed.subtracting(.plus), depth, place, &found)
    }

    /// Undoes the escapes of several notations at once, also in the result, since one notation can stand within another.
    private func searchMixed(
        _ text: [UInt8],
        _ notations: EscapeNotations,
        _ depth: Int,
        _ place: (Range<Int>) -> Range<Int>,
        _ found: inout [Occurrence]
    ) {
        var levels: [UnescapedText] = []
        func origin(_ range: Range<Int>) -> Range<Int> {
            place(levels.reversed().reduce(range) { $1.place(of: $0) })
        }
        while levels.count < Self.passes, let next = UnescapedText(levels.last?.bytes ?? text, notations) {
            levels.append(next)
            for match in unescaped.matches(in: next.bytes) {
                guard let spelling = next.spelling(of: match.range) else { continue }
                let value = valueOfUnescaped[match.pattern]
                found.append(Occurrence(value: value, spelling: spelling, range: origin(match.range)))
            }
        }
        if let last = levels.last { searchRuns(last.bytes, depth, origin, &found) }
    }

    // MARK: Runs

    private func searchRuns(
        _ text: [UInt8],
        _ depth: Int,
        _ place: (Range<Int>) -> Range<Int>,
        _ found: inout [Occurrence]
    ) {
        guard depth > 0 else { return }
        searchWide(text, depth, place, &found)
        for notation in SymbolNotation.allCases {
            let symbols = (least * 8 + notation.bits - 1) / notation.bits
            SymbolRun.each(in: text, notation, atLeast: symbols) { run in
                for phase in 0..<notation.phases {
                    let bytes = run.bytes(from: phase)
                    func origin(_ range: Range<Int>) -> Range<Int> {
                        place(run.place(of: range, from: phase))
                    }
                    if Self.isText(bytes) {
                        search(bytes, notation.spelling, depth - 1, origin, &found)
                    } else {
                        searchPlain(bytes, notation.spelling, origin, &found)
                        searchWide(bytes, depth - 1, origin, &found)
                    }
                }
            }
        }
    }

    private func searchWide(
        _ text: [UInt8],
        _ depth: Int,
        _ place: (Range<Int>) -> Range<Int>,
        _ found: inout [Occurrence]
    ) {
        /// A value, and the place at which it begins in the text.
        struct Start: Hashable {
            let value: Int
            let place: Int
        }
        var runs: [Start: Int] = [:]
        var all: [Occurrence] = []
        WideRun.each(in: text, units) { run in
            let known = all.count
            search(run.bytes, .utf16, depth - 1, { run.place(of: $0) }, &all)
            for occurrence in all[known...] {
                let start = Start(value: occurrence.value, place: occurrence.range.lowerBound)
                runs[start] = run.range.count
            }
        }
        for occurrence in all {
            let (value, start) = (occurrence.value, occurrence.range.lowerBound)
            guard let own = runs[Start(value: value, place: start)] else { continue }
            let isShifted = [start - 1, start + 1].contains { other in
                guard let other = runs[Start(value: value, place: other)] else { return false }
                return other > own || other == own && start % 2 == 1
            }
            guard !isShifted else { continue }
            var placed = occurrence
            placed.range = place(occurrence.range)
            found.append(placed)
        }
    }

    /// Whether bytes can be a text, so that it is worth while to look for other notations in them.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 || $0 == 0 || (0x09...0x0d).contains($0) }
    }
}
