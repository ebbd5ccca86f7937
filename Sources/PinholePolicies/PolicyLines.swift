import PinholeModel
package import PinholeTrust

/// The lines of a policy file, by which reports locate a pin or a setting.
package struct PolicyLines: Sendable {
    private let count: Int
    /// The numbers of the lines that hold a word, from 0, in order.
    private var holders: [Substring: [Int]] = [:]

    /// The length from which a word may be a pin.
    private static let pinLength = 27
    /// The number of parts of a word between slashes at which a pin may begin: Base64 contains slashes, too.
    private static let mostPrefixes = 4

    /// Divides the content of a file into lines; `nil` for binary files, such as a binary property list.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - findings: The findings whose lines are sought: the words are left out if each of them names its line.
    package init?(_ bytes: [UInt8], for findings: [LintFinding]? = nil) {
        guard !bytes.contains(0) else { return nil }
        if findings?.allSatisfy({ Self.line(in: $0.path) != nil }) == true, !bytes.contains(0x0d) {
            // The last line may be one behind the last line feed.
            count = bytes.count { $0 == 0x0a } + 1
            return
        }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        count = lines.count
        for (number, line) in lines.enumerated() {
            for name in line.utf8.split(whereSeparator: { !Self.isOfName($0) }) {
                add(Substring(name), number)
                // A pattern such as “*.example.com” is a word of its own.
                if name.first == UInt8(ascii: "."), line.utf8[..<name.startIndex].last == UInt8(ascii: "*") {
                    add("*" + Substring(name), number)
                }
            }
            for word in line.utf8.split(whereSeparator: { !Self.isOfPin($0) }) { add(pinIn: word, number) }
        }
    }

    /// Adds a word with and without prefixes such as “sha256/”, if it may be a pin.
    private mutating func add(pinIn word: Substring.UTF8View, _ number: Int) {
        var rest = word
        for _ in 0..<Self.mostPrefixes where rest.count >= Self.pinLength {
            add(Substring(rest), number)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return }
            rest = rest[rest.index(after: slash)...]
        }
    }

    private mutating func add(_ word: Substring, _ number: Int) {
        if holders[word, default: []].last != number { holders[word, default: []].append(number) }
    }

    /// Returns the first line from `start` on that holds one of these words.
    private func first(of words: [String], from start: Int = 0) -> Int? {
        words.compactMap { word in
            guard let numbers = holders[word[...]] else { return nil }
            var (low, high) = (0, numbers.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] < start { low = middle + 1 } else { high = middle }
            }
            return low < numbers.count ? numbers[low] : nil
        }.min()
    }

    /// The line of the first of these pins that the file holds in Base64 or hexadecimal, from 1.
    package func line(of lists: [PinnedList]) -> Int? {
        let pins = lists.flatMap(\.values).filter { $0.certificate == nil }.flatMap { value in
            [Self.unpadded(Base64.encode(value.bytes)), Hexadecimal.encode(value.bytes)]
        }
        return first(of: pins).map { $0 + 1 }
    }

    /// Returns the first line that names a host or a pattern of hosts as a whole word, from 1; `nil` for none.
    package func line(naming text: String) -> Int? {
        let found = first(of: [text]) ?? (text.hasPrefix("*.") ? first(of: [String(text.dropFirst(2))]) : nil)
        return found.map { $0 + 1 }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        // A byte of 0x80 or more belongs to a letter of another script.
        isLetterOrDigit(byte) || byte >= 0x80 || "-._".utf8.contains(byte)
    }

    /// Whether a byte may stand within a pin, perhaps by mistake.
    private static func isOfPin(_ byte: UInt8) -> Bool {
        byte > UInt8(ascii: " ") && byte < 0x7f && !"<>\"'`()[]{},;:=&\\".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Returns the line of a finding, from 1: that of the pin which it names, or else of the last part of its path.
    ///
    /// - Parameter finding: The finding; a path such as “line 3” gives the line itself.
    /// - Returns: The line, 1 if the file shows no part of the path.
    package func line(of finding: LintFinding) -> Int {
        if let line = Self.line(in: finding.path), (1...count).contains(line) { return line }
        let places = Self.places(of: finding.path)
        var line = 0
        for place in places {
            if let next = first(of: place, from: line) { line = next }
        }
        // Base64 may contain a slash, so each word is searched with and without a prefix such as “sha256/”.
        let words = finding.sentence.split { " ,;:()“”".contains($0) }
        let pins = words.flatMap { word -> [String] in
            let ends = [word] + word.split(separator: "/", maxSplits: 1).suffix(1)
            return ends.map { Self.unpadded(String($0)) }.filter { $0.utf8.count >= Self.pinLength }
        }
        // A file may contain a pin twice. The finding is about the one after its domain.
        return (first(of: pins, from: line) ?? first(of: pins) ?? line) + 1
    }

    /// The number in a path of which a part is “line 3”; `nil` for other paths.
    private static func line(in path: String) -> Int? {
        guard let part = path.split(separator: "/").last(where: { $0.hasPrefix("line ") }) else { return nil }
        return Int(part.dropFirst(5).prefix { $0.isASCII && $0.isNumber })
    }

    /// The parts of a path, each with the texts by which a file may show it: `domain-config[a.test]` by `a.test`.
    private static func places(of path: String) -> [[String]] {
        path.split(separator: "/").map { part in
            let names = part.split { "[]".contains($0) }.map { String($0) }
            // The index of a list's element is not in the text of the file.
            let inside = names.dropFirst().filter { !$0.allSatisfy(\.isNumber) }
            return inside.isEmpty ? Array(names.prefix(1)) : inside
        }
    }

    private static func unpadded(_ text: String) -> String {
        String(text.prefix { $0 != "=" })
    }
}
