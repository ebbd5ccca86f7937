/// A value in source code, as far as the code writes it out.
indirect enum SourceValue {
    /// A literal text.
    case text(String)
    /// `true`, `YES`, `false` or `NO`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// An array or a dictionary: `[…]`, `{…}`, `listOf(…)`.
    case collection([Element])
    /// A call by the last part of its name: `Evaluator(…)`, `.pinCertificates(…)`.
    case call(String, [Element])
    /// Anything else, by its first name.
    case other(SourceToken)

    /// An element of a collection, or an argument of a call.
    struct Element {
        /// The key or the label; `nil` if there is none, or it is neither a name nor a literal.
        let key: SourceToken?
        /// Whether there is a key, known or not.
        let isKeyed: Bool
        /// The value, as far as it is written out.
        let value: SourceValue
        /// The line on which the element begins.
        let line: Int

        /// The text or the last part of the name of the key; `nil` if it is not known.
        var name: String? { key.flatMap { $0.literal ?? $0.lastName } }
    }
}

/// Reads values from source code in Swift, Objective-C, Kotlin, JavaScript and Dart.
struct SourceValueReader {
    /// Functions of Kotlin that make dictionaries and arrays.
    private static let makers: Set = ["mapOf", "hashMapOf", "mutableMapOf", "listOf", "arrayOf", "setOf"]
    /// Words in front of a value that say nothing about it.
    private static let prefixes: Set = ["const", "new", "try", "await", "lazy"]
    private static let depth = 32

    /// The source code.
    let tokens: [SourceToken]
    /// The closing bracket of each opening one.
    private var ends: [Int: Int] = [:]

    /// Finds the brackets of source code; one that is not closed ends with the code.
    init(_ tokens: [SourceToken]) {
        self.tokens = tokens
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            guard case .mark(let mark) = token.kind else { continue }
            if "([{".contains(mark) { open.append(index) }
            if ")]}".contains(mark), let start = open.popLast() { ends[start] = index }
        }
        for start in open { ends[start] = tokens.count }
    }

    /// The closing bracket of an opening one, or the end of the code.
    func end(of start: Int) -> Int { ends[start] ?? tokens.count }

    /// Reads the value that begins at an index; `nil` if nothing begins there.
    ///
    /// - Parameters:
    ///   - index: The index of its first token.
    ///   - limit: The index behind its last token.
    /// - Returns: The value; what follows it, such as `as [String: Any]`, does not count.
    func value(at index: Int, before limit: Int? = nil) -> SourceValue? {
        value(at: index, before: limit ?? tokens.count, 0)
    }

    private func value(at start: Int, before limit: Int, _ depth: Int) -> SourceValue? {
        var index = start
        while index < limit, let name = tokens[index].name, Self.prefixes.contains(name) { index += 1 }
        guard depth < Self.depth, index < limit else { return nil }
        let token = tokens[index]
        switch token.kind {
        case .literal(let text): return .text(text)
        case .mark("{"), .mark("["): return .collection(elements(in: index, depth))
        case .mark("("): return value(at: index + 1, before: end(of: index), depth + 1)
        // The type of the elements of a collection in Dart: `<String>['a']`.
        case .mark("<"):
            guard let close = tokens[index..<limit].firstIndex(where: { $0.isMark(">") }) else { return nil }
            return value(at: close + 1, before: limit, depth + 1)
        // A member whose type is known: `.pinCertificates(…)`.
        case .mark("."): return value(at: index + 1, before: limit, depth + 1)
        case .mark: return nil
        case .name(let name):
            if index + 1 < limit, tokens[index + 1].isMark("(") {
                let elements = elements(in: index + 1, depth)
                return Self.makers.contains(name)
                    ? .collection(elements) : .call(token.lastName ?? name, elements)
            }
            switch name {
            case "YES", "true", "TRUE": return .boolean(true)
            case "NO", "false", "FALSE": return .boolean(false)
            default: return Int64(name).map { .integer($0) } ?? .other(token)
            }
        }
    }

    /// The place of an element: its first token, its key, the first token of its value, and the index behind its last one.
    struct Place {
        let start: Int
        let key: SourceToken?
        let isKeyed: Bool
        let value: Int
        let end: Int
    }

    /// Finds the elements between an opening bracket and its end, without reading their values.
    func places(in bracket: Int) -> [Place] {
        var places: [Place] = []
        let limit = end(of: bracket)
        var start = bracket + 1
        while start < limit {
            let (next, separator) = bounds(of: start, before: limit)
            if start < next {
                // A key of several tokens is an expression, whose value the code does not show.
                let isPlain = separator == start + 1 && (tokens[start].literal ?? tokens[start].name) != nil
                places.append(
                    Place(
                        start: start,
                        key: isPlain ? tokens[start] : nil,
                        isKeyed: separator != nil,
                        value: separator.map { $0 + 1 } ?? start,
                        end: next
                    )
                )
            }
            start = next + 1
        }
        return places
    }

    private func elements(in bracket: Int, _ depth: Int) -> [SourceValue.Element] {
        places(in: bracket).compactMap { place in
            guard let value = value(at: place.value, before: place.end, depth + 1) else { return nil }
            return SourceValue.Element(
                key: place.key,
                isKeyed: place.isKeyed,
                value: value,
                line: tokens[place.start].line
            )
        }
    }

    /// The end of an element, and the colon or `to` behind its key, over the brackets within.
    private func bounds(of start: Int, before limit: Int) -> (end: Int, separator: Int?) {
        var index = start
        var separator: Int?
        var isChoice = false
        while index < limit {
            let token = tokens[index]
            if token.isMark(",") { return (index, separator) }
            // The colon of `a ? b : c` is behind no key.
            if token.isMark("?") { isChoice = true }
            let divides = (token.isMark(":") && !isChoice) || token.name == "to"
            if divides, separator == nil, index > start { separator = index }
            index = ends[index].map { $0 + 1 } ?? index + 1
        }
        return (min(index, limit), separator)
    }
}
