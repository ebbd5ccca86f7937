import PinholeModel
package import PinholeTrust

/// The lines of a policy file, by which reports locate a pin or a setting.
package struct PolicyLines: Sendable {
    private let lines: [String]

    /// Divides the content of a file into lines; `nil` for binary files, such as a binary property list.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.contains(0) else { return nil }
        lines = String(decoding: bytes, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0) }
    }

    /// The line of the first of these pins that the file holds in Base64 or hexadecimal, from 1.
    package func line(of lists: [PinnedList]) -> Int? {
        let pins = lists.flatMap(\.values).filter { $0.certificate == nil }.flatMap { value in
            [Self.unpadded(Base64.encode(value.bytes)), Hexadecimal.encode(value.bytes)]
        }
        return lines.firstIndex { line in pins.contains { line.contains($0) } }.map { $0 + 1 }
    }

    /// Returns the first line that names a host or a pattern of hosts as a whole word, from 1; `nil` for none.
    package func line(naming text: String) -> Int? {
        let word =
            text.hasPrefix("*.") && !lines.contains { $0.contains(text) } ? text.dropFirst(2) : text[...]
        return lines.firstIndex { line in
            line.ranges(of: word).contains { range in
                let before = line[..<range.lowerBound].last
                let after = line[range.upperBound...].first
                return ![before, after].contains { $0.map(Self.isOfName) ?? false }
            }
        }.map { $0 + 1 }
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-._".contains(character)
    }

    /// Returns the line of a finding, from 1: that of the pin which it names, or else of the last part of its path.
    ///
    /// - Parameter finding: The finding; a path such as “line 3” gives the line itself.
    /// - Returns: The line, 1 if the file shows no part of the path.
    package func line(of finding: LintFinding) -> Int {
        if let line = Self.line(in: finding.path), lines.indices.contains(line - 1) { return line }
        let places = Self.places(of: finding.path)
        var line = 0
        for place in places {
            let next = lines[line...].firstIndex { text in place.contains { text.contains($0) } }
            if let next { line = next }
        }
        // Base64 may contain a slash, so each word is searched with and without a prefix such as “sha256/”.
        let words = finding.sentence.split { " ,;:()“”".contains($0) }
        let pins = words.flatMap { word -> [String] in
            let ends = [word] + word.split(separator: "/", maxSplits: 1).suffix(1)
            return ends.map { Self.unpadded(String($0)) }.filter { $0.utf8.count >= 27 }
        }
        // A file may contain a pin twice. The finding is about the one after its domain.
        let named = lines[line...].firstIndex { text in pins.contains { text.contains($0) } }
        return (named ?? lines.firstIndex { text in pins.contains { text.contains($0) } } ?? line) + 1
    }

    /// The number in a path that begins with “line 3”; `nil` for other paths.
    private static func line(in path: String) -> Int? {
        guard path.hasPrefix("line ") else { return nil }
        return Int(path.dropFirst(5).prefix { $0.isASCII && $0.isNumber })
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
