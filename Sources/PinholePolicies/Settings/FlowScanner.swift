import PinholeSource
import PinholeTrust

/// Counts the open brackets of a flow collection, line by line.
struct FlowBalance {
    private var depth = 0
    private var quote: UInt8 = 0

    /// Whether each bracket and quotation mark is closed.
    var isClosed: Bool { depth <= 0 && quote == 0 }

    /// Counts the brackets of a line.
    mutating func read(_ line: some Sequence<UInt8>) {
        var previous: UInt8 = 0x20
        var isEscaped = false
        for byte in line {
            if quote != 0 {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    isEscaped = true
                } else if byte == quote {
                    quote = 0
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): quote = byte
                // An apostrophe within a word is no quotation mark.
                case UInt8(ascii: "'") where !SourceLexer.isWord(previous): quote = byte
                case UInt8(ascii: "#") where previous <= 0x20: return
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                default: break
                }
            }
            previous = byte
        }
    }
}

/// Reads a flow collection of YAML, and JSON.
struct FlowScanner {
    private var bytes: [UInt8]
    private var index = 0
    private var nextMark = 0
    private let marks: [(offset: Int, line: Int)]
    private let firstLine: Int
    /// The line on which the scanner stands, from 0.
    private(set) var line: Int

    init(_ bytes: [UInt8], line: Int, _ marks: [(offset: Int, line: Int)] = [], from firstLine: Int = 1) {
        self.bytes = bytes
        self.line = line
        self.marks = marks
        self.firstLine = firstLine
    }

    mutating func append(_ more: [UInt8]) { bytes += more }

    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipSpace() {
        while index < bytes.count {
            if bytes[index] <= 0x20 {
                index += 1
            } else if bytes[index] == UInt8(ascii: "#"), index == 0 || bytes[index - 1] <= 0x20 {
                while index < bytes.count, bytes[index] != 0x0a { index += 1 }
            } else {
                break
            }
        }
        while nextMark < marks.count, marks[nextMark].offset <= index {
            line = marks[nextMark].line
            nextMark += 1
        }
    }

    /// Reads a value.
    mutating func node(_ depth: Int) throws(PolicyFailure) -> Setting {
        guard depth < 64 else { throw PolicyFailure("too many levels") }
        skipSpace()
        while byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
            while byte > 0x20 { index += 1 }
            skipSpace()
        }
        var node = Setting(name: "", line: line + firstLine)
        switch byte {
        case UInt8(ascii: "["):
            index += 1
            while try goesOn(until: UInt8(ascii: "]")) {
                var element = try self.node(depth + 1)
                skipSpace()
                // `[name: value]` is a list with an object.
                if byte == UInt8(ascii: ":"), let name = element.text {
                    index += 1
                    var member = try self.node(depth + 1)
                    member.name = name
                    element = Setting(name: "", members: [member], line: element.line)
                }
                node.members.append(element)
            }
        case UInt8(ascii: "{"):
            index += 1
            while try goesOn(until: UInt8(ascii: "}")) {
                let start = line + firstLine
                let name = try key()
                skipSpace()
                var member = Setting(name: name, line: start)
                if byte == UInt8(ascii: ":") {
                    index += 1
                    skipSpace()
                    if byte != UInt8(ascii: ","), byte != UInt8(ascii: "}") {
                        member = try self.node(depth + 1)
                        member.name = name
                        member.line = start
                    }
                }
                node.members.append(member)
            }
        case UInt8(ascii: "\""), UInt8(ascii: "'"): node.values = [try quoted()]
        default:
            let text = plain(isKey: false)
            guard !text.isEmpty else { throw PolicyFailure("expected a value") }
            node.values = [scalar(text)]
        }
        return node
    }

    /// Whether an element follows; skips the comma in front of it.
    private mutating func goesOn(until end: UInt8) throws(PolicyFailure) -> Bool {
        skipSpace()
        while byte == UInt8(ascii: ",") {
            index += 1
            skipSpace()
        }
        guard index < bytes.count else { throw PolicyFailure("a bracket that is not closed") }
        guard byte != end else {
            index += 1
            return false
        }
        return true
    }

    private mutating func key() throws(PolicyFailure) -> String {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try quoted().code }
        let text = plain(isKey: true)
        guard !text.isEmpty else { throw PolicyFailure("expected a name") }
        return text
    }

    private mutating func plain(isKey: Bool) -> String {
        let start = index
        var templates = 0
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
            if byte == UInt8(ascii: "{"), next == byte {
                templates += 1
                index += 2
                continue
            }
            if templates > 0 {
                if byte == UInt8(ascii: "}"), next == byte {
                    templates -= 1
                    index += 1
                }
                index += 1
                continue
            }
            if byte == 0x0a || ",]}".utf8.contains(byte) { break }
            if byte == UInt8(ascii: ":"), next <= 0x20 || isKey { break }
            if byte == UInt8(ascii: "#"), index > start, bytes[index - 1] <= 0x20 { break }
            index += 1
        }
        var end = index
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Reads a text in quotation marks.
    mutating func quoted() throws(PolicyFailure) -> SourceText {
        let start = index
        let quote = byte
        var result: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == quote {
                // Two apostrophes are one.
                guard quote == UInt8(ascii: "'"), self.byte == quote else {
                    return scalar(String(decoding: result, as: UTF8.self))
                }
                index += 1
                result.append(quote)
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                escape(&result)
            } else {
                result.append(byte)
            }
        }
        index = start
        throw PolicyFailure("a text without its closing quotation mark")
    }

    private mutating func escape(_ result: inout [UInt8]) {
        let byte = byte
        index += 1
        switch byte {
        case UInt8(ascii: "n"): result.append(0x0a)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"), UInt8(ascii: "x"):
            let count = byte == UInt8(ascii: "u") ? 4 : 2
            let digits = String(
                decoding: bytes[min(index, bytes.count)..<min(index + count, bytes.count)],
                as: UTF8.self
            )
            index = min(index + count, bytes.count)
            if let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) {
                result += Array(String(Character(scalar)).utf8)
            }
        default: result.append(byte)
        }
    }
}
