import PinholeSource

/// Finds commands that accept every server in files whose commands no reader reads.
struct InsecureCommands {
    /// The endings of scripts, whose commands are read.
    private static let scripts = [".sh", ".bash", ".zsh", ".ksh", ".fish", ".mk", "file", ".txt", ".env"]

    private static let configuration = MarkSearch(["curlrc"])
    /// The words of which one stands in a line that matters.
    private static let words = MarkSearch(["curl", "wget", "s_client"])

    /// The program whose words go on in the next line: `- curl`, `- -k`.
    private var program: Substring?
    /// Whether a script writes a `.curlrc`.
    private let isOfCurl: Bool
    private let isScript: Bool

    /// Whether the next line may belong to a command or a `.curlrc`.
    var isOpen: Bool { isOfCurl || program != nil }

    init(_ content: [UInt8], named name: String) {
        isOfCurl = Self.configuration.isIn(content)
        isScript =
            Self.scripts.contains(where: name.hasSuffix) || content.starts(with: "#!".utf8)
            || !name.contains(".")
    }

    /// The program that accepts every server; `nil` if the line has none.
    ///
    /// - Parameter bytes: The line. The words of a list, `[curl, -k]`, may stand on lines of their own.
    /// - Returns: The program.
    mutating func program(in bytes: ArraySlice<UInt8>) -> String? {
        guard isOpen || Self.words.isIn(Array(bytes)) else { return nil }
        let line = String(decoding: bytes, as: UTF8.self)
        let words = line.split { " \t\"',[]{}()\\".contains($0) }
        if isOfCurl, words.count == 1 || line.contains("curlrc"),
            words.contains(where: { $0 == "insecure" || SourceCommand.insecureOptions.contains(String($0)) })
        {
            return "curlrc"
        }
        let isItem = line.hasPrefix("- ") && words.count == 2
        let start = words.firstIndex { $0 == "curl" || $0 == "wget" || $0.hasSuffix("/curl") }
        let open = isItem ? program : nil
        program = isItem ? start.map { words[$0] } ?? open : nil
        if words.contains("s_client"), words.contains("-quiet"), !words.contains("-verify_return_error") {
            return "s_client"
        }
        let isList = line.contains("[") || line.contains("\", \"")
        guard let name = start.map({ words[$0] }) ?? open, start == nil || isList || !isScript else {
            return nil
        }
        let options = words[(start.map { $0 + 1 } ?? words.startIndex)...]
            .prefix { !["|", ";", "&&", "||"].contains($0) }
        let commands = CurlCommands(options.map { SourceText(String($0)) }, isWget: name == "wget")
        return commands.transfers.contains(where: \.insecure) ? String(name) : nil
    }
}
