/// A simple command of a shell script, with the values of variables that the script gives them.
package struct ShellCommand: Sendable {
    /// A word behind the expansion of variables.
    package struct Word: Sendable, Hashable {
        /// The word as text and as expansions that are not known.
        package let text: SourceText

        /// The word; `nil` if a part of it is not known.
        package var whole: String? { text.whole }

        /// Creates a word.
        package init(_ text: SourceText) { self.text = text }
    }

    /// The words, without assignments and redirections; empty for assignments alone.
    package let words: [Word]
    /// The variables that are assigned in front of the command, or alone.
    package let assignments: [(name: String, value: SourceText)]
    /// The text that the command reads from a heredoc; `nil` if there is none.
    package let input: String?
    /// The line on which the command begins, counted from 1.
    package let line: Int

    /// Returns the simple commands of a script in their order.
    ///
    /// The body of a loop over written words stands once for each word. A heredoc is the input of its command, or
    /// commands of its own if a shell reads it.
    package static func commands(in text: String) -> [ShellCommand] {
        var parser = ShellParser(Array(text.utf8), line: 1)
        let raw = parser.commands()
        var runner = ShellRunner()
        runner.run(raw)
        return runner.commands
    }
}

/// A part of a word as it is written.
enum ShellPart: Hashable, Sendable {
    case text(String)
    /// A variable, with the value that stands for it where it has none.
    case variable(String, fallback: String?, isQuoted: Bool)
    /// The output of a command, or arithmetic.
    case output(String)
}

/// A command before expansion.
struct ShellRawCommand: Sendable {
    var words: [[ShellPart]] = []
    /// The variables that are assigned, each with its words: several for an array.
    var assignments: [(name: String, values: [[ShellPart]])] = []
    var input: String?
    var line: Int
}

/// Divides a script into commands and words (POSIX.1-2017, Shell Command Language §2.3).
struct ShellParser {
    private let code: [UInt8]
    private var index = 0
    private var line: Int
    private var result: [ShellRawCommand] = []
    private var current: ShellRawCommand
    private var word: [ShellPart] = []
    private var text: [UInt8] = []
    private var isWord = false
    /// The heredocs whose bodies begin with the next line, with the place of their command.
    private var pending: [(mark: String, stripsTabs: Bool, command: Int)] = []

    /// The substitutions and arrays around the commands that are read.
    private let depth: Int

    private static let deepest = 8

    init(_ code: [UInt8], line: Int, depth: Int = 0, from index: Int = 0) {
        self.code = code
        self.line = line
        self.depth = depth
        self.index = index
        current = ShellRawCommand(line: line)
    }

    private func byte(_ distance: Int = 0) -> UInt8 {
        index + distance < code.count ? code[index + distance] : 0
    }

    mutating func commands() -> [ShellRawCommand] {
        while index < code.count {
            step()
            // A quotation mark that is not closed ends behind the script.
            index = min(index, code.count)
        }
        endCommand()
        return result
    }

    private mutating func step() {
        let first = byte()
        switch first {
        case UInt8(ascii: "\\"):
            index += 1
            if byte() == UInt8(ascii: "\r") { index += 1 }
            if byte() == 0x0a { line += 1 } else { append(byte()) }
            index += 1
        case UInt8(ascii: "'"): quoted()
        case UInt8(ascii: "\""): doubleQuoted()
        case UInt8(ascii: "$"): dollar(isQuoted: false)
        case UInt8(ascii: "`"): backticks()
        case UInt8(ascii: "#") where !isWord:
            while index < code.count, byte() != 0x0a { index += 1 }
        case 0x0a:
            endCommand()
            line += 1
            index += 1
            readHeredocs()
        case UInt8(ascii: " "), 0x09, 0x0d:
            endWord()
            index += 1
        case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: ")"):
            endCommand()
            index += 1
        case UInt8(ascii: "&"):
            // `&>file` redirects, `2>&1` is seen at its `>`.
            if byte(1) == UInt8(ascii: ">") { endWord() } else { endCommand() }
            index += 1
        case UInt8(ascii: "("):
            if isWord, text.last == UInt8(ascii: "="), depth < Self.deepest { array() } else { endCommand() }
            index += 1
        case UInt8(ascii: "<"), UInt8(ascii: ">"): redirection()
        default:
            append(first)
            index += 1
        }
    }

    private mutating func append(_ byte: UInt8) {
        isWord = true
        text.append(byte)
    }

    private mutating func flush() {
        if !text.isEmpty { word.append(.text(String(decoding: text, as: UTF8.self))) }
        text = []
    }

    private mutating func endWord() {
        flush()
        guard isWord else { return }
        if !assign(word) {
            // Braces of groups and functions are no words of a command.
            if word != [.text("{")], word != [.text("}")] || !current.words.isEmpty {
                current.words.append(word)
            }
        }
        word = []
        isWord = false
    }

    /// Takes a word as an assignment in front of a command, or behind `export` and `local`.
    private mutating func assign(_ word: [ShellPart]) -> Bool {
        let declaring = ["export", "local", "readonly", "declare", "typeset", "ENV", "ARG"]
        let reserved = ["then", "else", "do", "if", "elif", "while", "until", "!", "{", "time"]
        let isFirst = current.words.allSatisfy { word in reserved.contains { word == [.text($0)] } }
        guard
            isFirst
                || current.words.first.map({ first in declaring.contains { first == [.text($0)] } }) == true,
            case .text(let head)? = word.first, let sign = head.firstIndex(of: "=")
        else { return false }
        var name = head[..<sign]
        if name.hasSuffix("+") { name = name.dropLast() }
        guard !name.isEmpty, name.utf8.allSatisfy({ SourceLexer.isWord($0) && $0 != UInt8(ascii: "$") })
        else {
            return false
        }
        let rest = String(head[head.index(after: sign)...])
        let value = (rest.isEmpty ? [] : [ShellPart.text(rest)]) + word.dropFirst()
        current.assignments.append((String(name), [value]))
        return true
    }

    private mutating func endCommand() {
        endWord()
        if !current.words.isEmpty || !current.assignments.isEmpty { result.append(current) }
        current = ShellRawCommand(line: line + (byte() == 0x0a ? 1 : 0))
    }

    /// `NAME=(a b c)`: the words up to the closing parenthesis.
    private mutating func array() {
        flush()
        guard case .text(let head)? = word.first, head.hasSuffix("=") else { return }
        var name = head.dropLast()
        if name.hasSuffix("+") { name = name.dropLast() }
        var inner = ShellParser(code, line: line, depth: depth + 1, from: index + 1)
        inner.readArray()
        index = inner.index
        line = inner.line
        result += inner.result
        current.assignments.append((String(name), inner.current.words))
        word = []
        isWord = false
    }

    private mutating func readArray() {
        while index < code.count {
            if byte() == UInt8(ascii: ")") { break }
            if byte() == 0x0a {
                endWord()
                line += 1
                index += 1
            } else {
                // A closing parenthesis ends the array, other ends of commands do not occur in it.
                step()
                index = min(index, code.count)
            }
        }
        endWord()
    }

    private mutating func quoted() {
        isWord = true
        index += 1
        while index < code.count, byte() != UInt8(ascii: "'") {
            if byte() == 0x0a { line += 1 }
            text.append(byte())
            index += 1
        }
        index += 1
    }

    private mutating func doubleQuoted() {
        isWord = true
        index += 1
        while index < code.count, byte() != UInt8(ascii: "\"") {
            switch byte() {
            case UInt8(ascii: "\\"):
                index += 1
                if byte() == 0x0a {
                    line += 1
                } else {
                    if !"$`\"\\".utf8.contains(byte()) { text.append(UInt8(ascii: "\\")) }
                    text.append(byte())
                }
                index += 1
            case UInt8(ascii: "$"): dollar(isQuoted: true)
            case UInt8(ascii: "`"): backticks()
            default:
                if byte() == 0x0a { line += 1 }
                text.append(byte())
                index += 1
            }
        }
        index += 1
    }

    private mutating func dollar(isQuoted: Bool) {
        isWord = true
        index += 1
        switch byte() {
        case UInt8(ascii: "("):
            let end = closing(of: index)
            flush()
            word.append(.output(String(decoding: code[(index + 1)..<end], as: UTF8.self)))
            substituted(code[(index + 1)..<end])
            index = min(end + 1, code.count)
        case UInt8(ascii: "{"):
            flush()
            let end = code[index...].firstIndex(of: UInt8(ascii: "}")) ?? code.count
            word.append(Self.variable(String(decoding: code[(index + 1)..<end], as: UTF8.self), isQuoted))
            index = min(end + 1, code.count)
        case UInt8(ascii: "'") where !isQuoted: quoted()
        case let first where SourceLexer.isWord(first) && first < 0x80:
            flush()
            let start = index
            let isDigit = (0x30...0x39).contains(first)
            repeat {
                index += 1
            } while !isDigit && SourceLexer.isWord(byte()) && byte() < 0x80
                && byte() != UInt8(ascii: "$")
            let name = String(decoding: code[start..<index], as: UTF8.self)
            word.append(.variable(name, fallback: nil, isQuoted: isQuoted))
        case UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: "?"):
            flush()
            word.append(
                .variable(String(Character(Unicode.Scalar(byte()))), fallback: nil, isQuoted: isQuoted)
            )
            index += 1
        default: text.append(UInt8(ascii: "$"))
        }
    }

    /// Reads what stands between the braces of `${NAME:-default}` and `${NAME[@]}`.
    private static func variable(_ text: String, _ isQuoted: Bool) -> ShellPart {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = text.dropFirst(name.count)
        if rest.isEmpty || rest == "[@]" || rest == "[*]" {
            return .variable(String(name), fallback: nil, isQuoted: isQuoted && rest != "[@]")
        }
        for mark in [":-", ":=", "-", "="] where rest.hasPrefix(mark) {
            return .variable(String(name), fallback: String(rest.dropFirst(mark.count)), isQuoted: isQuoted)
        }
        return .output("${\(text)}")
    }

    private mutating func backticks() {
        isWord = true
        flush()
        let end = code[(index + 1)...].firstIndex(of: UInt8(ascii: "`")) ?? code.count
        word.append(.output(String(decoding: code[(index + 1)..<end], as: UTF8.self)))
        substituted(code[(index + 1)..<end])
        index = min(end + 1, code.count)
    }

    /// The parenthesis that closes the one at an index, over quotation marks.
    private func closing(of start: Int) -> Int {
        var depth = 0
        var place = start
        var quote: UInt8 = 0
        while place < code.count {
            let byte = code[place]
            if byte == UInt8(ascii: "\\") {
                place += 1
            } else if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "(") {
                depth += 1
            } else if byte == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0 { return place }
            }
            place += 1
        }
        return code.count
    }

    /// Reads the commands whose output a word holds; they run before its own command.
    private mutating func substituted(_ part: ArraySlice<UInt8>) {
        guard part.count < 1 << 16, depth < Self.deepest else { return }
        var inner = ShellParser(Array(part), line: line, depth: depth + 1)
        result += inner.commands()
        for byte in part where byte == 0x0a { line += 1 }
    }

    /// `>file`, `2>&1`, `<<EOF`, `<<<word`: the word behind is no argument.
    private mutating func redirection() {
        // The number of the descriptor in front is no word.
        if isWord, word.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) {
            text = []
            isWord = false
        }
        endWord()
        if byte() == UInt8(ascii: "<"), byte(1) == UInt8(ascii: "<"), byte(2) != UInt8(ascii: "<") {
            index += 2
            let stripsTabs = byte() == UInt8(ascii: "-")
            if stripsTabs { index += 1 }
            while byte() == UInt8(ascii: " ") { index += 1 }
            let mark = target()
            pending.append((mark, stripsTabs, result.count))
            return
        }
        while "<>&|".utf8.contains(byte()), index < code.count { index += 1 }
        while byte() == UInt8(ascii: " ") || byte() == 0x09 { index += 1 }
        if byte() == UInt8(ascii: "(") { return }
        _ = target()
    }

    /// The word behind a redirection, without its quotation marks.
    private mutating func target() -> String {
        var bytes: [UInt8] = []
        var quote: UInt8 = 0
        while index < code.count {
            let byte = byte()
            if quote != 0 {
                if byte == quote { quote = 0 } else { bytes.append(byte) }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte <= 0x20 || ";|&<>()".utf8.contains(byte) {
                break
            } else {
                bytes.append(byte)
            }
            if byte == 0x0a { line += 1 }
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func readHeredocs() {
        for heredoc in pending {
            var body = ""
            while index < code.count {
                let end = code[index...].firstIndex(of: 0x0a) ?? code.count
                var text = String(decoding: code[index..<end], as: UTF8.self)
                index = min(end + 1, code.count)
                line += 1
                if heredoc.stripsTabs { text = String(text.drop { $0 == "\t" }) }
                if text == heredoc.mark { break }
                body += text + "\n"
            }
            if result.indices.contains(heredoc.command) { result[heredoc.command].input = body }
        }
        pending = []
        current.line = line
    }
}
