/// Reads keys from the bytes of a terminal, which may come in pieces of any size.
///
/// The sequences are those of ECMA-48 and of DEC's terminals, which xterm, the Linux console, screen and tmux send.
struct KeyDecoder {
    private var bytes: [UInt8] = []
    /// The text between the marks of a paste; `nil` outside of one.
    private var pasted: [UInt8]?

    /// The most bytes of a paste that are kept; the rest is dropped.
    private static let pasteLimit = 64 << 10
    /// The most bytes of one sequence.
    private static let sequenceLimit = 32

    /// Whether the beginning of a sequence waits for more; after a moment it is the key Escape.
    var isWaiting: Bool { !bytes.isEmpty && pasted == nil }

    /// Takes bytes.
    ///
    /// - Parameter input: The bytes that came.
    /// - Returns: The keys that are complete.
    mutating func take(_ input: some Sequence<UInt8>) -> [Key] {
        bytes += input
        var keys: [Key] = []
        while let length = step(&keys) { bytes.removeFirst(length) }
        return keys
    }

    /// Ends the wait for the rest of a sequence: a lone escape byte is the key Escape.
    mutating func flush() -> [Key] {
        guard isWaiting else { return [] }
        let isEscape = bytes.first == 0x1b
        let rest = bytes.dropFirst()
        bytes = []
        return isEscape ? [.escape] + take(rest) : []
    }

    /// Reads one key from the front.
    ///
    /// - Returns: The number of bytes that were read; `nil` if more must come.
    private mutating func step(_ keys: inout [Key]) -> Int? {
        guard let first = bytes.first else { return nil }
        if pasted != nil { return paste(&keys) }
        if first == 0x1b { return escape(&keys) }
        if first < 0x20 || first == 0x7f {
            if let key = Self.control(first) { keys.append(key) }
            return 1
        }
        return text(&keys)
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0d, 0x0a: return .enter
        case 0x09: return .tab
        case 0x7f, 0x08: return .backspace
        case 0x01...0x1a: return .control(Character(Unicode.Scalar(byte + 0x60)))
        default: return nil
        }
    }

    private mutating func text(_ keys: inout [Key]) -> Int? {
        let first = bytes[0]
        let length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1
        guard bytes.prefix(length).dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 }) else { return 1 }
        guard bytes.count >= length else { return nil }
        // Bytes that are no UTF-8 are no key.
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let character = text.first
        else { return 1 }
        keys.append(.character(character))
        return length
    }

    private mutating func escape(_ keys: inout [Key]) -> Int? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case 0x5b: return sequence(&keys)
        case 0x4f:
            guard bytes.count > 2 else { return nil }
            if let key = Self.cursor(bytes[2]) { keys.append(key) }
            return 3
        case 0x1b:
            keys.append(.escape)
            return 1
        default:
            // The key Alt with another key sends an escape byte before it, which no command uses.
            keys.append(.escape)
            return 1
        }
    }

    private mutating func sequence(_ keys: inout [Key]) -> Int? {
        guard let end = bytes.dropFirst(2).firstIndex(where: { 0x40...0x7e ~= $0 }) else {
            return bytes.count > Self.sequenceLimit ? bytes.count : nil
        }
        // A modifier stands behind a semicolon; the plain key is meant.
        let parameters = String(decoding: bytes[2..<end], as: UTF8.self)
        let number = Int(parameters.prefix { $0 != ";" })
        switch (bytes[end], number) {
        case (0x7e, 200): pasted = []
        case (0x7e, let number?): if let key = Self.numbered(number) { keys.append(key) }
        case (0x5a, _): keys.append(.backTab)
        case (let final, _): if let key = Self.cursor(final) { keys.append(key) }
        }
        return end + 1
    }

    private static func cursor(_ final: UInt8) -> Key? {
        switch final {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        case 0x4d: .enter
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }

    /// Takes the bytes of a paste up to its end mark.
    private mutating func paste(_ keys: inout [Key]) -> Int? {
        let mark: [UInt8] = [0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e]
        let end = bytes.indices.first { bytes[$0...].starts(with: mark) }
        // The last bytes may be the beginning of the mark.
        let count = end ?? max(0, bytes.count - (mark.count - 1))
        let room = Self.pasteLimit - (pasted?.count ?? 0)
        pasted?.append(contentsOf: bytes.prefix(min(count, max(0, room))))
        guard end != nil else { return count > 0 ? count : nil }
        keys.append(.pasted(String(decoding: pasted ?? [], as: UTF8.self)))
        pasted = nil
        return count + mark.count
    }
}
