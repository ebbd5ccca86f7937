import PinholeModel

/// Writes the canonical form of filters.
enum FilterPrinter {
    /// Returns the canonical form of `node`.
    static func text(_ node: FilterNode) -> String {
        switch node {
        case .everything: "all"
        case .flag(let flag): flag.rawValue
        case .text(let field, let test): text(field, test)
        case .number(let field, let relation, let value):
            "\(field.name) \(relation.rawValue) \(Quantity.text(value, field.unit))"
        case .host(let pattern):
            // A “~” without “*” searches for a part of the text.
            "host \(pattern.description.contains { "*:".contains($0) } ? "~" : "==") \(pattern.description)"
        case .not(let node): negation(node)
        case .and(let parts):
            parts.map { if case .or = $0 { "(\(text($0)))" } else { text($0) } }.joined(separator: " & ")
        case .or(let parts): parts.map(text).joined(separator: " | ")
        }
    }

    private static func negation(_ node: FilterNode) -> String {
        switch node {
        case .everything, .flag: "!\(text(node))"
        case .text(let field, .equal(let value)): "\(field.name) != \(quoted(value))"
        case .number(let field, .equal, let value):
            "\(field.name) != \(Quantity.text(value, field.unit))"
        case .text, .number, .host, .not, .and, .or: "!(\(text(node)))"
        }
    }

    private static func text(_ field: TextField, _ test: TextTest) -> String {
        switch test {
        case .equal(let value): "\(field.name) == \(quoted(value))"
        case .contains(let value): "\(field.name) contains \(quoted(value))"
        case .starts(let value): "\(field.name) startswith \(quoted(value))"
        case .ends(let value): "\(field.name) endswith \(quoted(value))"
        case .glob(let value): "\(field.name) \(value.contains("*") ? "~" : "==") \(quoted(value))"
        case .matches(let pattern): "\(field.name) matches \(quoted(pattern.source))"
        }
    }

    /// Returns the text in quotes, unless it is a plain word.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x2a, 0x2d...0x3a, 0x41...0x5a, 0x5f, 0x61...0x7a: true
            default: false
            }
        }
        guard text.isEmpty || !isPlain else { return text }
        var result = "\""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : "\""
            // A backslash is literal unless a quote or another backslash follows.
            let isEscaped = scalar == "\"" || (scalar == "\\" && (next == "\\" || next == "\""))
            if isEscaped { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}
