import PinholeModel

/// A notation whose symbols hold a fixed number of bits each.
enum SymbolNotation: CaseIterable {
    /// Hexadecimal digits, perhaps with marks between the bytes: `41:42`, `0x41, 0x42`, `\x41\x42`.
    case hex
    /// The letters of Base64 and of base64url, perhaps in several lines (RFC 2045 §6.8).
    case base64

    /// The number of bits in a symbol.
    var bits: Int { self == .hex ? 4 : 6 }
    /// The number of symbols at which a byte may begin, so that a run is read from each of them.
    var phases: Int { self == .hex ? 2 : 4 }

    var spelling: Spelling { self == .hex ? .hex : .base64 }

    private static let none: UInt8 = 0xff

    private static let digits = (0...255).map { Hexadecimal.digit(UInt8(truncatingIfNeeded: $0)) ?? none }

    private static let letters: [UInt8] = {
        var letters = [UInt8](repeating: none, count: 256)
        let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, letter) in all.utf8.enumerated() {
            letters[Int(letter)] = UInt8(truncatingIfNeeded: value)
        }
        (letters[0x2d], letters[0x5f]) = (62, 63)
        return letters
    }()

    /// The value of each byte; ``none`` for one that is no symbol.
    fileprivate var values: [UInt8] { self == .hex ? Self.digits : Self.letters }

    /// Returns the next symbol of a run.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - position: The place behind the symbol before.
    ///   - values: The values of the symbols.
    ///   - isFirst: Whether there is no symbol before, so that no mark can be skipped.
    /// - Returns: The value and the place of the symbol; `nil` if the run ends.
    fileprivate func symbol(
        _ content: [UInt8],
        _ position: Int,
        _ values: [UInt8],
        isFirst: Bool
    ) -> (value: UInt8, place: Int)? {
        guard position < content.count else { return nil }
        let isPrefix = self == .hex && !isFirst && Self.isPrefix(content, position)
        let value = values[Int(content[position])]
        if !isPrefix, value != Self.none { return (value, position) }
        guard !isFirst else { return nil }
        let place = self == .hex ? Self.mark(content, position) : Self.line(content, position)
        guard place > position, place < content.count, values[Int(content[place])] != Self.none else {
            return nil
        }
        return (values[Int(content[place])], place)
    }

    /// Whether `0x` or `\x` and a digit stand at a place.
    private static func isPrefix(_ content: [UInt8], _ place: Int) -> Bool {
        place + 2 < content.count && (content[place] == 0x30 || content[place] == 0x5c)
            && content[place + 1] | 0x20 == 0x78 && digits[Int(content[place + 2])] != none
    }

    /// Returns the place behind up to three marks and a prefix.
    private static func mark(_ content: [UInt8], _ start: Int) -> Int {
        var place = start
        while place < content.count, place - start < 3 {
            switch content[place] {
            case 0x09, 0x0a, 0x0d, 0x20, 0x2c, 0x2d, 0x3a, 0x3b: place += 1
            default: return isPrefix(content, place) ? place + 2 : place
            }
        }
        return isPrefix(content, place) ? place + 2 : place
    }

    /// Returns the place behind the end of a line and the blanks after it; the same place if no line ends there.
    private static func line(_ content: [UInt8], _ start: Int) -> Int {
        guard content[start] == 0x0a || content[start] == 0x0d else { return start }
        return content[start...].firstIndex { $0 > 0x20 } ?? content.count
    }
}

/// A run of symbols in a content, which may hold a text anywhere inside.
struct SymbolRun {
    private let notation: SymbolNotation
    private let symbols: [UInt8]
    private let places: [Int]
    /// The place behind the padding of the last symbol.
    private let end: Int

    /// Calls `use` with each run of at least so many symbols; every byte of the content is looked at at most twice.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - notation: The notation.
    ///   - least: The least number of symbols.
    ///   - use: Called with the runs in their order.
    static func each(
        in content: [UInt8],
        _ notation: SymbolNotation,
        atLeast least: Int,
        _ use: (SymbolRun) -> Void
    ) {
        var position = 0
        let values = notation.values
        while position < content.count {
            var count = 0
            var end = position
            while let symbol = notation.symbol(content, end, values, isFirst: count == 0) {
                count += 1
                end = symbol.place + 1
            }
            if count >= least { use(SymbolRun(content, position, count, notation)) }
            position = count > 0 ? end : position + 1
        }
    }

    private init(_ content: [UInt8], _ start: Int, _ count: Int, _ notation: SymbolNotation) {
        var symbols: [UInt8] = []
        var places: [Int] = []
        symbols.reserveCapacity(count)
        places.reserveCapacity(count)
        var end = start
        let values = notation.values
        while let symbol = notation.symbol(content, end, values, isFirst: places.isEmpty) {
            symbols.append(symbol.value)
            places.append(symbol.place)
            end = symbol.place + 1
        }
        self.notation = notation
        self.symbols = symbols
        self.places = places
        let padding = notation == .base64 ? content[end...].prefix(2).prefix { $0 == 0x3d }.count : 0
        self.end = end + padding
    }

    /// Returns the bytes that the run holds, if the first one begins with a symbol.
    func bytes(from phase: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(symbols.count * notation.bits / 8)
        var (word, count): (UInt32, Int) = (0, 0)
        for symbol in symbols.dropFirst(phase) {
            word = word << UInt32(notation.bits) | UInt32(symbol)
            count += notation.bits
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(count)))
        }
        return bytes
    }

    /// Returns the place in the content of the symbols that hold bits of some bytes.
    ///
    /// - Parameters:
    ///   - range: The bytes, none of which is missing.
    ///   - phase: The symbol with which the first byte begins.
    /// - Returns: The place, with the padding behind it.
    func place(of range: Range<Int>, from phase: Int) -> Range<Int> {
        let first = phase + range.lowerBound * 8 / notation.bits
        let last = phase + (range.upperBound * 8 - 1) / notation.bits
        return places[first]..<(last + 1 == places.count ? end : places[last] + 1)
    }
}
