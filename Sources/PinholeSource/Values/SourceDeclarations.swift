/// The names of a file that are given values.
package struct SourceDeclarations: Sendable {
    /// A place at which a name gets a value.
    package struct Declaration: Sendable {
        /// The class, object or enumeration in which the name is declared; `nil` outside of one.
        package let container: String?
        /// The index of the name's token.
        package let name: Int
        /// The first token of the value.
        package let value: Int
        /// The index behind the value.
        package let end: Int
    }

    /// The declarations by the last part of the name.
    package private(set) var byName: [String: [Declaration]] = [:]
    /// The classes around brackets, of those brackets that were sought.
    private var containers: [Int: String?] = [:]

    /// Finds the declarations of a file.
    package init(_ code: SourceCode) {
        for index in code.tokens.indices {
            if code.tokens[index].isMark("="), index > 0 { assignment(at: index, in: code) }
            change(at: index, in: code)
            if code.tokens[index].name == "return", code.isMark("{", at: index - 1) {
                getter(at: index, in: code)
            }
            if code.tokens[index].name == "define", code.isMark("#", at: index - 1) {
                definition(at: index, in: code)
            }
        }
    }

    private mutating func add(_ name: Int, _ value: Int, before end: Int? = nil, in code: SourceCode) {
        guard let text = code[name]?.lastName, value < code.tokens.count else { return }
        let declaration = Declaration(
            container: container(of: name, in: code),
            name: name,
            value: value,
            end: end ?? code.valueEnd(from: value)
        )
        byName[text, default: []].append(declaration)
    }

    /// `NAME = value`, `NAME: Type = value`, `NAME := value`, `NAME[] = { … }`, `val NAME get() = value`.
    private mutating func assignment(at index: Int, in code: SourceCode) {
        if let next = code[index + 1], next.isMark(of: "=>~") { return }
        let before = code.tokens[index - 1]
        if before.isMark(of: "=<>!+-*/%&|^?~") {
            // The closing bracket of a type: `Set<String> = …` is a declaration, `a >= b` is none.
            guard before.isMark(">"), Self.isSpaced(index, in: code) else { return }
        }
        if let name = Self.subject(before: index, in: code) { add(name, index + 1, in: code) }
    }

    /// `NAME |= value`, `NAME &= value`, `NAME++`, `++NAME`: the name has an unknown value from then on.
    private mutating func change(at index: Int, in code: SourceCode) {
        guard let mark = code[index] else { return }
        let isCount = mark.isMark("+") && code.isMark("+", at: index + 1)
        let isChange = mark.isMark(of: "|&^") && code.isMark("=", at: index + 1)
        guard isCount || isChange else { return }
        if code[index - 1]?.name != nil {
            add(index - 1, index, before: index + 2, in: code)
        } else if isCount, code[index + 2]?.name != nil {
            add(index + 2, index, before: index + 2, in: code)
        }
    }

    /// Whether a space stands in front of the mark: `> =` and never `>=`.
    private static func isSpaced(_ index: Int, in code: SourceCode) -> Bool {
        let (mark, before) = (code.tokens[index], code.tokens[index - 1])
        return mark.line != before.line || mark.column > before.column + 1
    }

    /// Words in front of a name that is declared without a type.
    private static let keywords: Set = [
        "val", "var", "let", "const", "final", "static", "private", "public", "lateinit",
    ]

    /// The index of the name that gets a value at an equals sign.
    private static func subject(before index: Int, in code: SourceCode) -> Int? {
        var place = index - 1
        // Go writes `name := value`.
        if code.isMark(":", at: place), code[place - 1]?.name != nil { return place - 1 }
        // `val host get() = …`, `fun pins() = …`.
        if code.isMark(")", at: place), let open = code.start(of: place) {
            guard code[open - 1]?.name != nil, open + 1 == place else { return nil }
            if code[open - 1]?.name != "get" { return open - 1 }
            place = open - 2
        }
        // `pins[] = { … }` of C.
        if code.isMark("]", at: place), let open = code.start(of: place), code[open - 1]?.name != nil,
            !code.isMark(":", at: open - 1)
        {
            return open - 1
        }
        // A type stands behind a colon: `NAME: Map<String, [String]>? = …`.
        var type = place
        while type > 0, place - type < 16 {
            if code.isMark(":", at: type) { return code[type - 1]?.name != nil ? type - 1 : nil }
            guard let token = code[type], token.line == code.tokens[place].line,
                token.name.map({ !keywords.contains($0) }) ?? token.isMark(of: "<>[],?.")
            else { break }
            type -= 1
        }
        return code[place]?.name != nil ? place : nil
    }

    /// `var host: String { return … }`, `String host() { return … }`.
    private mutating func getter(at index: Int, in code: SourceCode) {
        var place = index - 2
        let first = max(0, place - 16)
        while place >= first {
            if code.isMark(")", at: place), let open = code.start(of: place) {
                guard open + 1 == place else { return }
                place = open - 1
                guard code[place]?.name != nil else { return }
                return add(place, index + 1, in: code)
            }
            if code.isMark(":", at: place), code[place - 1]?.name != nil {
                return add(place - 1, index + 1, in: code)
            }
            guard let token = code[place], token.name != nil || token.isMark(of: "<>[],?->:") else { return }
            place -= 1
        }
    }

    /// The most tokens of the value of a macro that are read.
    private static let longestDefinition = 400

    /// `#define NAME value`.
    private mutating func definition(at index: Int, in code: SourceCode) {
        guard let name = code[index + 1], let value = code[index + 2], name.name != nil,
            name.line == value.line
        else { return }
        let rest = code.tokens[(index + 2)...].prefix(Self.longestDefinition)
        let end = rest.firstIndex { $0.line > value.line } ?? rest.endIndex
        add(index + 1, index + 2, before: end, in: code)
    }

    private static let types: Set = [
        "class", "object", "enum", "struct", "interface", "extension", "actor", "namespace",
    ]

    /// The name in front of the innermost braces that belong to a class, an object or an enumeration.
    private mutating func container(of index: Int, in code: SourceCode) -> String? {
        var passed: [Int] = []
        var found: String?
        for bracket in code.ancestors(of: index) {
            if let known = containers[bracket] {
                found = known
                break
            }
            passed.append(bracket)
            found = Self.container(before: bracket, in: code)
            if found != nil { break }
        }
        for bracket in passed { containers[bracket] = found }
        return found
    }

    /// The name of the class, object or enumeration whose braces begin at a bracket; `nil` for others.
    private static func container(before brace: Int, in code: SourceCode) -> String? {
        guard code.isMark("{", at: brace) else { return nil }
        var place = brace - 1
        let first = max(0, brace - 24)
        while place >= first, !code.tokens[place].isMark(of: ";{}") {
            if let word = code.tokens[place].name, types.contains(word), place + 1 < brace {
                let name = code.tokens[place + 1].name
                // `enum class Host {`
                return name.map { types.contains($0) ? code[place + 2]?.name ?? $0 : $0 }
            }
            place -= 1
        }
        return nil
    }
}
