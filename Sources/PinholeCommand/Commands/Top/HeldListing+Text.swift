import PinholeModel
import PinholeRuntime
import PinholeSession

/// A held message as a text that a user reads and edits.
///
/// The first line of a request has its method and path, that of a response has its status. The field lines, an empty
/// line and the content follow.
extension HeldListing {
    private var start: String { status.map { "\($0)" } ?? "\(method) \(path)" }

    private var pairs: [[String]] { (fields ?? []).filter { $0.count == 2 } }

    /// The text for an editor.
    var text: [UInt8] {
        let head = [start] + pairs.map { "\($0[0]): \($0[1])" }
        return Array((head.joined(separator: "\n") + "\n\n").utf8) + body
    }

    /// The text for the screen, with the time that is left.
    var lines: [StyledLine] {
        let facts = [
            ("held by", rule), ("exchange", exchange.map { "\($0)" } ?? "not recorded"),
            ("goes on in", "\(Int(max(0, min(secondsLeft, 1e9)))) s"), ("trouble", trouble),
        ]
        var lines = facts.compactMap { name, value in
            value.map { value in
                var line = StyledLine(name.padded(to: 14), .faint)
                line.add(value)
                return line
            }
        }
        lines += [StyledLine(), StyledLine(start, .bold)]
        lines += pairs.map { BodyLayout.field("\($0[0]): \($0[1])") }
        let type = pairs.first { $0[0].lowercased() == "content-type" }?[1] ?? ""
        return lines + [StyledLine()] + BodyLayout.lines(body, type: type, isWhole: true)
    }

    /// Reads the text after it was edited.
    ///
    /// - Returns: The decision to let the message go on with the changes; `nil` if nothing was changed.
    /// - Throws: ``Problem`` that names the line that cannot be read.
    func verdict(of edited: [UInt8]) throws(Problem) -> MessageDecision? {
        let (head, content) = Self.parts(of: edited)
        var verdict = MessageDecision(.proceed)
        let first = head.first ?? ""
        if first != start {
            let words = first.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            if status != nil {
                guard words.count == 1, let status = Int(first) else {
                    throw Self.problem(1, "a status, such as 404", first)
                }
                verdict.status = status
            } else {
                guard words.count == 2 else { throw Self.problem(1, "a method and a path", first) }
                if words[0] != method { verdict.method = words[0] }
                if words[1] != path { verdict.path = words[1] }
            }
        }
        var lines: [HeaderLine] = []
        for (index, line) in head.enumerated().dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw Self.problem(index + 1, "a header such as “Accept: */*”", line)
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            lines.append(HeaderLine(String(line[..<colon]), String(value)))
        }
        if !lines.elementsEqual(pairs, by: { [$0.name, $0.value] == $1 }) { verdict.fields = lines }
        // Editors end a text with a line break.
        let isSame = content == body || content.last == 0x0a && content.dropLast() == body[...]
        if !isSame { verdict.body = content }
        return verdict == MessageDecision(.proceed) ? nil : verdict
    }

    /// Returns the lines before the first empty line, and the bytes behind it.
    private static func parts(of text: [UInt8]) -> (head: [String], content: [UInt8]) {
        var rest = text[...]
        var head: [String] = []
        while let end = rest.firstIndex(of: 0x0a) {
            var line = rest[..<end]
            if line.last == 0x0d { line = line.dropLast() }
            rest = rest[(end + 1)...]
            if line.isEmpty { return (head, Array(rest)) }
            head.append(String(decoding: line, as: UTF8.self))
        }
        return (rest.isEmpty ? head : head + [String(decoding: rest, as: UTF8.self)], [])
    }

    private static func problem(_ number: Int, _ expected: String, _ found: String) -> Problem {
        Problem(
            422,
            "edited message",
            "line \(number): expected \(expected), found \(TerminalText.quoted(found))"
        )
    }
}
