/// Takes deflate (RFC 1951) off the messages of one side of a WebSocket (RFC 7692 §7.2.2).
///
/// What later messages may refer to stays: 32 KiB. It is for the few WebSockets whose messages are looked at while they
/// pass, so it is made for being short, not for speed.
package struct MessageInflater: Sendable {
    /// Why a message cannot be read.
    package enum Failure: Error, Equatable, Sendable {
        /// The bytes are no deflate.
        case malformed
        /// It would be longer than it may be: a mistake or a bomb.
        case tooLong
    }

    private static let windowBytes = 32 << 10

    private var window: [UInt8] = []

    /// Creates an inflater that has seen no message.
    package init() {}

    /// Forgets earlier messages, as both sides do where no context is taken over.
    package mutating func reset() { window = [] }

    /// Reads the next message.
    ///
    /// - Parameters:
    ///   - payload: Its payload, unmasked.
    ///   - limit: The most bytes of its content.
    /// - Returns: The content.
    /// - Throws: ``Failure``; later messages that refer to this one cannot be read then.
    package mutating func inflate(_ payload: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        // What the sender took off.
        var run = InflateRun(payload + [0x00, 0x00, 0xff, 0xff], after: window, limit: limit)
        try run.run()
        let content = Array(run.output.dropFirst(window.count))
        window = Array(run.output.suffix(Self.windowBytes))
        return content
    }
}

/// One message on its way through.
private struct InflateRun {
    private let input: [UInt8]
    private let limit: Int
    private var position = 0
    private var bits: UInt32 = 0
    private var bitCount: UInt32 = 0
    private(set) var output: [UInt8]

    init(_ input: [UInt8], after window: [UInt8], limit: Int) {
        self.input = input
        self.limit = window.count + limit
        output = window
    }

    mutating func run() throws(MessageInflater.Failure) {
        while position < input.count || bitCount >= 3 {
            let isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored()
            case 1: try decode(HuffmanCode.fixedLiterals, HuffmanCode.fixedDistances)
            case 2:
                let (literals, distances) = try readCodes()
                try decode(literals, distances)
            default: throw .malformed
            }
            // RFC 7692 §7.2.3.4: a message may end its deflate stream; the next begins at the next byte.
            if isLast { align() }
        }
    }

    // MARK: Bits

    private mutating func take(_ count: UInt32) throws(MessageInflater.Failure) -> Int {
        while bitCount < count {
            guard position < input.count else { throw .malformed }
            bits |= UInt32(input[position]) << bitCount
            position += 1
            bitCount += 8
        }
        let value = bits & ((1 << count) - 1)
        bits >>= count
        bitCount -= count
        return Int(value)
    }

    private mutating func align() {
        bits >>= bitCount & 7
        bitCount -= bitCount & 7
    }

    private mutating func symbol(_ code: HuffmanCode) throws(MessageInflater.Failure) -> Int {
        var word = 0
        var first = 0
        var index = 0
        for length in 1...HuffmanCode.longest {
            word |= try take(1)
            let count = code.counts[length]
            if word - count < first {
                let place = index + word - first
                guard code.symbols.indices.contains(place) else { throw .malformed }
                return code.symbols[place]
            }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw .malformed
    }

    // MARK: Blocks

    private mutating func copyStored() throws(MessageInflater.Failure) {
        align()
        let length = try take(16)
        guard try take(16) == length ^ 0xffff else { throw .malformed }
        for _ in 0..<length { try append(UInt8(try take(8))) }
    }

    private mutating func append(_ byte: UInt8) throws(MessageInflater.Failure) {
        guard output.count < limit else { throw .tooLong }
        output.append(byte)
    }

    private mutating func decode(
        _ literals: HuffmanCode,
        _ distances: HuffmanCode
    ) throws(MessageInflater.Failure) {
        while true {
            let value = try symbol(literals)
            if value < 256 {
                try append(UInt8(value))
                continue
            }
            guard value > 256 else { return }
            guard value - 257 < Self.lengths.count else { throw .malformed }
            let (base, extra) = Self.lengths[value - 257]
            let length = base + (try take(extra))
            let place = try symbol(distances)
            guard place < Self.distances.count else { throw .malformed }
            let (start, more) = Self.distances[place]
            let distance = start + (try take(more))
            guard distance <= output.count else { throw .malformed }
            for _ in 0..<length { try append(output[output.count - distance]) }
        }
    }

    private mutating func readCodes() throws(MessageInflater.Failure) -> (HuffmanCode, HuffmanCode) {
        let literals = try take(5) + 257
        let distances = try take(5) + 1
        let count = try take(4) + 4
        guard literals <= 286, distances <= 30 else { throw .malformed }
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(count) { lengths[place] = try take(3) }
        let code = try HuffmanCode(lengths)
        lengths = []
        while lengths.count < literals + distances {
            let value = try symbol(code)
            switch value {
            case 0...15: lengths.append(value)
            case 16:
                guard let last = lengths.last else { throw .malformed }
                lengths += [Int](repeating: last, count: try take(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try take(3) + 3)
            default: lengths += [Int](repeating: 0, count: try take(7) + 11)
            }
        }
        guard lengths.count == literals + distances else { throw .malformed }
        return (
            try HuffmanCode(Array(lengths.prefix(literals))),
            try HuffmanCode(Array(lengths.dropFirst(literals)))
        )
    }

    /// RFC 1951 §3.2.7.
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// RFC 1951 §3.2.5: bases and extra bits of lengths.
    private static let lengths: [(Int, UInt32)] = {
        var entries: [(Int, UInt32)] = []
        var base = 3
        for index in 0..<28 {
            let extra = UInt32(index < 8 ? 0 : (index - 4) / 4)
            entries.append((base, extra))
            base += 1 << Int(extra)
        }
        return entries + [(258, 0)]
    }()

    private static let distances: [(Int, UInt32)] = {
        var entries: [(Int, UInt32)] = []
        var base = 1
        for index in 0..<30 {
            let extra = UInt32(index < 4 ? 0 : (index - 2) / 2)
            entries.append((base, extra))
            base += 1 << Int(extra)
        }
        return entries
    }()
}

/// A canonical Huffman code (RFC 1951 §3.2.2).
private struct HuffmanCode {
    static let longest = 15

    /// How many codes there are of each length.
    private(set) var counts = [Int](repeating: 0, count: longest + 1)
    /// The symbols in the order of their codes.
    private(set) var symbols: [Int] = []

    /// Creates a code by the lengths of its symbols, 0 for those that do not occur.
    init(_ lengths: [Int]) throws(MessageInflater.Failure) {
        self.init(unchecked: lengths)
        var left = 1
        for length in 1...Self.longest {
            left = left << 1 - counts[length]
            guard left >= 0 else { throw .malformed }
        }
    }

    private init(unchecked lengths: [Int]) {
        for length in lengths where length > 0 { counts[length] += 1 }
        for length in 1...Self.longest {
            symbols += lengths.indices.filter { lengths[$0] == length }
        }
    }

    /// RFC 1951 §3.2.6.
    static let fixedLiterals = HuffmanCode(
        unchecked: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
            + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8)
    )
    static let fixedDistances = HuffmanCode(unchecked: [Int](repeating: 5, count: 30))
}
