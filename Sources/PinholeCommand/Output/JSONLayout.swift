/// A text of JSON in indented lines; numbers, escapes and the order of members stay as they were sent.
///
/// The layout reads tokens only, so it also lays out a text whose end is missing.
struct JSONLayout {
    private(set) var lines: [StyledLine] = []
    private var line = StyledLine()
    private var depth = 0

    /// The deepest level that is indented.
    private static let deepest = 40

    /// Lays out a text.
    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            switch scalar {
            case "{", "[":
                line.add(String(scalar))
                let next = Self.next(scalars, after: index)
                if let next, scalars[next] == (scalar == "{" ? "}" : "]") {
                    line.add(String(scalars[next]))
                    index = next
                } else {
                    depth += 1
                    end()
                }
            case "}", "]":
                depth = max(0, depth - 1)
                if !line.text.allSatisfy({ $0 == " " }) { end() } else { line = indented }
                line.add(String(scalar))
            case ",":
                line.add(",")
                end()
            case ":": line.add(": ")
            case " ", "\t", "\n", "\r": break
            default: index = token(scalars, from: index)
            }
            index += 1
        }
        if !line.elements.isEmpty { lines.append(line) }
    }

    private var indented: StyledLine {
        StyledLine(String(repeating: "  ", count: min(depth, Self.deepest)))
    }

    private mutating func end() {
        lines.append(line)
        line = indented
    }

    private static func next(_ scalars: [Unicode.Scalar], after index: Int) -> Int? {
        scalars[(index + 1)...].firstIndex { !$0.properties.isWhitespace }
    }

    /// Writes a string or a word.
    ///
    /// - Returns: The index of its last scalar.
    private mutating func token(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var end = start + 1
        let isString = scalars[start] == "\""
        if isString {
            while end < scalars.count, scalars[end] != "\"" { end += scalars[end] == "\\" ? 2 : 1 }
            end = min(end + 1, scalars.count)
        } else {
            while end < scalars.count, !"{}[],: \t\r\n\"".unicodeScalars.contains(scalars[end]) { end += 1 }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<end])
        let isName = isString && Self.next(scalars, after: end - 1).map { scalars[$0] == ":" } == true
        line.add(String(text), .of(isName ? .blue : isString ? .green : .cyan))
        return end - 1
    }
}
