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
    /// The lengths of such words: shorter ones say too little.
    private static let lengths = 8...60

    /// The beginnings of lines that are comments in one of the languages.
    private static let comments = ["//", "/*", "*", "#", "<!--", "--[["]
    private static let longestText = 120

    /// Returns the first line that has such a word outside of a comment; `nil` for none.
    ///
    /// - Parameter content: The bytes of a file.
    /// - Returns: The line.
    package static func place(in content: [UInt8]) -> Place? {
        guard !content.contains(0) else { return nil }
        var number = 0
        for bytes in content.split(separator: 0x0a, omittingEmptySubsequences: false) {
            number += 1
            guard let word = word(in: bytes) else { continue }
            let text = String(decoding: bytes, as: UTF8.self).drop(while: \.isWhitespace)
            guard !comments.contains(where: text.hasPrefix) else { continue }
            let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.endIndex
            return Place(line: number, word: word, text: String(text[..<end].prefix(longestText)))
        }
        return nil
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
