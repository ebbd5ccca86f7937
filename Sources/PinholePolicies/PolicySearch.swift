import PinholeSource

/// Finds out whether a file may be a policy file, in one pass over its bytes.
package struct PolicySearch: Sendable {
    /// The texts of documents; readers of source code name theirs.
    private static let documents = [
        "network-security-config", "NSPinnedDomains", "TSKPinnedDomains", "pinnedpubkey", "pin-sha256",
        "TLSA",
        "TYPE52", "|g0|", "|c0|", "\"mechanism\"", "Public-Key-Pins", "Expect-CT", "\"infoPlist\"",
        "-----BEGIN PUBLIC KEY-----", "curlrc", AndroidManifest.attribute,
    ]
    /// The beginnings of pins, which count with a digest behind them.
    private static let prefixes = ["sha256/", "sha1/"]
    /// The programs that count with an option by which they accept every server.
    private static let programs = ["curl", "wget"]
    /// The escapes of letters, behind which code may write the name of a setting.
    private static let escapes = ["u00", "x"].flatMap { kind in (4...7).map { "\\\(kind)\($0)" } }
    /// The ends of the names of members that JavaScript computes: `[first + second]: false`.
    private static let computed = ["]:", "] :", "]=", "] ="]
    /// The literals with which the name of a setting begins that JavaScript joins from several.
    private static let firstParts = ["\"", "'", "`"].flatMap { quote in
        ["reject", "NODE_TLS", "NODE\(quote)"].map { quote + $0 }
    }
    /// The option stands at most this many bytes behind the program.
    private static let longestCommand = 300
    /// A name that is computed is sought in this many bytes.
    private static let longestName = 80
    /// Fewer characters of Base64 are no digest, not even a broken one.
    private static let shortestDigest = 20

    private let search: MarkSearch
    /// The languages of each mark of source code, in the order of the search.
    private let languages: [Set<SourceLanguage>]

    /// Prepares the search.
    package init() {
        // A mark may have a number behind the name of its function.
        let marks = SourceReader.all.flatMap { reader in
            Set(reader.marks.map { String($0.prefix { $0 != " " }) }).map { ($0, reader.languages) }
        }
        let settings = SettingsReader.all.flatMap(\.marks)
        search = MarkSearch(
            Self.prefixes + Self.programs + Self.escapes + Self.computed + Self.firstParts + Self.documents
                + marks.map(\.0)
                + settings
        )
        languages = marks.map(\.1)
    }

    /// Whether a file decides what a client trusts, in whatever way; prose about it does not.
    package func decidesTrust(_ content: [UInt8], named name: String) -> Bool {
        decision(in: content, named: name) != nil
    }

    /// The place at which a file that no reader reads decides what a client trusts; `nil` for none.
    package func decision(in content: [UInt8], named name: String) -> TrustWords.Place? {
        SourceLanguage.isQuoting(name) ? nil : TrustWords.place(in: content, named: name)
    }

    /// Whether a file may hold pins or settings of trust.
    ///
    /// - Parameters:
    ///   - content: The bytes of the file.
    ///   - name: Its name, which tells the language of source code.
    /// - Returns: Whether a reader has to look at the file.
    package func mayHoldPins(_ content: [UInt8], named name: String) -> Bool {
        // Binary forms of Apple's and Android's files have texts in other encodings.
        if content.starts(with: "bplist".utf8) || content.starts(with: [0x03, 0x00, 0x08, 0x00]) {
            return true
        }
        if name.hasSuffix("curlrc") { return true }
        return Notebook.parts(in: content, named: name).contains { mayHold($0.code, named: $0.name) }
    }

    private func mayHold(_ content: [UInt8], named name: String) -> Bool {
        let language = SourceLanguage(fileName: name)
        let programs = Self.prefixes.count + Self.programs.count
        let escapes = programs + Self.escapes.count
        let computed = escapes + Self.computed.count
        let firstParts = computed + Self.firstParts.count
        let documents = firstParts + Self.documents.count
        // A variable may have the option; the whole file is searched for it once.
        var holdsOption: Bool?
        return search.isIn(content) { mark, end in
            if mark < Self.prefixes.count { return Self.holdsDigest(content, at: end) }
            if mark < programs {
                guard !SourceLanguage.isQuoting(name) else { return false }
                let behind = content[end...].prefix(Self.longestCommand)
                if Self.holdsInsecureOption(behind) { return true }
                guard behind.prefix(while: { $0 != 0x0a }).contains(UInt8(ascii: "$")) else { return false }
                holdsOption = holdsOption ?? Self.holdsInsecureOption(content[...])
                return holdsOption == true
            }
            if mark < escapes { return language != nil }
            if mark < computed { return language == .script && Self.computesName(content, at: end) }
            if mark < firstParts { return language == .script }
            guard mark >= documents else { return true }
            // Settings stand in files that are no source code.
            guard let known = languages.dropFirst(mark - documents).first else {
                return language?.holdsSettings ?? true
            }
            // A word such as “verify” says something in its own language alone.
            return known.isEmpty
                || language.map(known.contains)
                    ?? (SourceLanguage.hasNoEnding(name) && !SourceLanguage.isProse(name))
        }
    }

    /// Whether words have `--insecure`, `--no-check-certificate`, or letters with `k` or a variable: `-fsSLk`, `-s$K`.
    private static func holdsInsecureOption(_ words: ArraySlice<UInt8>) -> Bool {
        let dash = UInt8(ascii: "-")
        for index in words.indices where words[index] == dash {
            if words[index...].starts(with: "--ins".utf8) || words[index...].starts(with: "--no-check".utf8) {
                return true
            }
            guard index == words.startIndex || !(isLetter(words[index - 1]) || words[index - 1] == dash)
            else {
                continue
            }
            let letters = words[(index + 1)...].prefix(while: isLetter)
            if letters.contains(UInt8(ascii: "k")) { return true }
            if words[letters.endIndex...].first == UInt8(ascii: "$"), !letters.isEmpty { return true }
        }
        return false
    }

    /// Whether brackets in front of a value hold a name that is joined.
    private static func computesName(_ content: [UInt8], at end: Int) -> Bool {
        guard content[end...].first != UInt8(ascii: "=") else { return false }
        let name = content[max(0, end - longestName)..<end].split(separator: UInt8(ascii: "[")).last ?? []
        return name.contains(UInt8(ascii: "+")) || name.contains(UInt8(ascii: "$"))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

    private static func holdsDigest(_ content: [UInt8], at start: Int) -> Bool {
        guard start + shortestDigest <= content.count else { return false }
        return content[start..<(start + shortestDigest)].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}
