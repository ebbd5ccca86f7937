package import PinholeFilter
import PinholeModel

/// Filters by chance, of every kind of part.
package struct RandomFilter {
    private var random: SeededRandom

    /// Creates the generator of `seed`.
    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private static let words = [
        "a", "api", "GET", "post", "example.com", "200", "/", "https", "x-id", "text/plain", "teapot", "é",
        "\\", "\"",
        "%", "_", "two words", "q=1", "", "*", "a*b", "http", ":8443", "failed", "completed", "1", "reset",
        "127.0.0.1:50000", "intercepted", "TLSv1.3", "looksPinned", "unknown_ca", "hello", "\u{1}", "(", "&",
    ]
    private static let patterns = [
        "api", "^https", "com$", "a.*b", "[0-9]+", "(GET|POST)", "te{1}apot", "\\bid\\b", "é", "x?",
        "/v\\d/items", "",
        "\\.", "hel{2}o$", "^/a", "\"", "\\\\", "a|b", "8443",
    ]
    private static let hosts = [
        "*", "example.com", "*.example.com", "*:8443", "example.com:443", "::1", "[::1]:8443", "192.0.2.*",
        "*1",
        "2001:*", "*:80", "*.com", "*44*",
    ]

    /// The next filter.
    package mutating func next() -> Filter { Filter(node(depth: 4)) }

    private mutating func node(depth: Int) -> FilterNode {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: return .flag(pick(FilterFlag.allCases))
        case 1: return number()
        case 2, 3: return text()
        case 4:
            // A pattern that is a whole name is written as a comparison with that name.
            let host = pick(Self.hosts)
            guard host.contains(where: { "*:".contains($0) }) else { return .text(.host, .equal(host)) }
            return (try? HostPattern(host)).map(FilterNode.host) ?? .everything
        case 5: return Bool.random(using: &random) ? .everything : number()
        case 6, 7: return .all(of: (0..<3).map { _ in node(depth: depth - 1) })
        case 8: return .any(of: (0..<3).map { _ in node(depth: depth - 1) })
        default: return node(depth: depth - 1).negated
        }
    }

    private mutating func number() -> FilterNode {
        let field = pick(NumberField.all)
        let values: [Int64] =
            switch field.unit {
            case .status: [200, 304, 404, 503, 0]
            case .count: [0, 1, 2, 3, 7, 80, 443, 8443, 40]
            case .bytes: [0, 1, 5, 20, 1000, 1 << 20, 1_000_000]
            case .duration: [0, 1, 150, 900, 1000, 5200, 1_000_000, 90_000_000, 3_600_000_000]
            case .moment: [0, 1_767_323_045_678_901, 1_767_323_065_678_901, 1_767_323_046_000_000]
            }
        return .number(field, pick(Relation.allCases), pick(values))
    }

    private mutating func text() -> FilterNode {
        var field = pick(TextField.all)
        if Int.random(in: 0..<6, using: &random) == 0 {
            field = .header(pick(TextField.Part.allCases), pick(["content-type", "x-id", "host"]))
        }
        let word = pick(Self.words)
        switch Int.random(in: 0..<6, using: &random) {
        // Hosts are compared with hosts, and globs of hosts are another part.
        case 0:
            return .text(
                field,
                field == .host ? .contains(word) : .equal(field.values.map { pick($0) } ?? word)
            )
        case 1: return .text(field, .contains(word))
        case 2: return .text(field, .starts(word))
        case 3: return .text(field, .ends(word))
        case 4: return .text(field, field == .host ? .starts(word) : .glob(word + "*"))
        default:
            let pattern = Filter.quotedPattern(pick(Self.patterns))
            let parsed = try? Filter("\(field.name) matches \(pattern)")
            return parsed?.root ?? .everything
        }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}

extension Filter {
    /// The expression in quotes, each backslash and quote escaped.
    fileprivate static func quotedPattern(_ pattern: String) -> String {
        "\"" + pattern.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
