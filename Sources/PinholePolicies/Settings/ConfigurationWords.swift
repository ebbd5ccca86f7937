import PinholeSource

/// Divides a configuration into words, marks and line ends.
struct ConfigurationWords {
    /// The rules of a form.
    struct Rules {
        /// The beginnings of comments that go to the end of their line.
        var comments = ["#"]
        /// The characters that are words of their own.
        var marks: Set<Character> = []
        /// Whether a colon or an equals sign behind a name divides it from its value.
        var dividesNames = false
        /// Whether two apostrophes or quotation marks enclose a text of several lines, as in Nix.
        var hasLongTexts = false
        /// Whether `/*` and `*/` enclose comments, and `<<NAME` begins a text up to the line with its name.
        var hasBlocks = false
    }

    /// A word, a mark or the end of a line.
    struct Word {
        enum Kind: Equatable {
            case word(SourceText)
            case mark(Character)
            case end
        }

        let kind: Kind
        let line: Int

        /// The text of a word; `nil` for marks and line ends.
        var text: SourceText? {
            guard case .word(let text) = kind else { return nil }
            return text
        }

        func isMark(_ mark: Character) -> Bool { kind == .mark(mark) }
    }

    private let bytes: [UInt8]
    private let rules: Rules
    private let comments: [[UInt8]]
    /// Whether each byte is a word of its own.
    private let isMarkByte: [Bool]
    private var index = 0
    private var line: Int
    private var words: [Word] = []
    /// The texts of several lines, each with its line.
    private(set) var embedded: [(text: String, line: Int)] = []

    /// Divides a text.
    static func words(
        in text: String,
        _ rules: Rules,
        from firstLine: Int = 1
    ) -> (words: [Word], embedded: [(text: String, line: Int)]) {
        var scanner = ConfigurationWords(text, rules, firstLine)
        scanner.run()
        return (scanner.words, scanner.embedded)
    }

    private init(_ text: String, _ rules: Rules, _ firstLine: Int) {
        bytes = Array(text.utf8)
        self.rules = rules
        comments = rules.comments.map { Array($0.utf8) }
        isMarkByte = (0...UInt8.max).map { rules.marks.contains(Character(Unicode.Scalar($0))) }
        line = firstLine
    }

    private func hasPrefix(_ text: String) -> Bool {
        var place = index
        for byte in text.utf8 {
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
        }
        return true
    }

    private mutating func run() {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0a {
                words.append(Word(kind: .end, line: line))
                line += 1
                index += 1
            } else if byte <= 0x20 {
                index += 1
            } else if comments.contains(where: { $0.first == byte && bytes[index...].starts(with: $0) }) {
                while index < bytes.count, bytes[index] != 0x0a { index += 1 }
            } else if rules.hasBlocks, hasPrefix("/*") {
                skip(to: "*/")
            } else if rules.hasBlocks, let name = nameOfText {
                let start = line
                words.append(Word(kind: .word(scalar(text(upTo: name))), line: start))
            } else if byte == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == 0x0a {
                // The line goes on.
                line += 1
                index += 2
            } else if isMark(byte) {
                words.append(Word(kind: .mark(Character(Unicode.Scalar(byte))), line: line))
                index += 1
            } else {
                let start = line
                words.append(Word(kind: .word(scalar(word())), line: start))
            }
        }
        words.append(Word(kind: .end, line: line))
    }

    private mutating func skip(to end: String) {
        while index < bytes.count, !hasPrefix(end) {
            if bytes[index] == 0x0a { line += 1 }
            index += 1
        }
        index = min(index + end.utf8.count, bytes.count)
    }

    /// The name of the text that begins with its mark, `<<EOT` or `<<-EOT`; `nil` if none begins there.
    private var nameOfText: String? {
        guard hasPrefix("<<") else { return nil }
        let rest = bytes[(index + 2)...].drop { $0 == UInt8(ascii: "-") }
        let name = rest.prefix(64).prefix(while: SourceLexer.isWord)
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// Reads the lines behind the mark of a text, up to the one that begins with its name.
    private mutating func text(upTo name: String) -> String {
        while index < bytes.count, bytes[index] != 0x0a { index += 1 }
        let start = index
        while index < bytes.count {
            line += 1
            index += 1
            let first = bytes[index...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.count
            let end = first + name.utf8.count
            if bytes[first...].starts(with: name.utf8),
                end >= bytes.count || !SourceLexer.isWord(bytes[end])
            {
                let text = String(decoding: bytes[start..<index], as: UTF8.self)
                index = end
                return text
            }
            while index < bytes.count, bytes[index] != 0x0a { index += 1 }
        }
        return String(decoding: bytes[start...], as: UTF8.self)
    }

    private func isMark(_ byte: UInt8) -> Bool { isMarkByte[Int(byte)] }

    /// Reads a word, whose parts may be in quotation marks.
    private mutating func word() -> String {
        var text: [UInt8] = []
        var isName = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                isName = false
                if rules.hasLongTexts, beginsLongText {
                    longText(&text)
                } else {
                    quoted(byte, &text)
                }
                continue
            }
            if byte == UInt8(ascii: "$"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "{") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "}"), bytes[index] != 0x0a {
                    text.append(bytes[index])
                    index += 1
                }
                guard index < bytes.count, bytes[index] != 0x0a else { break }
                text.append(bytes[index])
                index += 1
                continue
            }
            if byte <= 0x20 { break }
            if isMark(byte) {
                let divides = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=")
                // `nats://host:4222` is one word, and so is a Base64 with its “=”.
                guard divides, rules.dividesNames, !(isName && endsName) else { break }
            }
            if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
                if bytes[index + 1] == 0x0a { break }
                index += 1
            }
            if !(SourceLexer.isWord(bytes[index]) || "-.".utf8.contains(bytes[index])) { isName = false }
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether two apostrophes stand at the end of a line; within a line they are an empty text of Lua.
    private var beginsLongText: Bool {
        guard hasPrefix("''") else { return false }
        return bytes[(index + 2)...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0d } == 0x0a
    }

    /// Whether the mark at the index ends a name, and is no part of a value.
    private var endsName: Bool {
        guard let last = words.last, !last.isMark(":"), !last.isMark("=") else { return false }
        return
            !(index + 2 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
            && bytes[index + 2] == UInt8(ascii: "/"))
    }

    private mutating func quoted(_ quote: UInt8, _ text: inout [UInt8]) {
        index += 1
        while index < bytes.count, bytes[index] != quote {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            if bytes[index] == 0x0a { line += 1 }
            text.append(bytes[index])
            index += 1
        }
        index += 1
    }

    private mutating func longText(_ text: inout [UInt8]) {
        index += 2
        let start = (index, line)
        while index < bytes.count, !hasPrefix("''") {
            if bytes[index] == 0x0a { line += 1 }
            index += 1
        }
        let content = bytes[start.0..<index]
        embedded.append((String(decoding: content, as: UTF8.self), start.1))
        text += content
        index = min(index + 2, bytes.count)
    }
}
