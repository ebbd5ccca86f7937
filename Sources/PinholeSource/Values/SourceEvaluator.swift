/// Finds the values of expressions in a file of source code, as far as literals decide them.
package final class SourceEvaluator {
    /// The values of the names that hold at one place, beside the declarations.
    package typealias Bindings = [String: SourceValue]

    /// The tokens that are read.
    package let code: SourceCode
    let project: SourceProject?
    /// The names that the code gives values.
    package let declarations: SourceDeclarations
    /// The loops over collections in the code.
    private(set) lazy var loops = SourceLoop.all(in: code)
    /// The names of the parameters of the classes in the code: `class Pinned(val host: String)`.
    private(set) lazy var parameters = SourceClosure.parametersOfClasses(in: code)
    /// The indices of the tokens with a name, by the last part of it.
    package private(set) lazy var places: [String: [Int]] = code.tokens.enumerated().reduce(into: [:]) {
        if let name = $1.element.lastName { $0[name, default: []].append($1.offset) }
    }
    /// The functions of a name that were sought.
    private var functions: [String: [SourceFunction]] = [:]
    /// The indices of the literals whose values were read.
    package private(set) var used: Set<Int> = []
    /// The names whose values are sought, so that a name that is made of itself ends.
    var sought: Set<String> = []
    /// The values of declarations that were found, by the places of their names.
    var known: [Int: SourceValue] = [:]
    /// The number of values that were cut short, because a name is made of itself or is too deep.
    var cuts = 0
    /// The expressions that may still be read: code of a hostile file is bounded.
    private var budget = 200_000
    /// The bytes that joined values may still take: those of a hostile file double with each name.
    private var room = 1 << 24
    /// The runs at the calls of functions that were found, by the calls and the functions around them.
    var runsOfCalls: [[Int]: [Bindings]] = [:]
    /// The calls that put elements into collections, by the last part of the collection's name.
    private(set) lazy var fillers: [String: [Int]] = ["add", "put", "append", "push", "addAll", "insert"]
        .flatMap { places[$0, default: []] }.sorted().reduce(into: [:]) { fillers, place in
            guard let owner = code[place]?.qualifier?.split(separator: ".").last else { return }
            if code.isMark("(", at: place + 1) { fillers[String(owner), default: []].append(place) }
        }

    /// Nested deeper, an expression is not read.
    static let depth = 24

    /// Creates a reader of values.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - project: The files whose constants the code may use; `nil` follows those of the same file.
    package init(_ code: SourceCode, _ project: SourceProject? = nil) {
        self.code = code
        self.project = project
        declarations = SourceDeclarations(code)
    }

    /// The functions of the file with a name.
    package func functions(named name: String) -> [SourceFunction] {
        if let known = functions[name] { return known }
        let found = SourceFunction.named(name, at: places[name, default: []], in: code)
        functions[name] = found
        return found
    }

    func declares(_ name: String) -> Bool { declarations.byName[name] != nil }

    /// Returns the value that begins at an index.
    ///
    /// - Parameters:
    ///   - index: The index of its first token.
    ///   - limit: The index behind its last token; `nil` for the end of the statement.
    ///   - bindings: The values of names that hold there.
    /// - Returns: The value.
    package func value(at index: Int, before limit: Int? = nil, _ bindings: Bindings = [:]) -> SourceValue {
        let end = limit ?? code.statementEnd(from: index)
        return value(index..<max(index, end), bindings, 0)
    }

    func value(_ range: Range<Int>, _ bindings: Bindings, _ depth: Int) -> SourceValue {
        guard affords(range), depth < Self.depth, !range.isEmpty else {
            if !range.isEmpty { cuts += 1 }
            return unknown(range)
        }
        var cursor = SourceCursor(self, range, bindings, depth)
        return cursor.expression()
    }

    /// Whether code may still be read, whose operators and results are sought in the whole range.
    func affords(_ range: Range<Int>) -> Bool {
        budget -= 1 + range.count / 64
        return budget > 0
    }

    /// Whether there is room for one more value that is made of others.
    func hasRoom(for value: SourceValue) -> Bool {
        room -= value.size
        return room > 0
    }

    func unknown(_ range: Range<Int>) -> SourceValue {
        let name = range.count == 1 ? code[range.lowerBound]?.lastName : nil
        return .other(SourceExpression(code: code.text(range), lastName: name))
    }

    /// The elements in the same brackets as a token: the key of its own element, and the elements in front of it.
    package func neighbours(
        of index: Int,
        in bracket: Int,
        _ bindings: Bindings = [:]
    ) -> (key: SourceElement?, before: [SourceElement]) {
        let places = SourcePlaces.all(in: bracket, of: code)
        guard let own = places.first(where: { ($0.start..<$0.end).contains(index) }) else { return (nil, []) }
        let before = places.prefix { $0.end <= index }.map { element(at: $0, bindings, 0) }
        guard let separator = own.separator, separator < index else { return (nil, before) }
        return (element(at: own, keyBefore: separator, bindings), before)
    }

    private func element(at place: SourcePlaces, _ bindings: Bindings, _ depth: Int) -> SourceElement {
        let value = value(place.value..<place.end, bindings, depth + 1)
        let label = place.separator == place.start + 1 ? code[place.start]?.lastName : nil
        return SourceElement(label: label, value, line: code.line(of: place.start))
    }

    private func element(
        at place: SourcePlaces,
        keyBefore separator: Int,
        _ bindings: Bindings
    ) -> SourceElement {
        let label = separator == place.start + 1 ? code[place.start]?.lastName : nil
        let key = value(place.start..<separator, bindings, 0)
        return SourceElement(label: label, key: key, .null, line: code.line(of: place.start))
    }

    func use(_ index: Int) { used.insert(index) }

    /// The arguments or elements between an opening bracket and its end, those of spread collections included.
    package func elements(in bracket: Int, _ bindings: Bindings = [:]) -> [SourceElement] {
        elements(in: bracket, bindings, 0)
    }

    func elements(in bracket: Int, _ bindings: Bindings, _ depth: Int) -> [SourceElement] {
        var result: [SourceElement] = []
        for place in SourcePlaces.all(in: bracket, of: code) {
            let line = code.line(of: place.start)
            var start = place.value
            var isSpread = false
            while start < place.end, code.isMark("*", at: start) || code.isMark(".", at: start) {
                // `.member` is a value; `...pins` and `*pins` are spread.
                guard code.isMark("*", at: start) || code.isMark(".", at: start + 1) || isSpread else {
                    break
                }
                isSpread = true
                start += 1
            }
            let value = value(start..<place.end, bindings, depth + 1)
            if isSpread, let spread = value.elements, hasRoom(for: value) {
                result += spread
                continue
            }
            guard let separator = place.separator else {
                result.append(SourceElement(value, line: line))
                continue
            }
            // `[HOST]: value` of JavaScript, `["host"] = value` of C#.
            let isBracketed = code.isMark("[", at: place.start) && code.end(of: place.start) == separator - 1
            let key = isBracketed ? (place.start + 1)..<(separator - 1) : place.start..<separator
            let label = key.count == 1 ? code[key.lowerBound]?.lastName : nil
            result.append(
                SourceElement(
                    label: label,
                    key: self.value(key, bindings, depth + 1),
                    value,
                    line: line
                )
            )
        }
        return result
    }
}
