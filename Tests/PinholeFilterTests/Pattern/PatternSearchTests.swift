import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeFilter

@Suite("Pattern search")
struct PatternSearchTests {
    private static func isFound(_ pattern: String, in text: String) throws -> Bool {
        var search = PatternSearch(try Pattern(pattern))
        return search.isFound(in: Array(text.utf8))
    }

    @Test(
        "finds the same as Python",
        arguments: [
            ("", "", true), ("a", "", false), ("google\\.com", "https://www.GOOGLE.com/", true),
            ("google\\.com", "googleXcom", false), ("^a", "ba", false), ("^a", "ab", true),
            ("a$", "ba", true),
            ("a$", "a\n", true), ("a$", "a\nb", false), ("(?m)a$", "a\nb", true), ("(?m)^b", "a\nb", true),
            ("^b", "a\nb", false), ("\\Aa\\Z", "a", true), ("a.c", "a\nc", true), ("a.c", "aéc", true),
            ("^.$", "é", true), ("^[^a]$", "é", true), ("[äö]x", "öx", true), ("é", "É", false),
            ("ab*c", "ac", true),
            ("ab+c", "ac", false), ("ab{2,3}c", "abbbc", true), ("ab{2,3}c", "abbbbc", false),
            ("a{,2}b", "b", true),
            ("^a{2}$", "aaa", false), ("a{", "a{", true), ("a{x}", "a{x}", true),
            ("\\bid\\b", "an id.", true),
            ("\\bid\\b", "idle", false), ("\\Bid", "void", true), ("\\d{3}", "a12", false),
            ("\\d{3}", "a123", true),
            ("[\\w-]+@x", "a-b@x", true), ("[]]", "]", true), ("[^]]", "]", false), ("[a-c-]", "-", true),
            ("\\x41", "a", true), ("(?-i)A", "a", false), ("(?i)A", "a", true), ("(?P<n>a)b", "ab", true),
            ("(?:a|b)+c", "abac", true), ("a|", "x", true), ("a*?b", "aab", true), ("\\.", "a", false),
            ("\\s", " ", true),
            ("\\S\\W", "a-", true), ("x*", "", true), ("(a|b)*c|d", "abd", true), ("\\t", "\t", true),
            ("\\u00e9", "é", true),
        ]
    )
    func found(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try Self.isFound(pattern, in: text) == expected)
    }

    @Test(
        "finds bytes that are no text",
        arguments: [
            ("\\x89PNG", [0x89, 0x50, 0x4e, 0x47], true), ("\\xff", [0xff], true),
            ("\\xff", [0xc3, 0xbf], false),
            ("\\u00ff", [0xc3, 0xbf], true), ("^[\\x80-\\xff]{2}$", [0x80, 0xff], true),
            ("[\\x80-\\xff]", [0x7f], false), ("^[^\\xff]$", [0xfe], true), ("[^\\xff]", [0xff], false),
            ("\\x00\\x01", [0x00, 0x01], true), ("a\\xe9b", [0x41, 0xe9, 0x42], true),
        ] as [(String, [UInt8], Bool)]
    )
    func bytes(_ pattern: String, _ text: [UInt8], _ expected: Bool) throws {
        var search = PatternSearch(try Pattern(pattern))
        let isFound = search.isFound(in: text)
        #expect(isFound == expected)
    }

    @Test(
        "answers where others go back and forth for years",
        arguments: [
            "(a+)+$", "(a|aa)+$", "(a*)*b", "(.*a){20}b", "(x+x+)+y", "(a?){50}a{50}b", "\\b(\\w+\\s?)*\\b!$",
        ]
    )
    func hostile(_ pattern: String) throws {
        let text = String(repeating: "a", count: 10_000) + "."
        #expect(try !Self.isFound(pattern, in: text))
        var search = PatternSearch(try Pattern(pattern))
        for _ in 0..<3 {
            let isFound = search.isFound(in: Array(text.utf8))
            #expect(!isFound)
        }
    }

    @Test("drops old states and continues: a pattern with 2^20 states")
    func manyStates() throws {
        var random = SeededRandom(seed: 7)
        let text = (0..<3000).map { _ in Bool.random(using: &random) ? "a" : "b" }.joined()
        #expect(try Self.isFound("a.{20}c", in: text + "c") == (text.suffix(21).first == "a"))
        #expect(try !Self.isFound("a.{20}c", in: text))
    }

    @Test("agrees with a search that follows the definition", arguments: 0..<10)
    func definition(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<40 {
            let pattern = Self.pattern(depth: 3, &random)
            let parsed = try Pattern(pattern)
            var search = PatternSearch(parsed)
            for _ in 0..<10 {
                let letters = ["a", "b", "-", "\n"]
                let length = Int.random(in: 0..<7, using: &random)
                let text = (0..<length).map { _ in letters[Int.random(in: 0..<4, using: &random)] }.joined()
                let expected = Reference(Array(text.utf8)).isFound(parsed.node)
                let isFound = search.isFound(in: Array(text.utf8))
                #expect(isFound == expected, "\(pattern) in \(text.debugDescription)")
                if let required = parsed.requiredText, expected { #expect(text.contains(required)) }
            }
        }
    }

    private static func pattern(depth: Int, _ random: inout SeededRandom) -> String {
        let atoms = [
            "a", "b", "-", "[ab]", "[^a]", ".", "\\w", "\\b", "\\B", "^", "$", "\\A", "\\Z", "ab", "",
        ]
        guard depth > 0 else { return atoms[Int.random(in: 0..<atoms.count, using: &random)] }
        let left = pattern(depth: depth - 1, &random)
        let right = pattern(depth: depth - 1, &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return "(?:\(left))*"
        case 1: return "(?:\(left))+\(right)"
        case 2: return "(?:\(left)|\(right))"
        case 3: return "(\(left)){1,2}"
        case 4: return "(?:\(left))?\(right)"
        default: return left + right
        }
    }
}

/// Follows the definition of an expression: where a match can end that begins here.
private struct Reference {
    let text: [UInt8]

    init(_ text: [UInt8]) { self.text = text }

    func isFound(_ node: PatternNode) -> Bool {
        text.indices.contains { !ends(node, [$0]).isEmpty } || !ends(node, [text.count]).isEmpty
    }

    private func ends(_ node: PatternNode, _ starts: Set<Int>) -> Set<Int> {
        switch node {
        case .empty: return starts
        case .byte(let set):
            return Set(starts.filter { $0 < text.count && set.contains(text[$0]) }.map { $0 + 1 })
        case .sequence(let parts): return parts.reduce(starts) { ends($1, $0) }
        case .choice(let branches): return branches.reduce(into: []) { $0.formUnion(ends($1, starts)) }
        case .assertion(let assertion): return starts.filter { holds(assertion, at: $0) }
        case .group(let part, _): return ends(part, starts)
        case .repeated(let part, let least, let most, _):
            var current = (0..<least).reduce(starts) { places, _ in ends(part, places) }
            var all = current
            for _ in 0..<((most ?? least + text.count + 1) - least) {
                current = ends(part, current)
                all.formUnion(current)
            }
            return all
        }
    }

    private func holds(_ assertion: PatternNode.Assertion, at place: Int) -> Bool {
        let isWord = { (index: Int) in text.indices.contains(index) && ByteSet.word.contains(text[index]) }
        let isBoundary = isWord(place - 1) != isWord(place)
        return switch assertion {
        case .textStart: place == 0
        case .textEnd: place == text.count
        case .finalLineEnd: place == text.count || (place == text.count - 1 && text[place] == 0x0a)
        case .lineStart: place == 0 || text[place - 1] == 0x0a
        case .lineEnd: place == text.count || text[place] == 0x0a
        case .wordBoundary: isBoundary
        case .insideWord: !isBoundary
        }
    }
}
