import PinholeFormats
import PinholeModel
import PinholeRules
import PinholeSession

/// A rule in one line, as a command line has it.
///
/// ```
/// line    = kind [ pattern ] { key "=" value }       words as in a shell: '…' and "…" keep spaces
/// kind    = a kind of “pinhole rules kinds”
/// pattern = see RulePattern
/// key     = a key of the kind, or one of every rule: name, enabled, chance, seed
/// value   = a text; a number, true or false; or JSON for lists and objects
/// ```
///
/// A key whose value is a list may be repeated.
struct RuleLine {
    /// The members of the rule, each as JSON, in their order.
    private(set) var members: [(name: String, value: String)] = []

    /// The rule as JSON, as config.json has it.
    var json: String {
        "{" + members.map { "\(JSONLine.text($0.name)): \($0.value)" }.joined(separator: ", ") + "}"
    }

    /// Returns a rule as JSON, from JSON or from a line.
    ///
    /// - Throws: ``DocumentFailure`` if it is neither.
    static func json(of text: String) throws(DocumentFailure) -> String {
        guard text.trimmed.hasPrefix("{") else { return try RuleLine(text).json }
        _ = try JSONValue(parsing: Array(text.utf8))
        return text.trimmed
    }

    /// Creates a rule of members, each as JSON.
    init(_ members: [(name: String, value: String)]) { self.members = members }

    /// Reads a line.
    ///
    /// - Throws: ``DocumentFailure`` that says what was expected.
    init(_ text: String) throws(DocumentFailure) { try self.init(words: Self.words(text)) }

    /// Reads the words of a line.
    init(words: [String]) throws(DocumentFailure) {
        let kinds = RuleKind.allCases.map(\.rawValue)
        guard let word = words.first, let kind = RuleKind(rawValue: word) else {
            let found = words.first ?? ""
            throw DocumentFailure(
                path: "",
                expected: "a kind of rule, a pattern and keys, such as mock /users/* status=503",
                found: found.isEmpty ? "nothing" : "“\(found)”",
                remedy: Remedy.nearest(to: found, in: kinds) ?? "pinhole rules kinds"
            )
        }
        let keys = kind.keys + RuleKey.common
        var rest = words.dropFirst()
        members.append(("do", JSONLine.text(kind.rawValue)))
        if let word = rest.first, Self.assignment(word, keys) == nil {
            if let filter = try RulePattern(word).filter { members.append(("when", JSONLine.text(filter))) }
            rest = rest.dropFirst()
        }
        members += try Self.values(rest, keys, of: "a key of \(kind.rawValue)")
    }

    /// Reads assignments.
    ///
    /// - Parameters:
    ///   - words: The words, each `key=value`.
    ///   - keys: The keys that are known.
    ///   - what: The keys in words for users.
    /// - Returns: The members with their values as JSON.
    /// - Throws: ``DocumentFailure`` for an unknown key, or a value of another shape.
    static func values(
        _ words: some Sequence<String>,
        _ keys: [RuleKey],
        of what: String
    ) throws(DocumentFailure) -> [(name: String, value: String)] {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for word in words {
            guard let (key, text) = assignment(word, keys) else {
                let name = String(word.prefix { $0 != "=" })
                let known = keys.map(\.name).filter { $0 != "do" }
                throw DocumentFailure(
                    path: "",
                    expected: "\(what) and its value, such as \(known.first ?? "name")=…",
                    found: "“\(word)”",
                    remedy: EditDistance.nearest(to: name, in: known).map { Remedy.write("\($0)=…") }
                        ?? "write one of \(known.joined(separator: ", "))"
                )
            }
            if values[key.name] == nil { names.append(key.name) }
            let value = try json(text, key.shape, key.name)
            var isList = false
            if case .list = key.shape { isList = true }
            guard isList || values[key.name] == nil else {
                throw DocumentFailure(path: key.name, expected: "one value", found: "several")
            }
            values[key.name, default: []] += value
        }
        return names.map { name in
            let key = keys.first { $0.name == name }
            guard case .list? = key?.shape, values[name] != ["null"] else {
                return (name, values[name]?.first ?? "null")
            }
            return (name, "[" + (values[name] ?? []).joined(separator: ", ") + "]")
        }
    }

    /// Returns the key and the value of a word; `nil` if it is no assignment of a known key.
    private static func assignment(_ word: String, _ keys: [RuleKey]) -> (RuleKey, String)? {
        guard let mark = word.firstIndex(of: "="), word[mark...].dropFirst().first != "=",
            let key = keys.first(where: { $0.name == word[..<mark] && $0.name != "do" })
        else { return nil }
        return (key, String(word[word.index(after: mark)...]))
    }

    /// Returns a value as JSON; for a list, the elements that the text stands for.
    private static func json(
        _ text: String,
        _ shape: RuleShape,
        _ name: String
    ) throws(DocumentFailure) -> [String] {
        if text == "null" { return ["null"] }
        let value = try? JSONValue(parsing: Array(text.utf8))
        switch shape {
        case .list(let element):
            if case .array? = value { return try JSONEditor(Array(text.utf8)).elements }
            return try json(text, element, name)
        case .text, .words: return [JSONLine.text(text)]
        case .integer(_, let words) where words.contains(text): return [JSONLine.text(text)]
        case .boolean:
            if case .boolean? = value { return [text] }
            throw DocumentFailure(path: name, expected: "true or false", found: "“\(text)”")
        case .number, .integer, .numbers:
            switch value {
            case .integer, .number: return [text]
            default: throw DocumentFailure(path: name, expected: "a number", found: "“\(text)”")
            }
        case .object(let keys):
            if case .object? = value { return [text] }
            let example = keys.map { "\"\($0.name)\": …" }.joined(separator: ", ")
            throw DocumentFailure(path: name, expected: "JSON, '{\(example)}'", found: "“\(text)”")
        case .any: return [value == nil ? JSONLine.text(text) : text]
        }
    }

    /// Returns the words of a line; quotes keep spaces, and a backslash keeps the next character outside of single quotes.
    ///
    /// - Throws: ``DocumentFailure`` for a quote that is not closed.
    static func words(_ text: String) throws(DocumentFailure) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word =
                    (word ?? "") + (quote == "\"" && !"\"\\".contains(character) ? "\\" : "")
                    + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote {
            throw DocumentFailure(path: "", expected: "a second \(quote)", found: "the end of “\(text)”")
        }
        return words + [word].compactMap(\.self)
    }
}
