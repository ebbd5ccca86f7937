import PinholeFilter
import PinholeModel

/// The part of a filter that the method, the host and the path of a request decide.
///
/// Most rules name a host or a path, and most requests are for another one. Comparing a few bytes then decides a rule,
/// and none of the facts that a ``FilterJudge`` asks for is made.
indirect enum RequestCondition: Sendable {
    /// A text of the request line.
    enum Word: Sendable {
        case method
        case host
        case path
    }

    /// A test of a text, with the letters of the expected one in lower case.
    enum Test: Sendable {
        case equal([UInt8])
        case starts([UInt8])
        case ends([UInt8])
    }

    /// Only other facts decide.
    case open
    case word(Word, Test)
    case all([RequestCondition])
    case any([RequestCondition])

    /// Creates the condition that a filter requires.
    init(_ node: FilterNode) {
        switch node {
        case .everything, .flag, .number, .host, .not: self = .open
        case .text(let field, let test):
            guard let word = Word(field), let test = Test(test) else {
                self = .open
                return
            }
            self = .word(word, test)
        case .and(let nodes):
            let parts = nodes.map { RequestCondition($0) }.filter { !$0.isOpen }
            self = parts.isEmpty ? .open : .all(parts)
        case .or(let nodes):
            let parts = nodes.map { RequestCondition($0) }
            self = parts.contains(where: \.isOpen) ? .open : .any(parts)
        }
    }

    private var isOpen: Bool { if case .open = self { true } else { false } }

    /// Whether the filter may hold for a request; if not, it certainly does not.
    func mayHold(for words: RequestWords) -> Bool {
        switch self {
        case .open: true
        case .word(.method, let test): test.holds(for: words.method.utf8.span)
        case .word(.host, let test): test.holds(for: words.host.utf8.span)
        case .word(.path, let test):
            words.pathLength.map { test.holds(for: words.path.utf8.span.extracting(first: $0)) } ?? true
        case .all(let parts): parts.allSatisfy { $0.mayHold(for: words) }
        case .any(let parts): parts.contains { $0.mayHold(for: words) }
        }
    }

    /// Whether the filter may hold for some request to a host.
    func mayHold(atHost host: String) -> Bool {
        switch self {
        case .open, .word(.method, _), .word(.path, _): true
        case .word(.host, let test): test.holds(for: host.utf8.span)
        case .all(let parts): parts.allSatisfy { $0.mayHold(atHost: host) }
        case .any(let parts): parts.contains { $0.mayHold(atHost: host) }
        }
    }
}

/// The texts of a request that a ``RequestCondition`` compares.
struct RequestWords {
    let method: String
    let host: String
    let path: String
    /// The length of the path without its query; `nil` if it has other characters than those of ASCII.
    let pathLength: Int?

    init(_ request: RuleRequest) {
        method = request.method
        host = request.authority.host.description
        path = request.path
        pathLength = Self.length(of: path.utf8.span)
    }

    private static func length(of path: Span<UInt8>) -> Int? {
        var length = path.count
        for place in path.indices.reversed() {
            // A character beyond ASCII may combine with the question mark before it, which then begins no query.
            guard path[place] < 0x80 else { return nil }
            if path[place] == 0x3f { length = place }
        }
        return length
    }
}

extension RequestCondition.Word {
    init?(_ field: TextField) {
        switch field {
        case .method: self = .method
        case .host: self = .host
        case .path: self = .path
        default: return nil
        }
    }
}

extension RequestCondition.Test {
    init?(_ test: TextTest) {
        switch test {
        case .equal(let text): self = .equal(text.utf8.map(CaseFolding.lower))
        case .starts(let text): self = .starts(text.utf8.map(CaseFolding.lower))
        case .ends(let text): self = .ends(text.utf8.map(CaseFolding.lower))
        case .contains, .glob, .matches: return nil
        }
    }

    func holds(for text: Span<UInt8>) -> Bool {
        switch self {
        case .equal(let expected): text.count == expected.count && Self.matches(text, from: 0, expected)
        case .starts(let expected): Self.matches(text, from: 0, expected)
        case .ends(let expected): Self.matches(text, from: text.count - expected.count, expected)
        }
    }

    /// Whether the bytes of `text` from `start` on begin with `expected`.
    private static func matches(_ text: Span<UInt8>, from start: Int, _ expected: [UInt8]) -> Bool {
        guard start >= 0, text.count - start >= expected.count else { return false }
        for place in expected.indices where CaseFolding.lower(text[start + place]) != expected[place] {
            return false
        }
        return true
    }
}
