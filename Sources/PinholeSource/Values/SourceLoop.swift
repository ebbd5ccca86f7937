/// A block that runs for each element of a collection.
struct SourceLoop: Sendable {
    /// The names of the element, or of its key and its value.
    let variables: [String]
    /// The tokens of the collection.
    let collection: Range<Int>
    /// The tokens that run for each element.
    let body: Range<Int>
    /// Whether the name stands for the collection itself: `PINS.let { … }`.
    let isWhole: Bool
    /// Whether the name stands for the indices of the collection: `for (int i = 0; i < PINS.length; i++)`.
    var isCounted = false

    private static let calls: Set = ["forEach", "each", "onEach", "ForEach", "let", "also", "for_each"]
    private static let words: Set = ["in", "of", "range"]
    /// The most tokens of the head of a loop, and the most parts of a chain of calls.
    private static let longestHead = 400
    private static let longestChain = 128

    /// Finds the loops of a file.
    static func all(in code: SourceCode) -> [SourceLoop] {
        code.tokens.indices.compactMap { index in
            guard let name = code.tokens[index].lastName else { return nil }
            if name == "for" || name == "foreach" { return statement(at: index, in: code) }
            return calls.contains(name) ? call(name, at: index, in: code) : nil
        }
    }

    /// `for (x in LIST) …`, `for (String x : LIST) …`, `for x in LIST { … }`, `for _, x := range LIST { … }`.
    private static func statement(at index: Int, in code: SourceCode) -> SourceLoop? {
        let hasParenthesis = code.isMark("(", at: index + 1)
        // `for (a, b) in LIST` of Swift has its names in parentheses.
        let isTuple = hasParenthesis && code[code.end(of: index + 1) + 1]?.name == "in"
        let header: Range<Int>
        let body: Range<Int>
        if hasParenthesis, !isTuple {
            let close = code.end(of: index + 1)
            header = (index + 2)..<max(index + 2, close)
            guard close + 1 < code.tokens.count else { return nil }
            body =
                code.isMark("{", at: close + 1)
                ? (close + 2)..<max(close + 2, code.end(of: close + 1))
                : (close + 1)..<max(close + 2, code.statementEnd(from: close + 1))
        } else {
            var brace = index + 1
            while brace < min(code.tokens.count, index + longestHead), !code.isMark("{", at: brace),
                !code.isMark(";", at: brace)
            {
                brace = code.tokens[brace].isMark(of: "([") ? code.end(of: brace) + 1 : brace + 1
            }
            // The elements of a collection of Go are in braces, too: the body is the last group of the line.
            while code.isMark("{", at: code.end(of: brace) + 1) { brace = code.end(of: brace) + 1 }
            guard code.isMark("{", at: brace) else { return nil }
            header = (index + 1)..<brace
            body = (brace + 1)..<max(brace + 1, code.end(of: brace))
        }
        guard header.count < longestHead else { return nil }
        if hasParenthesis, let loop = counted(header, body, in: code) { return loop }
        guard
            let separator = header.first(where: { place in
                code.tokens[place].name.map(words.contains) == true
                    || code.isMark(":", at: place) && !code.isMark("=", at: place + 1)
            })
        else { return nil }
        let names = (header.lowerBound..<separator).filter { code.tokens[$0].name != nil }
        var variables = names.compactMap { code.tokens[$0].name }.filter {
            !["val", "var", "let", "const", "final", "await"].contains($0)
        }
        // The type stands in front of the name.
        let isJava = code.isMark(":", at: separator)
        if isJava || !code.tokens[(header.lowerBound)..<separator].contains(where: { $0.isMark(",") }) {
            variables = variables.suffix(1)
        }
        return SourceLoop(
            variables: code.language == .go && variables.first == "_"
                ? Array(variables.dropFirst()) : variables,
            collection: (separator + 1)..<header.upperBound,
            body: body,
            isWhole: false
        )
    }

    /// `for (int i = 0; i < PINS.length; i++)`; `nil` for other heads.
    private static func counted(_ header: Range<Int>, _ body: Range<Int>, in code: SourceCode) -> SourceLoop?
    {
        guard let first = header.first(where: { code.isMark("=", at: $0) }), code[first + 1]?.name == "0",
            code.isMark(";", at: first + 2), let name = code[first - 1]?.name, code[first + 3]?.name == name,
            code.isMark("<", at: first + 4), let list = code[first + 5], list.qualifier != nil,
            ["length", "size", "count"].contains(list.lastName ?? "")
        else { return nil }
        return SourceLoop(
            variables: [name],
            collection: (first + 5)..<(first + 6),
            body: body,
            isWhole: false,
            isCounted: true
        )
    }

    /// `LIST.forEach { … }`, `LIST.forEach(x => …)`.
    private static func call(_ name: String, at index: Int, in code: SourceCode) -> SourceLoop? {
        guard let collection = receiver(of: index, in: code) else { return nil }
        let open = index + 1
        let closure: SourceClosure?
        if code.isMark("(", at: open) {
            closure = SourceClosure.read(at: open + 1, before: code.end(of: open), in: code)
        } else if code.isMark("{", at: open) {
            closure = SourceClosure.read(at: open, before: code.tokens.count, in: code)
        } else {
            closure = nil
        }
        guard let closure else { return nil }
        let isWhole = name == "let" || name == "also"
        return SourceLoop(
            variables: closure.parameters.isEmpty ? ["it", "$0"] : closure.parameters,
            collection: collection,
            body: closure.body,
            isWhole: isWhole
        )
    }

    /// The tokens in front of the last part of a name: `PINS` of `PINS.forEach`, `listOf(…)` of `listOf(…).forEach`.
    private static func receiver(of index: Int, in code: SourceCode) -> Range<Int>? {
        if code.tokens[index].qualifier != nil { return index..<(index + 1) }
        guard code.isMark(".", at: index - 1) else { return nil }
        var start = index - 1
        var parts = 0
        // Groups in brackets belong to the name in front of them on the same line, and a name to the dot before it.
        while start > 0, parts < longestChain {
            parts += 1
            let (before, first) = (code.tokens[start - 1], code.tokens[start])
            let isMember = first.isMark(of: ".?!")
            if before.isMark(of: ")]}"), isMember || first.line == before.line && first.isMark(of: "([{") {
                guard let open = code.start(of: start - 1) else { break }
                start = open
            } else if before.isMark(of: ".?!") {
                start -= 1
            } else if before.name != nil || before.isLiteral {
                let isKeyword = before.name.map { ["return", "in", "of"].contains($0) } == true
                guard !isKeyword, isMember || first.line == before.line && first.isMark(of: "([{") else {
                    break
                }
                start -= 1
            } else {
                break
            }
        }
        return start < index - 1 ? start..<(index - 1) : nil
    }
}
