/// The string constants of source code, whose names stand for their values in the same file.
///
/// A name that is given two values has none that is known.
struct SourceConstants {
    /// Constants may be made of constants; this deep they are followed.
    private static let rounds = 4

    private var values: [String: String] = [:]

    /// Puts the values of constants in the places of their names, and joins literals with a `+` between them.
    ///
    /// - Parameter tokens: The source code.
    /// - Returns: The tokens without the values of those constants that are used.
    static func resolved(_ tokens: [SourceToken]) -> [SourceToken] {
        var tokens = tokens
        var used: Set<String> = []
        for _ in 0..<rounds {
            let next = SourceConstants(tokens).replaced(tokens, &used)
            guard next != tokens else { break }
            tokens = next
        }
        return tokens.indices.filter { index in
            tokens[index].literal == nil || declared(at: index, in: tokens).map(used.contains) != true
        }.map { tokens[$0] }
    }

    private init(_ tokens: [SourceToken]) {
        var ambiguous: Set<String> = []
        for (index, token) in tokens.enumerated() {
            guard let text = token.literal, let name = Self.declared(at: index, in: tokens) else { continue }
            // More of the value follows: "a" + b, or "a".trim().
            let follower = index + 1 < tokens.count ? tokens[index + 1] : nil
            let isWhole = follower?.isMark("+") != true && follower?.isMark(".") != true
            if !isWhole || values.updateValue(text, forKey: name).map({ $0 != text }) == true {
                ambiguous.insert(name)
            }
        }
        for name in ambiguous { values[name] = nil }
    }

    /// The name that the literal is the value of: `HOST` in `const val HOST: String = "…"`; `nil` if there is none.
    private static func declared(at index: Int, in tokens: [SourceToken]) -> String? {
        guard index >= 2, tokens[index - 1].isMark("=") else { return nil }
        var subject = index - 2
        if subject >= 2, tokens[subject - 1].isMark(":") { subject -= 2 }
        return tokens[subject].lastName
    }

    private func replaced(_ tokens: [SourceToken], _ used: inout Set<String>) -> [SourceToken] {
        var result: [SourceToken] = []
        for (index, token) in tokens.enumerated() {
            var token = token
            if let text = token.literal {
                token.kind = .literal(filled(text, &used))
            } else if let name = token.lastName, let value = values[name],
                !Self.isDeclaration(at: index, in: tokens)
            {
                used.insert(name)
                token = SourceToken(kind: .literal(value), line: token.line, isResolved: true)
            }
            if let text = token.literal, result.last?.isMark("+") == true,
                let front = result.dropLast().last?.literal
            {
                result.removeLast()
                result[result.count - 1].kind = .literal(front + text)
            } else {
                result.append(token)
            }
        }
        return result
    }

    /// Whether a name is given a value, a type or arguments there.
    private static func isDeclaration(at index: Int, in tokens: [SourceToken]) -> Bool {
        guard index + 1 < tokens.count else { return false }
        let next = tokens[index + 1]
        if next.isMark(":") { return index > 0 && tokens[index - 1].name != nil }
        return next.isMark("=") || next.isMark("(")
    }

    /// Fills a template: `$NAME` and `${NAME}` of Kotlin, `\(NAME)` of Swift.
    private func filled(_ text: String, _ used: inout Set<String>) -> String {
        guard text.contains("$") || text.contains("\\(") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0 == "$" || $0 == "\\" }) {
            result += rest[..<start]
            rest = rest[start...]
            let opening = ["${", "\\(", "$"].first { rest.hasPrefix($0) } ?? ""
            let word = rest.dropFirst(opening.count).prefix {
                $0.isLetter || $0.isNumber || $0 == "_" || (opening != "$" && $0 == ".")
            }
            let name = word.split(separator: ".").last.map(String.init) ?? ""
            let closing = opening == "${" ? "}" : opening == "\\(" ? ")" : ""
            let behind = rest.dropFirst(opening.count + word.count)
            if !opening.isEmpty, let value = values[name], behind.hasPrefix(closing) {
                used.insert(name)
                result += value
                rest = behind.dropFirst(closing.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }
}
