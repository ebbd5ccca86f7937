import PinholeSource

/// The text around a switch: the section, the list or the message that it stands in.
extension TrustSwitch {
    /// The subjects of sections whose check is not that of a server.
    private static let subjects: Set = [
        "signature", "signing", "checksum", "jwt", "jws", "gpg", "pgp", "token", "digest", "hash",
        "integrity",
    ]
    /// The most bytes in front of a switch that are searched for its sections and brackets.
    private static let farthest = 4000
    /// The most brackets around a switch whose names are read.
    private static let deepest = 16

    /// Whether a setting stands in a section that checks something else than servers: `[signature]`, `jwt: {`.
    static func isOfOtherSubject(_ place: Int, in code: [UInt8]) -> Bool {
        let text = code[max(0, place - farthest)..<place]
        var head = text
        for _ in 0..<deepest {
            guard let bracket = bracket(around: head) else { break }
            head = head[..<bracket]
            if isOther(head.split { $0 == 0x0a || $0 == UInt8(ascii: ",") }.last ?? []) { return true }
        }
        var indent = Int.max
        for line in text.split(separator: 0x0a, omittingEmptySubsequences: false).reversed() {
            let content = line.drop { $0 == 0x20 || $0 == 0x09 }
            let last = content.last { $0 > 0x20 }
            if content.first == UInt8(ascii: "["), last == UInt8(ascii: "]") { return isOther(content) }
            let own = content.startIndex - line.startIndex
            if own < indent, last == UInt8(ascii: ":"), isOther(content) { return true }
            if !content.isEmpty || indent == .max { indent = min(indent, own) }
        }
        return false
    }

    private static func isOther(_ name: ArraySlice<UInt8>) -> Bool {
        parts(of: name).contains { part in
            subjects.contains(part) || part.last == "s" && subjects.contains(String(part.dropLast()))
        }
    }

    /// Whether a name is declared as a case of an enumeration or as a constant, and not used.
    static func isDeclared(_ range: Range<Int>, in code: [UInt8]) -> Bool {
        let head = code[max(0, range.lowerBound - farthest)..<range.lowerBound]
        let line = head.split(separator: 0x0a, omittingEmptySubsequences: false).last ?? []
        if line.starts(with: "#define".utf8) { return true }
        guard !code[range].contains(UInt8(ascii: ".")), let before = head.last(where: { $0 > 0x20 }),
            let bracket = bracket(around: head)
        else { return false }
        let owner = head[..<bracket].last { $0 > 0x20 }
        let next = code[range.upperBound...].first { $0 != 0x20 && $0 != 0x09 } ?? 0x0a
        let isFirst = line.allSatisfy { $0 <= 0x20 }
        // `const (` of Go has names on their lines.
        if head[bracket] == UInt8(ascii: "(") {
            return isFirst && head[..<bracket].suffix(6).filter { $0 > 0x20 }.elementsEqual("const".utf8)
        }
        // The initial values of a list have `=` or `]` in front of them.
        guard head[bracket] == UInt8(ascii: "{"), owner.map(isOfName) == true else { return false }
        return "{,".utf8.contains(before) && "\n\r,};(".utf8.contains(next)
    }

    /// The innermost bracket that is open at the end of a text.
    private static func bracket(around head: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        return head.lastIndex { byte in
            if ")]}".utf8.contains(byte) { depth += 1 }
            if "([{".utf8.contains(byte) { depth -= 1 }
            return depth < 0
        }
    }

    /// Whether an option stands in the help or a message of a program: `-k, --option  its use`, `print("… --option")`.
    static func isPrinted(
        _ range: Range<Int>,
        in line: ArraySlice<UInt8>,
        of code: [UInt8],
        isSetting: Bool
    ) -> Bool {
        guard code[range.lowerBound] == UInt8(ascii: "-") else { return false }
        let head = line[..<range.lowerBound].suffix(longestContext)
        let behind = line[range.upperBound...].prefix(longestContext)
        let text = (head.split(omittingEmptySubsequences: false) { "\"'`".utf8.contains($0) }.last ?? [])
            .filter { $0 > 0x20 }
        // A command may go on behind the backslash of the line in front.
        let isFirst =
            text.isEmpty && code[..<line.startIndex].last { $0 > 0x20 } != UInt8(ascii: "\\")
            || text.first == UInt8(ascii: "-") && text.last == UInt8(ascii: ",")
        let rest = behind.drop { $0 == 0x20 || $0 == 0x09 }
        let isDivided = rest.startIndex - behind.startIndex > 1 || behind.starts(with: "\\t".utf8)
        let isWord = rest.first.map { (0x61...0x7a).contains($0 | 0x20) || $0 == UInt8(ascii: "\\") } == true
        if isFirst, isDivided, isWord, rest.contains(0x20), !rest.contains(UInt8(ascii: "/")) { return true }
        let statement = head.split(omittingEmptySubsequences: false) { ";&|".utf8.contains($0) }.last ?? []
        guard let quote = statement.first(where: { "\"'`".utf8.contains($0) }),
            !statement.count(where: { $0 == quote }).isMultiple(of: 2)
        else { return false }
        // The shell may write the text to a file, or hand it to a program.
        let written = String(decoding: behind, as: UTF8.self).replacing(">&2", with: "")
        if isSetting, written.contains(where: { ">|".contains($0) }) { return false }
        return statement.prefix { $0 != quote }.split { !isOfName($0) || $0 == UInt8(ascii: ".") }.contains {
            let name = String(decoding: $0, as: UTF8.self)
            return name != "format" && SourceCommand.isPrinter(name)
        }
    }
}
