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
    private var pending: [(mark: String, stripsTabs: Bool, isQuoted: Bool, command: Int)] = []

    /// A list of commands in `{ … }`, `( … )`, or between `if` or `for` and its end, whose output goes to one place.
    private struct Group {
        let end: String
        let start: Int
        let function: String?
        var isCaptured = false
    }

    private var groups: [Group] = []
    /// The place of the first command of the group that ends here.
    private var closed: Int?
    /// The name of a function whose body comes next.
    private var function: String?

    /// The meanings of the word behind a redirection.
    private enum Target {
        case input
        case output
        case none
    }

    private var target: Target?

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
            closed = nil
            line += 1
            index += 1
            readHeredocs()
        case UInt8(ascii: " "), 0x09, 0x0d:
            endWord()
            index += 1
        case UInt8(ascii: "|") where byte(1) != UInt8(ascii: "|"):
            pipe()
            index += byte(1) == UInt8(ascii: "&") ? 2 : 1
        case UInt8(ascii: ";"), UInt8(ascii: "|"):
            endCommand()
            closed = nil
            index += 1
        case UInt8(ascii: ")"):
            endCommand()
            close(")")
            index += 1
        case UInt8(ascii: "&"):
            // `&>file` redirects, `2>&1` is seen at its `>`.
            if byte(1) == UInt8(ascii: ">") {
                endWord()
            } else {
                endCommand()
                closed = nil
            }
            index += 1
        case UInt8(ascii: "("):
            if isWord, text.last == UInt8(ascii: "="), depth < Self.deepest {
                array()
            } else if let end = parametersEnd {
                flush()
                if case .text(let name)? = word.first { function = name }
                endCommand()
                index = end
            } else {
                let isCaptured = target != nil
                endCommand()
                open(")", isCaptured: isCaptured)
            }
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
        if let target {
            redirect(target)
        } else if word == [.text("{")], current.words.first == [.text("function")], current.words.count == 2 {
            if case .text(let name)? = current.words[1].first { function = name }
            finishCommand()
            current = ShellRawCommand(line: line)
            open("}")
        } else if word == [.text("{")] {
            // Braces of groups and functions are no words of a command.
            if current.words.isEmpty { open("}") }
        } else if word == [.text("}")], current.words.isEmpty {
            close("}")
        } else if !assign(word) {
            current.words.append(word)
            closed = nil
        }
        word = []
        isWord = false
    }

    /// The end of `()` behind the first word of a command; `nil` if something else stands there.
    private var parametersEnd: Int? {
        let isFirst = current.words.isEmpty || current.words == [[.text("function")]]
        guard isFirst, isWord, word.isEmpty else { return nil }
        let end = code[min(index + 1, code.count)...].firstIndex { $0 != UInt8(ascii: " ") }
        return end.flatMap { code[$0] == UInt8(ascii: ")") ? $0 : nil }
    }

    private mutating func open(_ end: String, from start: Int? = nil, isCaptured: Bool = false) {
        guard groups.count < Self.mostGroups else { return }
        groups.append(
            Group(end: end, start: start ?? result.count, function: function, isCaptured: isCaptured)
        )
        function = nil
    }

    @discardableResult private mutating func close(_ end: String) -> Bool {
        guard let group = groups.last, group.end == end else { return false }
        groups.removeLast()
        closed = group.start
        guard group.isCaptured else { return true }
        for index in group.start..<result.count { result[index].isCaptured = true }
        return true
    }

    /// Ends a command whose output the next one reads.
    private mutating func pipe() {
        endWord()
        let isCommand = !current.words.isEmpty
        endCommand()
        let receiver = result.count
        guard let start = closed ?? (isCommand ? receiver - 1 : nil) else { return }
        for index in start..<receiver where result[index].receiver == nil {
            result[index].receiver = receiver
        }
        closed = nil
    }

    /// Takes the word behind a redirection.
    private mutating func redirect(_ target: Target) {
        self.target = nil
        switch target {
        case .none: break
        case .input: current.hereString = word
        case .output:
            current.file = word
            guard let closed, current.words.isEmpty else { return }
            for index in closed..<result.count { result[index].file = result[index].file ?? word }
        }
    }

    /// The words that begin a list of commands, each with the word that ends it.
    private static let blocks = [
        "for": "done", "while": "done", "until": "done", "select": "done", "if": "fi", "case": "esac",
    ]
    private static let leading: Set = ["then", "else", "do", "!", "time"]
    private static let mostGroups = 10_000

    /// The first word of a command that is no part of the command in front of it; `nil` for an expression.
    private static func keyword(_ command: ShellRawCommand) -> String? {
        let word = command.words.first { word in !leading.contains { word == [.text($0)] } }
        guard let word, word.count == 1, case .text(let text) = word[0] else { return nil }
        return text
    }

    private mutating func finishCommand() {
        target = nil
        guard !current.words.isEmpty || !current.assignments.isEmpty else { return }
        current.lastLine = line
        current.function = groups.last { $0.function != nil }?.function
        result.append(current)
        guard let word = Self.keyword(current) else { return }
        if let end = Self.blocks[word] {
            open(end, from: result.count - 1)
        } else if close(word), let file = current.file, let closed {
            for index in closed..<result.count { result[index].file = result[index].file ?? file }
        }
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
        finishCommand()
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
        take(inner.result)
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
    private func closing(of start: Int, before limit: Int? = nil) -> Int {
        let limit = limit ?? code.count
        var depth = 0
        var place = start
        var quote: UInt8 = 0
        while place < limit {
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
        return limit
    }

    /// Reads the commands whose output a word holds; they run before its own command.
    private mutating func substituted(_ part: ArraySlice<UInt8>) {
        guard part.count < 1 << 16, depth < Self.deepest else { return }
        var inner = ShellParser(Array(part), line: line, depth: depth + 1)
        take(inner.commands())
        for byte in part where byte == 0x0a { line += 1 }
    }

    /// Adds commands whose output is a part of this script.
    private mutating func take(_ commands: [ShellRawCommand]) {
        let first = result.count
        let function = groups.last { $0.function != nil }?.function
        for var command in commands {
            command.receiver = command.receiver.map { $0 + first }
            command.isCaptured = true
            command.function = command.function ?? function
            result.append(command)
        }
    }

    /// `>file`, `2>&1`, `<<EOF`, `<<<word`: the word behind is no argument.
    private mutating func redirection() {
        // The number of the descriptor in front is no word.
        var isOutput = byte() == UInt8(ascii: ">")
        if isWord, word.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) {
            if text != [UInt8(ascii: "1")] { isOutput = false }
            text = []
            isWord = false
        }
        endWord()
        let start = index
        while "<>&|".utf8.contains(byte()), index < code.count { index += 1 }
        let marks = code[start..<min(index, code.count)]
        let isHeredoc = marks.elementsEqual("<<".utf8)
        let stripsTabs = isHeredoc && byte() == UInt8(ascii: "-")
        if stripsTabs { index += 1 }
        while byte() == UInt8(ascii: " ") || byte() == 0x09 { index += 1 }
        guard !isHeredoc else {
            let isQuoted = "'\"\\\\".utf8.contains(byte())
            let mark = mark()
            pending.append((mark, stripsTabs, isQuoted, result.count))
            return
        }
        // `2>&1`, `>&-`
        let isCopy =
            marks.last == UInt8(ascii: "&") && (byte() == UInt8(ascii: "-") || (0x30...0x39).contains(byte()))
        target = marks.elementsEqual("<<<".utf8) ? .input : isOutput && !isCopy ? .output : Target.none
    }

    /// The word behind `<<`, without its quotation marks.
    private mutating func mark() -> String {
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
            let first = line
            let count = result.count
            while index < code.count {
                let end = code[index...].firstIndex(of: 0x0a) ?? code.count
                let start = index
                var text = String(decoding: code[index..<end], as: UTF8.self)
                index = min(end + 1, code.count)
                if heredoc.stripsTabs { text = String(text.drop { $0 == "\t" }) }
                if text == heredoc.mark {
                    line += 1
                    break
                }
                if !heredoc.isQuoted { readSubstitutions(in: start..<end) }
                line += 1
                body += text + "\n"
            }
            guard heredoc.command < count else { continue }
            result[heredoc.command].input = body
            result[heredoc.command].inputLines = result.count == count ? first..<line : nil
        }
        pending = []
        current.line = line
    }

    /// Reads the commands whose output a line of a heredoc holds.
    private mutating func readSubstitutions(in range: Range<Int>) {
        guard depth < Self.deepest else { return }
        var place = range.lowerBound
        while place < range.upperBound {
            let first = code[place]
            let next = place + 1 < range.upperBound ? code[place + 1] : 0
            var end = range.upperBound
            if first == UInt8(ascii: "$"), next == UInt8(ascii: "(") {
                end = closing(of: place + 1, before: range.upperBound)
                place += 2
            } else if first == UInt8(ascii: "`") {
                end = code[(place + 1)..<range.upperBound].firstIndex(of: first) ?? range.upperBound
                place += 1
            } else {
                place += first == UInt8(ascii: "\\") ? 2 : 1
                continue
            }
            if place < end { substituted(code[place..<end]) }
            place = end + 1
        }
    }
}
