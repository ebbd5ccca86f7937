/// Finds the switches of a line.
extension TrustSwitch {
    /// The words in front of a name that say that it is set.
    private static let setters: Set = [
        "ENV", "ARG", "export", "set", "setenv", "setx", "config", "option", "-e", "--env", "--set",
        "declare",
    ]
    /// The words of lines that declare the options of a program, instead of giving them.
    private static let declarations = [
        "add_argument", "ddOption", "option(", "Option(", "flag", "Flag", "argparse", "sage", "elp", "etavar",
    ]
    /// The words of English, of which two make a line a sentence.
    private static let english: Set = [
        "the", "is", "are", "this", "that", "be", "to", "of", "and", "for", "a", "an", "when", "which",
        "will", "should",
        "you", "your", "can", "must", "not", "with", "it", "by", "or", "if", "use", "as", "in", "on", "was",
        "were",
    ]
    private static let questions = ["if [", "while [", "[[ ", "&& [ ", "|| [ ", " test ", "grep "]
    /// The words of lines whose `secure` is that of a cookie or of mail.
    private static let others = ["ookie", "ession", "smtp", "mail", "port:"]
    private static let longestContext = 240
    private static let quotes = "\"'`"
    private static let dividers = " \t\"'`]),=:>([?!"

    /// Returns the name of the first switch of a line that leaves a check out; `nil` if none does.
    ///
    /// - Parameters:
    ///   - line: The line, without comments.
    ///   - isSetting: Whether it is of a configuration or a script, and not of source code.
    ///   - isProxied: Whether it is of code with a proxy, whose `secure` is such a switch.
    /// - Returns: The name.
    static func name(in line: String, isSetting: Bool, isProxied: Bool = false) -> String? {
        let letters = Array(line)
        var place = 0
        var before = ""
        while place < letters.count {
            guard isOfName(letters[place]) else {
                place += 1
                continue
            }
            let end = letters[place...].firstIndex { !isOfName($0) } ?? letters.count
            let word = String(letters[place..<end]).trimmingDots
            let isSecure = isProxied && word == "secure" && !others.contains(where: line.contains)
            if isSecure || TrustWords.mayBeSwitch(word),
                let known = TrustSwitch(isSecure ? "verify" : word, isSetting: isSetting || isSecure),
                known.isThrown(letters, place..<end, String(word), before, isSetting: isSetting)
            {
                return String(word)
            }
            before = String(word)
            place = end
        }
        return nil
    }

    private func isThrown(
        _ line: [Character],
        _ range: Range<Int>,
        _ word: String,
        _ before: String,
        isSetting: Bool
    ) -> Bool {
        // A line of a made file may be long.
        let first = max(0, range.lowerBound - Self.longestContext)
        let text = String(line[first..<min(line.count, range.upperBound + Self.longestContext)])
        guard !Self.isSentence(text) else { return false }
        let last = range.lowerBound > 0 ? line[range.lowerBound - 1] : " "
        let next = range.upperBound < line.count ? line[range.upperBound] : " "
        // A variable that is read, and the words of a search or a comparison.
        let head = String(line[first..<range.lowerBound])
        if head.hasSuffix("${") || isSetting && Self.questions.contains(where: head.contains) { return false }
        let (divider, value) = Self.value(line[range.upperBound...])
        let isCompared = ["==", "!=", ">=", "~="].contains(where: divider.contains)
        let isGiven = divider != "::" && divider.contains { "=:(".contains($0) } && !isCompared
        if isGiven, leavesOut(value, isSetting: isSetting) { return true }
        let isOption = word.hasPrefix("-")
        let isBlank = divider.allSatisfy { " \t?".contains($0) } && !divider.isEmpty
        if isBlank, leavesOut(value, isSetting: false) {
            let isFirst = head.allSatisfy { " \t-".contains($0) }
            if isOption || isSetting && (isFirst || last == ":") || Self.setters.contains(before) {
                return true
            }
        }
        // `setProperty("a.sslVerify", "false")`, `setopt(SSL_VERIFYPEER, 0)`.
        if divider.contains(","), leavesOut(value, isSetting: false), !isCompared {
            if Self.quotes.contains(last) || word == word.uppercased() { return true }
        }
        guard sense == .leavesOut, !isGiven || divider.hasPrefix("(") || divider.hasPrefix(")") else {
            return false
        }
        if isOption, word.hasPrefix("--") || isClear {
            return !")|]".contains(next) && last != "[" && last != "|"
                && (isSetting || !Self.declarations.contains(where: text.contains))
        }
        guard isClear, !isCompared else { return false }
        let isConstant = word == word.uppercased()
        if isSetting {
            return text.drop { $0 == " " || $0 == "\t" } == word[...]
                || head.last { !" \"'".contains($0) }.map { "=:|(,".contains($0) } == true
        }
        guard !Self.quotes.contains(last) else { return false }
        return next == "(" || isConstant || word.first?.isUppercase == true
    }

    /// The characters behind a name, and the value behind them; that behind a type, if the value is one.
    private static func value(_ rest: ArraySlice<Character>) -> (divider: String, value: String) {
        var rest = rest
        // `<name>a</name><value>true</value>`, `<key>a</key><true/>`.
        while rest.first == "<", let end = rest.firstIndex(of: ">") {
            let tag = String(rest[(rest.startIndex + 1)..<end])
            if ["true/", "false/"].contains(tag) { return ("=", String(tag.dropLast())) }
            rest = rest[(end + 1)...]
            if rest.first != "<" { return ("=", String(rest.prefix(while: isOfName))) }
        }
        var divider = rest.prefix { dividers.contains($0) }
        // `name="a" value="true"`.
        if divider.contains("\""), String(rest.dropFirst(divider.count).prefix(6)) == "value=" {
            rest = rest.dropFirst(divider.count + 5)
            divider = rest.prefix { dividers.contains($0) }
        }
        var behind = rest.dropFirst(divider.count)
        var value = behind.prefix { isOfName($0) || "$*{%<".contains($0) }
        behind = behind.dropFirst(value.count)
        // `VerifyMode::NONE`
        while behind.starts(with: "::") {
            let part = behind.dropFirst(2).prefix(while: isOfName)
            value += "." + part
            behind = behind.dropFirst(2 + part.count)
        }
        // `verify: Bool = false`
        let assigned = behind.drop { " ?<>]".contains($0) }
        if divider.contains(":"), !divider.contains("="), assigned.first == "=", value.first?.isLetter == true
        {
            divider += assigned.prefix { dividers.contains($0) }
            value = assigned.drop { dividers.contains($0) }.prefix(while: isOfName)
        }
        let sign = divider.last == "!" ? "!" : ""
        // `$true` of PowerShell.
        let name = ["$true", "$false"].contains(String(value).lowercased()) ? value.dropFirst() : value
        return (String(divider), sign + String(name))
    }

    private static func isSentence(_ line: String) -> Bool {
        line.split { " \t\"'".contains($0) }.lazy.filter { english.contains(String($0)) }.prefix(2).count == 2
    }

    private static func isOfName(_ letter: Character) -> Bool {
        switch letter.asciiValue ?? 0 {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }
}

extension String {
    /// The text without dots around it, with which a sentence ends.
    fileprivate var trimmingDots: Substring {
        let start = drop { $0 == "." }
        return start.lastIndex { $0 != "." }.map { start[...$0] } ?? ""
    }
}

/// Finds commands that accept every server in files whose commands no reader reads.
struct InsecureCommands {
    /// The endings of scripts, whose commands are read.
    private static let scripts = [".sh", ".bash", ".zsh", ".ksh", ".fish", ".mk", "file", ".txt", ".env"]

    /// Whether the next line may belong to a command or a `.curlrc`.
    private(set) var isOpen: Bool
    /// Whether a script writes a `.curlrc`.
    private let isOfCurl: Bool
    private let isScript: Bool

    init(_ content: [UInt8], named name: String) {
        isOfCurl = content.firstRange(of: Array("curlrc".utf8)) != nil
        isScript =
            Self.scripts.contains(where: name.hasSuffix) || content.starts(with: "#!".utf8)
            || !name.contains(".")
        isOpen = isOfCurl
    }

    /// The option by which a command accepts every server; `nil` if the line has none.
    ///
    /// - Parameter line: The line. The words of a list, `[curl, -k]`, may stand on lines of their own.
    /// - Returns: The option.
    mutating func option(in line: Substring) -> String? {
        let words = line.split { " \t\"',[]{}()\\".contains($0) }
        if isOfCurl, let word = words.first(where: { ["insecure", "--insecure", "-k"].contains($0) }),
            words.count == 1 || line.contains("curlrc")
        {
            return String(word)
        }
        let isItem = line.hasPrefix("- ") && words.count == 2
        let start = words.firstIndex { $0 == "curl" || $0 == "wget" || $0.hasSuffix("/curl") }
        let isContinued = isItem && start == nil && isOpen
        isOpen = isOfCurl || isContinued || isItem && start != nil
        if words.contains("s_client"), words.contains("-quiet"), !words.contains("-verify_return_error") {
            return "s_client"
        }
        let isList = line.contains("[") || line.contains("\", \"")
        guard isContinued || start != nil && (isList || !isScript) else { return nil }
        let options = words[(start ?? words.startIndex)...].prefix { !["|", ";", "&&", "||"].contains($0) }
        let isWget = options.first == "wget"
        return options.first {
            SourceCommand.insecureOptions.contains(String($0)) && !(isWget && $0 == "-k")
                || !isWget && Self.isShort($0)
        }.map(String.init)
    }

    /// `-sk`, `-fsSLk`: letters without a value in front of the last.
    private static func isShort(_ word: Substring) -> Bool {
        word.hasPrefix("-") && word.hasSuffix("k")
            && word.dropFirst().allSatisfy { "fgiIjklLnNOqsSvZ046".contains($0) }
    }
}
