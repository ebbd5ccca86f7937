import PinholeSource
import PinholeTrust

/// Reads the part of YAML 1.2 in which configurations are written, and JSON, which is a part of YAML.
///
/// Block and flow collections, quoted, plain and block scalars, anchors, aliases and merge keys are read. Tags are
/// skipped. Complex keys, directives and nested anchors of unknown names are refused.
struct YAMLReader {
    /// A line with content.
    private struct Line {
        let indent: Int
        let text: Substring
        let number: Int
    }

    private static let deepest = 64
    private static let mostSettings = 100_000

    private let raw: [Substring]
    private var lines: [Line] = []
    private var place = 0
    private var anchors: [String: Setting] = [:]
    private var document = SettingsDocument()
    private var count = 0
    private let firstLine: Int

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - firstLine: The number of its first line in its file.
    /// - Returns: The settings.
    /// - Throws: ``PolicyFailure`` with the line that is not read.
    static func read(_ text: String, from firstLine: Int = 1) throws(PolicyFailure) -> SettingsDocument {
        var reader = YAMLReader(text, from: firstLine)
        try reader.read()
        return reader.document
    }

    private init(_ text: String, from firstLine: Int) {
        raw = text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline })
        self.firstLine = firstLine
        for (number, line) in raw.enumerated() {
            let content = line.drop { $0 == " " }
            guard let first = content.first, first != "#" else { continue }
            // A document ends or begins, and a directive or a line of a template has no setting.
            if content.hasPrefix("---") || content.hasPrefix("...") || first == "%" && content == line {
                let rest = content.dropFirst(3).drop(while: \.isWhitespace)
                guard content.hasPrefix("---"), !rest.isEmpty, rest.first != "#" else {
                    lines.append(Line(indent: -1, text: "", number: number))
                    continue
                }
                lines.append(Line(indent: -1, text: "", number: number))
                lines.append(Line(indent: 0, text: rest, number: number))
                continue
            }
            lines.append(Line(indent: line.count - content.count, text: content, number: number))
        }
    }

    private func failure(_ number: Int, _ why: String) -> PolicyFailure {
        PolicyFailure("line \(number + firstLine): \(why)")
    }

    private mutating func read() throws(PolicyFailure) {
        while place < lines.count {
            if lines[place].indent < 0 {
                place += 1
                continue
            }
            let start = place
            let node = try block(lines[place].indent, 0)
            document.root.members += node.members
            if node.members.isEmpty, !node.values.isEmpty { document.root.values += node.values }
            if place == start { throw failure(lines[place].number, "expected a setting of YAML") }
        }
    }

    /// Reads the collection whose lines have an indentation.
    private mutating func block(_ indent: Int, _ depth: Int) throws(PolicyFailure) -> Setting {
        var node = Setting(name: "", line: lines[place].number + firstLine)
        guard depth < Self.deepest else { throw failure(lines[place].number, "too many levels") }
        while place < lines.count, lines[place].indent == indent {
            let line = lines[place]
            count += 1
            guard count < Self.mostSettings else { throw failure(line.number, "too many settings") }
            if line.text.hasPrefix("{{") || line.text.hasPrefix("{%") {
                guard Self.isTemplate(line.text) else {
                    throw failure(line.number, "a setting that a template makes")
                }
                place += 1
                continue
            }
            if line.text.first == "\t" { throw failure(line.number, "a tab is not indentation in YAML") }
            if line.text == "-" || line.text.hasPrefix("- ") {
                node.members.append(try element(line, depth))
            } else if let (name, rest) = try key(line.text, line.number) {
                try add(name, rest, line, to: &node, depth)
            } else {
                // A scalar, or a flow collection, alone.
                place += 1
                let value = try value(of: line.text, at: line, deeperThan: indent, depth)
                node.values += value.values
                node.members += value.members
            }
        }
        if place < lines.count, lines[place].indent > indent {
            throw failure(lines[place].number, "an indentation that no line above has")
        }
        return node
    }

    /// Whether a line is one expression of a template, and nothing else.
    private static func isTemplate(_ text: Substring) -> Bool {
        let last = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex
        let end = text.hasPrefix("{{") ? "}}" : "%}"
        return text.firstRange(of: end)?.upperBound == last
    }

    /// An element of a list: `- value`, `- name: value` with more settings below it.
    private mutating func element(_ line: Line, _ depth: Int) throws(PolicyFailure) -> Setting {
        let rest = line.text.dropFirst().drop { $0 == " " }
        let indent = line.indent + (line.text.count - rest.count)
        guard !rest.isEmpty, rest.first != "#" else {
            place += 1
            var element = Setting(name: "", line: line.number + firstLine)
            if place < lines.count, lines[place].indent > line.indent {
                element = try block(lines[place].indent, depth + 1)
            }
            return element
        }
        let name = try key(rest, line.number)
        if rest.hasPrefix("- ") || name != nil {
            lines[place] = Line(indent: indent, text: rest, number: line.number)
            return try block(indent, depth + 1)
        }
        place += 1
        var element = try value(of: rest, at: line, deeperThan: line.indent, depth)
        element.line = line.number + firstLine
        return element
    }

    private mutating func add(
        _ name: String,
        _ rest: Substring,
        _ line: Line,
        to node: inout Setting,
        _ depth: Int
    ) throws(PolicyFailure) {
        place += 1
        var setting = try value(of: rest, at: line, deeperThan: line.indent, depth)
        setting.name = name
        setting.line = line.number + firstLine
        guard name == "<<" else {
            node.members.append(setting)
            return
        }
        // The settings of the line itself win over those that are merged.
        let own = Set(node.members.map(\.key))
        let merged = setting.members.flatMap { $0.name.isEmpty ? $0.members : [$0] }
        node.members.insert(contentsOf: merged.filter { !own.contains($0.key) }, at: 0)
    }

    /// Reads the value that stands behind a name or a dash, or on the lines below it.
    private mutating func value(
        of text: Substring,
        at line: Line,
        deeperThan indent: Int,
        _ depth: Int
    ) throws(PolicyFailure) -> Setting {
        var text = text
        var anchor: String?
        while let first = text.first, first == "&" || first == "!" {
            let word = text.prefix { $0 != " " }
            if first == "&" { anchor = String(word.dropFirst()) }
            text = text.dropFirst(word.count).drop { $0 == " " }
        }
        var node = Setting(name: "", line: line.number + firstLine)
        if text.isEmpty || text.first == "#" {
            // A list may have the indentation of its name.
            if place < lines.count,
                lines[place].indent > indent
                    || lines[place].indent == indent
                        && (lines[place].text == "-" || lines[place].text.hasPrefix("- "))
            {
                let isList = lines[place].indent == indent
                node = isList ? try list(indent, depth) : try block(lines[place].indent, depth + 1)
            }
        } else if text.first == "*" {
            let name = String(text.dropFirst().prefix { $0 != " " && $0 != "," })
            guard let known = anchors[name] else { throw failure(line.number, "no anchor “\(name)” above") }
            node = known
        } else if text.first == "|" || text.first == ">" {
            node.values = [blockScalar(at: line, deeperThan: indent, folds: text.first == ">")]
        } else if text.first == "{" && !text.hasPrefix("{{") || text.first == "[" {
            node = try flow(text, at: line, depth)
        } else if text.first == "\"" || text.first == "'" {
            node.values = [try quoted(text, at: line)]
        } else {
            node.values = [plain(text, deeperThan: indent)]
        }
        if let anchor { anchors[anchor] = node }
        return node
    }

    private mutating func list(_ indent: Int, _ depth: Int) throws(PolicyFailure) -> Setting {
        var node = Setting(name: "", line: lines[place].number + firstLine)
        while place < lines.count, lines[place].indent == indent,
            lines[place].text == "-" || lines[place].text.hasPrefix("- ")
        {
            node.members.append(try element(lines[place], depth + 1))
        }
        return node
    }

    /// A scalar without quotation marks, which may go on with deeper lines.
    private mutating func plain(_ text: Substring, deeperThan indent: Int) -> SourceText {
        var result = Self.withoutComment(text)
        while place < lines.count, lines[place].indent > indent, lines[place].indent >= 0 {
            result += " " + Self.withoutComment(lines[place].text)
            place += 1
        }
        return scalar(result)
    }

    private static func withoutComment(_ text: Substring) -> String {
        let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
        let content = text[..<end]
        let last = content.lastIndex { !$0.isWhitespace }.map(content.index(after:)) ?? content.startIndex
        return String(content[..<last])
    }

    /// The lines below `|` or `>`.
    private mutating func blockScalar(at line: Line, deeperThan indent: Int, folds: Bool) -> SourceText {
        var content: [Substring] = []
        var number = line.number + 1
        var own: Int?
        while number < raw.count {
            let text = raw[number]
            let spaces = text.prefix { $0 == " " }.count
            if !text.allSatisfy(\.isWhitespace) {
                if own == nil { own = spaces }
                guard spaces > indent, spaces >= own ?? 0 else { break }
            }
            content.append(text.dropFirst(own ?? spaces))
            number += 1
        }
        while place < lines.count, lines[place].number < number { place += 1 }
        let text = content.joined(separator: "\n")
        document.embedded.append((text, line.number + 1 + firstLine))
        return scalar(folds ? content.joined(separator: " ") : text)
    }

    /// A scalar in quotation marks, which may go over lines.
    private mutating func quoted(_ text: Substring, at line: Line) throws(PolicyFailure) -> SourceText {
        var flow = FlowScanner(Array(text.utf8), line: line.number)
        while true {
            if let value = try? flow.quoted() { return value }
            guard place < lines.count, lines[place].indent >= 0 else {
                throw failure(line.number, "a text without its closing quotation mark")
            }
            flow.append(Array(" \(lines[place].text)".utf8))
            place += 1
        }
    }

    /// A flow collection: `[a, b]`, `{name: value}`, over any number of lines.
    private mutating func flow(
        _ text: Substring,
        at line: Line,
        _ depth: Int
    ) throws(PolicyFailure) -> Setting {
        var bytes = Array(text.utf8)
        var marks: [(offset: Int, line: Int)] = [(0, line.number)]
        var balance = FlowBalance()
        balance.read(bytes)
        while !balance.isClosed {
            guard place < lines.count, lines[place].indent >= 0 else {
                throw failure(line.number, "a bracket or a text that is not closed")
            }
            marks.append((bytes.count + 1, lines[place].number))
            balance.read(lines[place].text.utf8)
            bytes += Array("\n\(lines[place].text)".utf8)
            place += 1
        }
        var scanner = FlowScanner(bytes, line: line.number, marks, from: firstLine)
        do throws(PolicyFailure) {
            return try scanner.node(depth)
        } catch {
            throw failure(scanner.line, "\(error)")
        }
    }

    /// The name in front of a colon, and the text behind it; `nil` for other lines.
    private func key(_ text: Substring, _ number: Int) throws(PolicyFailure) -> (String, Substring)? {
        if text.hasPrefix("? ") { throw failure(number, "a name that is a collection") }
        if let quote = text.first, quote == "\"" || quote == "'" {
            guard let end = text.dropFirst().firstIndex(of: quote) else { return nil }
            let behind = text[text.index(after: end)...].drop { $0 == " " }
            guard behind.first == ":" else { return nil }
            return (
                String(text[text.index(after: text.startIndex)..<end]),
                behind.dropFirst().drop { $0 == " " || $0 == "\t" }
            )
        }
        guard let first = text.first, !"[{#|>&*!%@`".contains(first) else { return nil }
        var place = text.startIndex
        while let colon = text[place...].firstIndex(of: ":") {
            let next = text.index(after: colon)
            if next == text.endIndex || text[next] == " " || text[next] == "\t" {
                let name = text[..<colon]
                guard !name.contains(" #") else { return nil }
                guard !name.contains("{{") else { throw failure(number, "a name that a template makes") }
                let last = name.lastIndex { $0 != " " }.map(name.index(after:)) ?? name.startIndex
                return (String(name[..<last]), text[next...].drop { $0 == " " || $0 == "\t" })
            }
            place = next
        }
        return nil
    }
}
