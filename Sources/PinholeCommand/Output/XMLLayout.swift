import PinholeSession

/// A text of XML in indented lines.
///
/// The layout reads tokens only, so it also lays out a text whose end is missing. White space around the text of an
/// element is left out, and a short text stays on the line of its element.
struct XMLLayout {
    private(set) var lines: [StyledLine] = []
    private var depth = 0

    /// The deepest level that is indented.
    private static let deepest = 40

    private enum Token: Equatable {
        case start(String)
        case end(String)
        /// An element without content, a declaration, a comment or an instruction.
        case whole(String)
        case text(String)
    }

    /// Lays out a text.
    init(_ text: String) {
        let tokens = Self.tokens(of: text)
        var index = 0
        while index < tokens.count {
            switch tokens[index] {
            case .start(let tag):
                let (content, length) = Self.content(tokens, after: index)
                guard let content else {
                    add(Self.tag(tag))
                    depth += 1
                    break
                }
                var line = Self.tag(tag)
                for part in content { line.add(part) }
                add(line)
                index += length
            case .end(let tag):
                depth = max(0, depth - 1)
                add(Self.tag(tag))
            case .whole(let tag): for line in tag.split(separator: "\n") { add(Self.tag(String(line))) }
            case .text(let text): for line in text.split(separator: "\n") { add(StyledLine(line.trimmed)) }
            }
            index += 1
        }
    }

    private mutating func add(_ line: StyledLine) {
        var indented = StyledLine(String(repeating: "  ", count: min(depth, Self.deepest)))
        indented.add(line)
        lines.append(indented)
    }

    /// Returns the text in one line and the end of an element that has no other content, and the number of their tokens.
    private static func content(_ tokens: [Token], after index: Int) -> (parts: [StyledLine]?, length: Int) {
        let next = tokens.dropFirst(index + 1).prefix(2)
        if case .end(let tag)? = next.first { return ([Self.tag(tag)], 1) }
        guard next.count == 2, case .text(let text)? = next.first, !text.contains("\n"),
            case .end(let tag)? = next.last
        else { return (nil, 0) }
        return ([StyledLine(text), Self.tag(tag)], 2)
    }

    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            let before = rest[..<open].trimmed
            if !before.isEmpty { tokens.append(.text(before)) }
            rest = rest[open...]
            let closing = rest.hasPrefix("<!--") ? "-->" : rest.hasPrefix("<![CDATA[") ? "]]>" : ">"
            guard let end = rest.firstRange(of: closing)?.upperBound else { break }
            let tag = String(rest[..<end])
            rest = rest[end...]
            if tag.hasPrefix("</") {
                tokens.append(.end(tag))
            } else if tag.hasSuffix("/>") || tag.hasPrefix("<?") || tag.hasPrefix("<!") {
                tokens.append(.whole(tag))
            } else {
                tokens.append(.start(tag))
            }
        }
        let last = rest.trimmed
        return last.isEmpty ? tokens : tokens + [.text(last)]
    }

    /// Returns a tag in colours: its name, and the values of its attributes.
    private static func tag(_ text: String) -> StyledLine {
        guard !text.hasPrefix("<!"), !text.hasPrefix("<?") else { return StyledLine(text, .faint) }
        let name = text.prefix { !$0.isWhitespace && $0 != ">" }
        var line = StyledLine(name, .of(.blue))
        var quote: Character?
        var run = ""
        for character in text.dropFirst(name.count) {
            run.append(character)
            if let open = quote {
                guard character == open else { continue }
                line.add(run, .of(.green))
                (quote, run) = (nil, "")
            } else if character == "\"" || character == "'" {
                line.add(run.dropLast())
                (quote, run) = (character, String(character))
            }
        }
        line.add(run)
        return line
    }
}
