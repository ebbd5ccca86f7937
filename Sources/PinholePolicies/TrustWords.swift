import PinholeSource

/// The words by which code and configurations decide what a client of TLS trusts.
///
/// A file with such a word that no reader reads is told, so that silence means that nothing is there.
package enum TrustWords {
    /// A line with such a word.
    package struct Place: Sendable, Hashable {
        /// The number of the line, from 1.
        package let line: Int
        /// The word of the list that stands there.
        package let word: String
        /// The line without the white space around it, cut to a readable length.
        package let text: String
    }

    /// The marks and signs of all readers; hyphens and underscores are parts of words, and an option of a command may be
    /// such a word behind its hyphens.
    static let words: Set<String> = {
        let code = SourceReader.all.flatMap { reader in
            reader.marks.filter { !reader.commonMarks.contains($0) } + reader.signs
        }
        let settings = SettingsReader.all.flatMap { reader in
            reader.marks.filter { !reader.commonMarks.contains($0) }
        }
        return Set(
            (code + settings).filter { lengths.contains($0.utf8.count) && $0.utf8.allSatisfy(isOfWord) }
        )
    }()
    /// The last parts of the names of all marks, by which readers find the switches that they judge.
    private static let judged: Set<String> = {
        let marks = SourceReader.all.flatMap { $0.marks + $0.signs } + SettingsReader.all.flatMap(\.marks)
        return Set(marks.map(lastPart) + SourceCommand.insecureOptions.map(lastPart))
    }()
    /// The lengths of such words: shorter ones say too little.
    private static let lengths = 8...60

    /// The words of configurations, which are the only ones in files of data.
    private static let settings = Set(SettingsReader.all.flatMap(\.marks))
    private static let data = [".yml", ".yaml", ".json", ".toml"]
    private static let completions = MarkSearch([
        "#compdef", "COMPREPLY", "\ncomplete -", "Register-ArgumentCompleter",
    ])
    /// The beginnings of lines that list words: those of Vim's syntax, and completions.
    private static let listings = [
        "syn ", "syntax ", "complete -", "flag:", "- flag:", "option:", "- option:",
    ]
    /// The calls that declare an option of a program.
    private static let declarations = MarkSearch([
        "add_argument(", "add_option(", "click.option(", ".option(", ".Option(", "flag.", "Flags().",
        "Arg::new(",
    ])

    /// The beginnings of lines that are comments in one of the languages.
    private static let comments = ["//", "/*", "*", "#", "<!--", "--[["]
    private static let longestText = 120

    /// The stems of which one stands in every switch, and the words behind them.
    private static let parts =
        [
            "verif", "secure", "trust", "validat", "cert", "tls", "ssl", "strict", "pinning", "hostname",
            "curl", "wget",
        ]
        .flatMap { stem in [stem, stem.uppercased(), stem.prefix(1).uppercased() + stem.dropFirst()] }
        + ["HostName", "CNCheck"]
    private static let sortedWords = words.sorted()
    private static let stems = MarkSearch(parts + sortedWords)

    /// A place at which one of the stems or words stands.
    private struct Mark {
        let place: Int
        /// The whole word that stands there; `nil` for a stem.
        let word: String?
    }

    /// The places of all stems and words, in their order.
    private static func marks(in code: [UInt8]) -> [Mark] {
        var marks: [Mark] = []
        _ = stems.isIn(code) { index, end in
            guard index >= parts.count else {
                marks.append(Mark(place: end - 1, word: nil))
                return false
            }
            let word = sortedWords[index - parts.count]
            let front = code[..<(end - word.utf8.count)].last { $0 != 0x2d }
            let isWhole = front.map(isOfWord) != true && code[end...].first.map(isOfWord) != true
            marks.append(Mark(place: end - 1, word: isWhole ? word : nil))
            return false
        }
        return marks
    }

    /// Returns the first line that has such a word or a switch outside of a comment; `nil` for none.
    ///
    /// - Parameters:
    ///   - content: The bytes of a file.
    ///   - name: The name of the file, for its language.
    ///   - isRead: Whether readers have read the file, so that the words that they know are judged.
    /// - Returns: The line.
    package static func place(in content: [UInt8], named name: String = "", isRead: Bool = false) -> Place? {
        Notebook.parts(in: content, named: name).lazy
            .compactMap { place(inPart: $0.code, named: $0.name, isRead: isRead) }.first
    }

    private static func place(inPart content: [UInt8], named name: String, isRead: Bool) -> Place? {
        guard stems.isIn(content), !content.contains(0) else { return nil }
        let name = name.split(separator: "/").last.map(String.init) ?? ""
        // A completion lists the options of a program.
        guard !completions.isIn(content) else { return nil }
        let isText = name.hasSuffix(".txt")
        let isData = data.contains(where: name.hasSuffix)
        let language =
            SourceLanguage(fileName: name)
            ?? SourceLanguage(firstLine: String(decoding: content.prefix(100), as: UTF8.self))
        let isScript =
            language == nil
            && SettingsForm(name: name, String(decoding: content.prefix(2), as: UTF8.self)) == .commands
        let code =
            language.map { SourceLexer.withoutComments(content, $0) }
            ?? (isScript ? ShellWords.withoutPrintedLines(content) : content)
        let isSetting = language == nil || name.hasSuffix(".gradle")
        let isProxied = language != nil && proxies.isIn(code)
        var commands = language == nil ? InsecureCommands(code, named: name) : nil
        var exemptions = ExemptionList()
        var isManual = false
        var switches = TrustSwitch.Finder(isSetting: isSetting, isProxied: isProxied)
        let marks = marks(in: code)
        var mark = 0
        var next = 0
        while next <= code.count {
            // Lines without a mark are passed over, unless an open list or command, or a manual, may go on there.
            var start = next
            if commands?.isOpen != true, !exemptions.isOpen, language != .ruby {
                guard mark < marks.count else { return nil }
                start = code[start...marks[mark].place].lastIndex(of: 0x0a).map { $0 + 1 } ?? start
            }
            let bytes = code[start...].prefix { $0 != 0x0a }
            next = bytes.endIndex + 1
            let first = mark
            while mark < marks.count, marks[mark].place < bytes.endIndex { mark += 1 }
            if language == .ruby, bytes.first == UInt8(ascii: "=") { isManual = !isEndOfManual(bytes) }
            let isOpen = commands?.isOpen == true || exemptions.isOpen
            guard !isManual, first < mark || isOpen else { continue }
            let line = bytes.drop { $0 == 0x20 || $0 == 0x09 }
            guard !comments.contains(where: { line.starts(with: $0.utf8) }),
                language != nil || !isRemark(line), !listings.contains(where: { line.starts(with: $0.utf8) })
            else { continue }
            if isText, SourceLanguage.isFinished(String(decoding: line, as: UTF8.self)[...]) { continue }
            let own = marks[first..<mark]
            let found =
                (isRead || declarations.isIn(Array(line))
                    ? nil : own.lazy.compactMap(\.word).first { !isData || settings.contains($0) })
                ?? switches.name(in: line, at: own.lazy.map(\.place))
                ?? (isSetting ? exemptions.name(for: line) : nil) ?? commands?.program(in: line)
            guard let word = found, !isRead || !judged.contains(lastPart(word)) else { continue }
            let number = code[..<bytes.startIndex].count { $0 == 0x0a } + 1
            let text = String(decoding: line.prefix(longestText * 4), as: UTF8.self)
            let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.endIndex
            return Place(line: number, word: word, text: String(text[..<end].prefix(longestText)))
        }
        return nil
    }

    /// The last part of a name, in small letters alone: “a.SSL_verify” is “sslverify”.
    private static func lastPart(_ name: String) -> String {
        let part = name.split { ".:=".contains($0) }.last.map(String.init) ?? name
        return part.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// The names of proxies of development servers, whose `secure` says whether the target is verified.
    private static let proxies = MarkSearch(["createProxy", "http-proxy", "httpProxy", "proxy-middleware"])

    /// Whether a line of a configuration is a comment: `; …`, `-- …`, `! …`.
    private static func isRemark(_ line: ArraySlice<UInt8>) -> Bool {
        [";", "-- ", "! ", "rem ", "REM ", "%"].contains { line.starts(with: $0.utf8) }
    }

    private static func isEndOfManual(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "=cut".utf8) || line.starts(with: "=end".utf8)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
    }
}
