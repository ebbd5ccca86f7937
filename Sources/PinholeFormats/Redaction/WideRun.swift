import PinholeModel

/// A run of UTF-16 in a content, as UTF-8.
struct WideRun {
    /// The place of the run in the content.
    let range: Range<Int>
    /// The text in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// For each of the bytes, the place of its character in the content.
    private var starts: [Int] = []

    /// The upper halves of the units that a search needs; a run ends before any other unit, and before a null.
    struct Units: Sendable {
        private var halves = [Bool](repeating: false, count: 256)
        /// The number of units of the shortest text.
        private(set) var least = Int.max
        /// Whether each text has a character of ASCII, whose upper half is zero.
        private(set) var needZero = true

        /// Collects the units of texts; bytes that are not UTF-8 have none.
        init(of texts: [[UInt8]]) {
            for text in texts {
                guard let string = String(validating: text, as: UTF8.self) else { continue }
                for unit in string.utf16 { halves[Int(unit >> 8)] = true }
                least = min(least, string.utf16.count)
                if !text.contains(where: { $0 < 0x80 }) { needZero = false }
            }
        }

        fileprivate func contains(_ half: UInt8) -> Bool { halves[Int(half)] }
    }

    /// Calls `use` with each run of both orders of bytes, at even and at odd places.
    ///
    /// A text of ASCII can be read in both orders, one byte apart; the longer run is the likely one.
    static func each(in content: [UInt8], _ units: Units, _ use: (WideRun) -> Void) {
        guard units.least < Int.max, !units.needZero || content.contains(0) else { return }
        for (parity, upper) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            var start = parity
            var position = parity
            while position + 1 < content.count {
                let isNull = content[position] == 0 && content[position + 1] == 0
                if !isNull, units.contains(content[position + upper]) {
                    position += 2
                    continue
                }
                if position - start >= 2 * units.least { use(WideRun(content, start..<position, upper)) }
                position += 2
                start = position
            }
            if position - start >= 2 * units.least { use(WideRun(content, start..<position, upper)) }
        }
    }

    private init(_ content: [UInt8], _ range: Range<Int>, _ upper: Int) {
        self.range = range
        bytes.reserveCapacity(range.count / 2)
        starts.reserveCapacity(range.count / 2)
        var lead: UInt16?
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let unit = UInt16(content[place + upper]) << 8 | UInt16(content[place + 1 - upper])
            if let scalar = Unicode.Scalar(unit) {
                append(scalar, place)
            } else if UTF16.isLeadSurrogate(unit) {
                lead = unit
                continue
            } else if let first = lead, let scalar = Unicode.Scalar(pair: first, unit) {
                append(scalar, place - 2)
            }
            lead = nil
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ place: Int) {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            starts.append(place)
            return
        }
        for byte in Character(scalar).utf8 {
            bytes.append(byte)
            starts.append(place)
        }
    }

    /// Returns the octets of the content that a range of ``bytes``, which is not empty, stands for.
    func place(of range: Range<Int>) -> Range<Int> {
        let last = range.upperBound - 1
        // Only a character of two units has four bytes in UTF-8.
        let isPair = last >= 3 && starts[last - 3] == starts[last]
        return starts[range.lowerBound]..<starts[last] + (isPair ? 4 : 2)
    }
}
