/// Replaces the matches of an expression, in time that is linear in the length of the text.
///
/// In the replacement, `$1` to `$9` and `${name}` are the matches of groups, `$0` is the whole match, and `$$` is a
/// dollar sign. ASCII letters match in any case; `(?-i)` at the beginning changes that.
package struct Substitution: Sendable {
    /// A part of the replacement.
    private enum Part: Sendable {
        case text([UInt8])
        case group(Int)
    }

    /// The expression as it was written.
    package let expression: String
    /// The replacement as it was written.
    package let replacement: String

    /// The number of times that each place of a text may be visited.
    private static let passes = 32

    private let search: PatternSearch
    private let matcher: PatternMatcher
    private let parts: [Part]

    /// Parses an expression and its replacement.
    ///
    /// - Parameters:
    ///   - expression: The expression to search for.
    ///   - replacement: The replacement of each match.
    /// - Throws: ``PatternFailure`` for an expression that cannot be searched for, or for a group that it does not
    ///   have.
    package init(_ expression: String, with replacement: String) throws(PatternFailure) {
        let pattern = try Pattern(expression, remembersGroups: true)
        self.expression = expression
        self.replacement = replacement
        search = PatternSearch(pattern)
        matcher = PatternMatcher(pattern)
        parts = try Self.parts(replacement, pattern)
    }

    /// Replaces every match in `text`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The largest length of the result in bytes; groups may be repeated, so the text may grow.
    /// - Returns: The result; `nil` if nothing matched, or if the result would be too long or take too long.
    package func replacing(in text: [UInt8], limit: Int) -> [UInt8]? {
        // A search without groups is much faster, and most texts have no match.
        var search = search
        guard search.isFound(in: text) else { return nil }
        var result: [UInt8] = []
        var position = 0
        // Each match may read the text to its end. The budget keeps all matches together from taking quadratic time.
        var budget = Self.passes * (text.count + 1)
        while position <= text.count,
            let match = matcher.match(in: text, from: position, budget: &budget)
        {
            result += text[position..<match[0]]
            result += expansion(of: match, in: text)
            position = match[1]
            if match[1] == match[0] {
                // After an empty match the next character, with all its bytes, is copied.
                repeat {
                    if position < text.count { result.append(text[position]) }
                    position += 1
                } while position < text.count && text[position] & 0xc0 == 0x80
            }
            guard result.count <= limit else { return nil }
        }
        if position < text.count { result += text[position...] }
        return budget > 0 && result.count <= limit ? result : nil
    }

    /// Returns the replacement of the first match in `text`, without the text around it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The largest length of the result in bytes.
    /// - Returns: The result; `nil` if nothing matches, or if the result would be too long or take too long.
    package func expanding(firstIn text: [UInt8], limit: Int) -> [UInt8]? {
        var budget = Self.passes * (text.count + 1)
        guard let match = matcher.match(in: text, from: 0, budget: &budget) else { return nil }
        let result = expansion(of: match, in: text)
        return budget > 0 && result.count <= limit ? result : nil
    }

    private func expansion(of match: [Int], in text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for part in parts {
            switch part {
            case .text(let bytes): result += bytes
            case .group(let number) where match[2 * number] >= 0:
                result += text[match[2 * number]..<match[2 * number + 1]]
            case .group: break
            }
        }
        return result
    }

    private static func parts(
        _ replacement: String,
        _ pattern: Pattern
    ) throws(PatternFailure) -> [Part] {
        var parts: [Part] = []
        var text: [UInt8] = []
        var rest = Array(replacement.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "$" else {
                text += Array(String(scalar).utf8)
                continue
            }
            let offset = rest.startIndex - 1
            switch rest.popFirst() {
            case "$": text.append(0x24)
            case .some(let digit) where ("0"..."9").contains(digit):
                let number = Int(digit.value) - 0x30
                guard number <= pattern.groups.count else {
                    throw failure(offset, "a group of the expression", "“$\(number)”", pattern)
                }
                parts += [.text(text), .group(number)]
                text = []
            case "{":
                let name = String(String.UnicodeScalarView(rest.prefix { $0 != "}" }))
                rest = rest.dropFirst(name.unicodeScalars.count)
                guard rest.popFirst() != nil,
                    let number = pattern.groups.names[name] ?? Int(name), number >= 0,
                    number <= pattern.groups.count
                else { throw failure(offset, "a group of the expression", "“${\(name)}”", pattern) }
                parts += [.text(text), .group(number)]
                text = []
            case .some(let other):
                throw failure(offset, "$0 to $9, ${name} or $$", "“$\(other)”", pattern)
            case nil: throw failure(offset, "$0 to $9, ${name} or $$", "“$” at the end", pattern)
            }
        }
        return parts + [.text(text)]
    }

    private static func failure(
        _ offset: Int,
        _ expected: String,
        _ found: String,
        _ pattern: Pattern
    ) -> PatternFailure {
        let count = pattern.groups.count
        return PatternFailure(
            offset: offset,
            expected: expected,
            found: found,
            remedy:
                "write $$ for a dollar sign; the expression has \(count == 1 ? "1 group" : "\(count) groups")"
        )
    }
}

extension Substitution: Hashable {
    /// Whether both have the same expression and replacement.
    package static func == (left: Substitution, right: Substitution) -> Bool {
        left.expression == right.expression && left.replacement == right.replacement
    }

    /// Hashes the expression and the replacement.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(expression)
        hasher.combine(replacement)
    }
}
