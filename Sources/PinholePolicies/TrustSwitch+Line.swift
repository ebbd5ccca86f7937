import PinholeSource

/// Finds the switches of a line.
extension TrustSwitch {
    /// The words in front of a name that say that it is set.
    private static let setters: Set = [
        "ENV", "ARG", "export", "set", "setenv", "setx", "config", "option", "-e", "--env", "--set",
        "declare",
    ]
    /// The words of lines that declare the options of a program, instead of giving them.
    private static let declarations = MarkSearch([
        "add_argument", "ddOption", "option(", "Option(", "flag", "Flag", "argparse", "sage", "elp", "etavar",
    ])
    private static let questions = MarkSearch([
        "if [", "while [", "[[ ", "&& [ ", "|| [ ", " test ", "grep ",
    ])
    /// The words of lines whose `secure` is that of a cookie or of mail.
    private static let others = MarkSearch(["ookie", "ession", "smtp", "mail", "port:"])
    /// A line of a made file may be long: this many bytes on each side of a name are read with it.
    private static let longestContext = 240
    private static let dividers = Set(" \t\"'`]),=:>([?!".utf8)

    /// Finds the switches of the lines of one file, and reads each name once.
    struct Finder {
        /// Whether the file is a configuration or a script, and no source code.
        let isSetting: Bool
        /// Whether it is code with a proxy, whose `secure` is such a switch.
        let isProxied: Bool
        private var known: [ArraySlice<UInt8>: TrustSwitch?] = [:]

        init(isSetting: Bool, isProxied: Bool) {
            self.isSetting = isSetting
            self.isProxied = isProxied
        }

        /// Returns the name of the first switch of a line that leaves a check out; `nil` if none does.
        ///
        /// - Parameters:
        ///   - line: The line, without comments.
        ///   - places: The places in the line at which a part of such a name stands.
        /// - Returns: The name.
        mutating func name(in line: ArraySlice<UInt8>, at places: some Sequence<Int>) -> String? {
            var mayBeSecure: Bool?
            var end = line.startIndex
            for place in places where place >= end && place < line.endIndex {
                let start = line[end..<place].lastIndex { !isOfName($0) }.map { $0 + 1 } ?? end
                end = line[place...].firstIndex { !isOfName($0) } ?? line.endIndex
                let word = trimmed(line[start..<end])
                var known: TrustSwitch?
                if isProxied, word.elementsEqual("secure".utf8) {
                    mayBeSecure = mayBeSecure ?? !others.isIn(Array(line))
                    if mayBeSecure == true {
                        known = TrustSwitch(Array("verify".utf8)[...], isSetting: true)
                    }
                }
                known = known ?? self.known[word] ?? read(word)
                if known?.isThrown(line, start..<end, word, isSetting: isSetting) == true {
                    return String(decoding: word, as: UTF8.self)
                }
            }
            return nil
        }

        private mutating func read(_ word: ArraySlice<UInt8>) -> TrustSwitch? {
            let found = TrustSwitch(word, isSetting: isSetting)
            known[word] = .some(found)
            return found
        }
    }

    private func isThrown(
        _ line: ArraySlice<UInt8>,
        _ range: Range<Int>,
        _ word: ArraySlice<UInt8>,
        isSetting: Bool
    ) -> Bool {
        let head = line[max(line.startIndex, range.lowerBound - Self.longestContext)..<range.lowerBound]
        let behind = line[range.upperBound..<min(line.endIndex, range.upperBound + Self.longestContext)]
        let last = head.lastIndex(where: Self.isOfName).map { head[...$0] } ?? []
        let before = Self.trimmed(last.lastIndex { !Self.isOfName($0) }.map { last[($0 + 1)...] } ?? last)
        if sense == .exempts {
            // A declaration of the option, or its line in the help of a program: `--option VALUE  what it does`.
            let isHelp = behind.drop { $0 == 0x20 }.firstRange(of: [0x20, 0x20]) != nil
            if isHelp || Self.declarations.isIn(Array(head)) { return false }
        }
        guard isThrown(head, String(decoding: word, as: UTF8.self), before, behind, isSetting: isSetting)
        else {
            return false
        }
        // A variable that is read, and the words of a search, a comparison or a sentence.
        if head.suffix(2).elementsEqual("${".utf8) || isSetting && Self.questions.isIn(Array(head)) {
            return false
        }
        return !SourceLanguage.isSentence(head + line[range] + behind)
    }

    private func isThrown(
        _ head: ArraySlice<UInt8>,
        _ word: String,
        _ before: ArraySlice<UInt8>,
        _ behind: ArraySlice<UInt8>,
        isSetting: Bool
    ) -> Bool {
        let last = head.last ?? UInt8(ascii: " ")
        let next = behind.first ?? UInt8(ascii: " ")
        let (divider, value) = Self.value(behind)
        let isCompared = ["==", "!=", ">=", "~="].contains(where: divider.contains)
        // The empty text is a value by its quotation marks, or as the rest of a line of a configuration.
        if sense == .method {
            let marks = divider.count { $0 == "\"" || $0 == "'" }
            let isEmpty = value.isEmpty && !isCompared
            return isEmpty && (marks >= (isQuoted(last) ? 3 : 2) || isSetting && divider.hasPrefix("="))
        }
        let isGiven = divider != "::" && divider.utf8.contains { "=:(".utf8.contains($0) } && !isCompared
        if isGiven, leavesOut(value, isSetting: isSetting) { return true }
        let isOption = word.hasPrefix("-")
        // The cases that are left out: `--trust-server-cert-failures=unknown-ca`.
        if isOption, isClear, isGiven, !value.isEmpty, !Self.off.contains(value.lowercased()) { return true }
        // A configuration may have quotation marks around the value: `ssl_verify "off"`.
        let isBlank =
            divider.utf8.first.map { " \t?".utf8.contains($0) } == true
            && divider.utf8.allSatisfy { (isSetting ? " \t?\"'" : " \t?").utf8.contains($0) }
        if isBlank, leavesOut(value, isSetting: false) {
            let isFirst = head.allSatisfy { " \t-".utf8.contains($0) }
            if isOption || isSetting && (isFirst || last == UInt8(ascii: ":"))
                || Self.setters.contains(String(decoding: before, as: UTF8.self))
            {
                return true
            }
        }
        let isConstant = word == word.uppercased()
        let isQuoted = isQuoted(last)
        // `setProperty("a.sslVerify", "false")`, `setopt(SSL_VERIFYPEER, 0)`.
        if divider.contains(","), isQuoted || isConstant, !isCompared, leavesOut(value, isSetting: false) {
            return true
        }
        guard sense == .leavesOut, !isGiven || divider.hasPrefix("(") || divider.hasPrefix(")") else {
            return false
        }
        if isOption, word.hasPrefix("--") || isClear {
            return !")|]".utf8.contains(next) && !"[|".utf8.contains(last)
                && (isSetting || !Self.declarations.isIn(Array(head + Array(word.utf8) + behind)))
        }
        guard isClear, !isCompared else { return false }
        if isSetting {
            let mark = head.last { !" \"'".utf8.contains($0) }
            return head.allSatisfy { " \t".utf8.contains($0) } && behind.isEmpty
                || mark.map("=:|(,".utf8.contains) == true
        }
        return !isQuoted && (next == UInt8(ascii: "(") || isConstant || word.first?.isUppercase == true)
    }

    private func isQuoted(_ byte: UInt8) -> Bool { "\"'`".utf8.contains(byte) }

    /// The characters behind a name, and the value behind them; that behind a type, if the value is one.
    private static func value(_ rest: ArraySlice<UInt8>) -> (divider: String, value: String) {
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        var rest = rest
        // `<name>a</name><value>true</value>`, `<key>a</key><true/>`.
        while rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
            let tag = text(rest[(rest.startIndex + 1)..<end])
            if ["true/", "false/"].contains(tag) { return ("=", String(tag.dropLast())) }
            rest = rest[(end + 1)...]
            if rest.first != UInt8(ascii: "<") { return ("=", text(rest.prefix(while: isOfName))) }
        }
        var divider = rest.prefix(while: dividers.contains)
        // `name="a" value="true"`.
        if divider.contains(UInt8(ascii: "\"")), rest.dropFirst(divider.count).starts(with: "value=".utf8) {
            rest = rest.dropFirst(divider.count + 5)
            divider = rest.prefix(while: dividers.contains)
        }
        var behind = rest.dropFirst(divider.count)
        var value = text(behind.prefix { isOfName($0) || "$*{%<".utf8.contains($0) })
        behind = behind.dropFirst(value.utf8.count)
        // `VerifyMode::NONE`
        while behind.starts(with: "::".utf8) {
            let part = behind.dropFirst(2).prefix(while: isOfName)
            value += "." + text(part)
            behind = behind.dropFirst(2 + part.count)
        }
        var mark = text(divider)
        // `verify: Bool = false`
        let assigned = behind.drop { " ?<>]".utf8.contains($0) }
        if mark.contains(":"), !mark.contains("="), assigned.first == UInt8(ascii: "="),
            value.first?.isLetter == true
        {
            mark += text(assigned.prefix(while: dividers.contains))
            value = text(assigned.drop(while: dividers.contains).prefix(while: isOfName))
        }
        // `$true` of PowerShell.
        let name = ["$true", "$false"].contains(value.lowercased()) ? value.dropFirst() : value[...]
        return (mark, (mark.last == "!" ? "!" : "") + name)
    }

    /// A word without dots around it, with which a sentence ends.
    private static func trimmed(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = word.drop { $0 == UInt8(ascii: ".") }
        return start.lastIndex { $0 != UInt8(ascii: ".") }.map { start[...$0] } ?? []
    }

    static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }
}
