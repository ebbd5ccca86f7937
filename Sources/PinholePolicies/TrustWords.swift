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

    /// The beginnings of lines that are comments in one of the languages.
    private static let comments = ["//", "/*", "*", "#", "<!--", "--[["]
    private static let longestText = 120

    /// The words, and the stems of which one stands in every switch.
    private static let stems = MarkSearch(
        [
            "verif", "secure", "trust", "validat", "cert", "tls", "ssl", "strict", "pinning", "hostname",
            "curl", "wget",
        ]
        .flatMap { stem in [stem, stem.uppercased(), stem.prefix(1).uppercased() + stem.dropFirst()] }
            + ["HostName", "CNCheck"] + words.sorted()
    )

    /// Whether a name has one of the stems.
    static func mayBeSwitch(_ name: ArraySlice<UInt8>) -> Bool { stems.isIn(Array(name)) }

    /// Returns the first line that has such a word or a switch outside of a comment; `nil` for none.
    ///
    /// - Parameters:
    ///   - content: The bytes of a file.
    ///   - name: The name of the file, for its language.
    ///   - isRead: Whether readers have read the file, so that the words that they know are judged.
    /// - Returns: The line.
    package static func place(in content: [UInt8], named name: String = "", isRead: Bool = false) -> Place? {
        guard !content.contains(0), stems.isIn(content) else { return nil }
        let language =
            SourceLanguage(fileName: name)
            ?? SourceLanguage(firstLine: String(decoding: content.prefix(100), as: UTF8.self))
        let code = language.map { SourceLexer.withoutComments(content, $0) } ?? content
        let isSetting = language == nil || name.hasSuffix(".gradle")
        let isProxied = language != nil && proxies.isIn(code)
        var commands = language == nil ? InsecureCommands(code, named: name) : nil
        var exemptions = ExemptionList()
        var isManual = false
        var number = 0
        for bytes in code.split(separator: 0x0a, omittingEmptySubsequences: false) {
            number += 1
            if language == .ruby, bytes.first == UInt8(ascii: "=") { isManual = !isEndOfManual(bytes) }
            let known = isRead ? nil : word(in: bytes)
            let isOpen = commands?.isOpen == true || exemptions.isOpen
            guard !isManual, known != nil || isOpen || stems.isIn(Array(bytes)) else { continue }
            let line = Array(bytes.drop { $0 == 0x20 || $0 == 0x09 })
            guard !comments.contains(where: { line.starts(with: $0.utf8) }),
                language != nil || !isRemark(line)
            else { continue }
            let text = String(decoding: line, as: UTF8.self)
            let found =
                known ?? TrustSwitch.name(in: line, isSetting: isSetting, isProxied: isProxied)
                ?? (isSetting ? exemptions.name(for: text) : nil) ?? commands?.program(in: text[...])
            guard let word = found, !isRead || !judged.contains(lastPart(word)) else { continue }
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
    private static func isRemark(_ line: [UInt8]) -> Bool {
        [";", "-- ", "! ", "rem ", "REM ", "%"].contains { line.starts(with: $0.utf8) }
    }

    private static func isEndOfManual(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "=cut".utf8) || line.starts(with: "=end".utf8)
    }

    private static func word(in line: ArraySlice<UInt8>) -> String? {
        var start = line.startIndex
        while start < line.endIndex {
            guard isOfWord(line[start]) else {
                start += 1
                continue
            }
            let word = line[start...].prefix(while: isOfWord)
            start += word.count
            for part in [word, word.drop { $0 == 0x2d }] where lengths.contains(part.count) {
                let text = String(decoding: part, as: UTF8.self)
                if words.contains(text) { return text }
            }
        }
        return nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
    }
}
