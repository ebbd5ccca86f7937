import PinholeModel

/// A regular expression that is searched for in texts, with ASCII letters in any case.
///
/// The notation is Python's, as in mitmproxy. The time of a search is linear in the length of the text, whatever the
/// expression: there is no back-tracking, and therefore no back reference and no lookaround.
package struct Pattern: Sendable {
    /// The expression as it was written.
    package let source: String
    let node: PatternNode
    let program: PatternProgram
    /// The number of remembered groups, and their numbers (from 1) by name; empty unless groups are remembered.
    let groups: (count: Int, names: [String: Int])

    /// Parses an expression.
    ///
    /// - Parameters:
    ///   - source: The expression.
    ///   - remembersGroups: Whether the matches of its groups are needed.
    /// - Throws: ``PatternFailure``.
    package init(_ source: String, remembersGroups: Bool = false) throws(PatternFailure) {
        self.source = source
        var parser = PatternParser(source, remembersGroups: remembersGroups)
        node = try parser.parse()
        groups = (parser.groupCount, parser.groupNames)
        guard let program = PatternProgram(node) else {
            throw PatternFailure(
                offset: 0,
                expected: "an expression of at most \(PatternProgram.stepLimit) steps",
                found: "a longer one",
                remedy: "use * or +, since a count such as {1000} writes out what it repeats"
            )
        }
        self.program = program
    }

    /// The text and whether it must stand at the beginning, if the expression is a plain text; else `nil`.
    package var literal: (text: String, isPrefix: Bool)? {
        var parts: [PatternNode] = if case .sequence(let parts) = node { parts } else { [node] }
        let isPrefix = parts.first == .assertion(.textStart)
        if isPrefix { parts.removeFirst() }
        var bytes: [UInt8] = []
        for part in parts {
            guard let literal = Self.bytes(of: part) else { return nil }
            bytes += literal
        }
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return (text, isPrefix)
    }

    private static func bytes(of node: PatternNode) -> [UInt8]? {
        switch node {
        case .byte(let set):
            // `(?-i)` makes sets of one letter, but SQL would match both cases.
            guard let byte = set.literal, ByteSet(byte...byte).ignoringCase == set else { return nil }
            return [byte]
        case .sequence(let parts):
            var bytes: [UInt8] = []
            for part in parts {
                guard let literal = Self.bytes(of: part) else { return nil }
                bytes += literal
            }
            return bytes
        case .group(let part, _): return Self.bytes(of: part)
        default: return nil
        }
    }
}

extension Pattern: Hashable {
    /// Whether both have the same source.
    package static func == (left: Pattern, right: Pattern) -> Bool { left.source == right.source }

    /// Hashes the source.
    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
