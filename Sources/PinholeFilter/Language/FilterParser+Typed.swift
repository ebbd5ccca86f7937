import PinholeModel

/// Flags and comparisons: `grpc`, `status >= 400`, `header[x-id] contains "a"`.
extension FilterParser {
    private enum Field {
        case text(TextField)
        case number(NumberField)
    }

    private enum Operation: Equatable {
        case relation(Relation)
        case unequal
        case glob
        case noGlob
        case contains
        case starts
        case ends
        case matches
    }

    private static let symbols: [(String, Operation)] = [
        ("==", .relation(.equal)), ("!=", .unequal), (">=", .relation(.atLeast)), ("<=", .relation(.atMost)),
        ("!~", .noGlob), ("=", .relation(.equal)), (">", .relation(.more)), ("<", .relation(.less)),
        ("~", .glob),
    ]
    private static let words: [(String, Operation)] = [
        ("contains", .contains), ("startswith", .starts), ("endswith", .ends), ("matches", .matches),
    ]

    /// The notations of the comparison operators, including `=`, which means `==`.
    static var operators: [String] { (symbols + words).map(\.0) }

    private static let fields: [String: Field] = {
        var fields: [String: Field] = [:]
        for field in TextField.all { fields[field.name] = .text(field) }
        for field in NumberField.all { fields[field.name] = .number(field) }
        return fields
    }()

    private static let parts: [String: TextField.Part] = [
        "header": .either, "request.header": .request, "response.header": .response,
    ]

    /// Parses a flag or a comparison; `nil`, with nothing read, for a text to search for in URLs.
    mutating func typed() throws(FilterFailure) -> FilterNode? {
        let start = scanner.position
        guard let written = scanner.name() else { return nil }
        let name = written.lowercased()
        if let part = Self.parts[name], scanner.peek == "[" {
            let field = TextField.header(part, try headerName())
            return try comparison(.text(field), field.name)
        }
        if case .text(.headers)? = Self.fields[name], scanner.peek == "[" {
            let singular = String(name.dropLast())
            throw scanner.failure(
                "\(singular)[…] for the header of one name",
                at: start + 1,
                found: "“\(written)[”",
                suggestion: singular
            )
        }
        let isAttached = scanner.peek.map { !$0.properties.isWhitespace } ?? false
        let end = scanner.position
        scanner.skipSpace()
        let hasOperation = operationFollows(isAttached: isAttached)
        if let field = Self.fields[name], hasOperation {
            return try comparison(field, name)
        }
        let isFlag = name == "all" || FilterFlag(rawValue: name) != nil
        if isFlag, hasOperation, !isURL(isAttached: isAttached) { throw refuseComparison(of: name) }
        scanner.position = end
        let isAlone = FilterScanner.endsWord(scanner.peek)
        if isAlone, let flag = FilterFlag(rawValue: name) { return .flag(flag) }
        if isAlone, name == "all" { return .everything }
        if isAlone, let lacking = lacking(name) {
            scanner.skipSpace()
            throw scanner.failure(lacking, remedy: "write ~u \(name) to look for the word in URLs")
        }
        guard hasOperation, !isURL(isAttached: isAttached) else {
            scanner.position = start
            return nil
        }
        let near =
            Self.bracketed(name)
            ?? Self.fieldsOfColumns[name]
            ?? EditDistance.nearest(to: name, in: Array(Self.fields.keys) + Array(Self.parts.keys))
        throw scanner.failure(
            "a known field",
            at: start + 1,
            found: "“\(written)”",
            remedy: near.map(Remedy.write) ?? "quote it to look for it in URLs",
            suggestion: near
        )
    }

    /// The fields of columns that have another name in lists.
    private static let fieldsOfColumns = ["user": TextField.proxyUser.name]

    /// Returns `header[x-id]` for `header.x-id` and `headers.x-id`; `nil` for any other name.
    private static func bracketed(_ name: String) -> String? {
        for part in parts.keys {
            for beginning in ["\(part).", "\(part)s."] where name.hasPrefix(beginning) {
                let field = name.dropFirst(beginning.count)
                return field.isEmpty ? nil : "\(part)[\(field)]"
            }
        }
        return nil
    }

    /// Returns the text that a field without a comparison lacks, for a message; `nil` if the name is not a field.
    private func lacking(_ name: String) -> String? {
        if Self.parts[name] != nil { return "the name of a header in brackets: \(name)[content-type]" }
        switch Self.fields[name] {
        case .text:
            return "a comparison after “\(name)”: ==, !=, ~, contains, startswith, endswith or matches"
        case .number: return "a comparison after “\(name)”: ==, !=, <, <=, > or >="
        case nil: return nil
        }
    }

    /// Whether a comparison can begin with the name.
    static func isField(_ name: String) -> Bool { fields[name.lowercased()] != nil }

    /// Returns the field whose name is near to another; `nil` for none.
    static func field(like name: String) -> String? {
        EditDistance.nearest(to: name.lowercased(), in: fields.keys.sorted())
    }

    private func operationFollows(isAttached: Bool) -> Bool {
        let isSymbol = Self.symbols.contains { symbol, operation in
            guard scanner.follows(symbol) else { return false }
            // A letter after `~` makes an operator of mitmproxy, such as `~d`.
            guard operation == .glob || operation == .noGlob else { return true }
            return scanner.peek(symbol.unicodeScalars.count).map { !$0.properties.isAlphabetic } ?? true
        }
        return isSymbol
            || !isAttached
                && Self.words.contains { word, _ in
                    var ahead = scanner
                    return ahead.takeWord(word)
                }
    }

    /// Whether an unknown name with `=` right after it is a piece of a query, `id=7`.
    private func isURL(isAttached: Bool) -> Bool {
        isAttached && scanner.peek == "=" && scanner.peek(1) != "="
    }

    private mutating func headerName() throws(FilterFailure) -> String {
        scanner.position += 1
        let start = scanner.column
        var name = ""
        while let scalar = scanner.peek, scalar != "]" {
            name.unicodeScalars.append(scalar)
            scanner.position += 1
        }
        guard scanner.take("]") else {
            throw scanner.failure("“]” after the name of a header", at: start)
        }
        let isToken = name.utf8.allSatisfy { byte in
            switch byte {
            // RFC 9110 §5.6.2, and the colon of pseudo-fields.
            case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x30...0x3a, 0x41...0x5a, 0x5e...0x7a, 0x7c, 0x7e:
                true
            default: false
            }
        }
        guard !name.isEmpty, isToken else {
            throw scanner.failure(
                "the name of a header such as content-type",
                at: start,
                found: "“\(name)”"
            )
        }
        return name.lowercased()
    }

    private mutating func operation() -> Operation? {
        for (symbol, operation) in Self.symbols where scanner.take(symbol) { return operation }
        for (word, operation) in Self.words where scanner.takeWord(word) { return operation }
        return nil
    }

    private mutating func comparison(_ field: Field, _ name: String) throws(FilterFailure) -> FilterNode {
        scanner.skipSpace()
        let start = scanner.column
        let found = scanner.found
        guard let operation = operation() else {
            throw scanner.failure(
                lacking(name) ?? "a comparison after “\(name)”: ==, ~, contains …",
                remedy: name.hasSuffix("]") ? "write “\(name) ~ *” for any value" : nil
            )
        }
        scanner.skipSpace()
        switch field {
        case .number(let field):
            switch operation {
            case .relation(let relation): return try number(field, relation)
            case .unequal: return try number(field, .equal).negated
            case .glob, .noGlob, .contains, .starts, .ends, .matches:
                throw scanner.failure("==, !=, <, <=, > or >= after “\(name)”", at: start, found: found)
            }
        case .text(let field): return try text(field, operation, at: start, found)
        }
    }

    private mutating func number(
        _ field: NumberField,
        _ relation: Relation
    ) throws(FilterFailure) -> FilterNode {
        let start = scanner.column
        let found = scanner.found
        let word = try scanner.quoted() ?? scanner.value()
        if let word {
            try refuseUnit(after: word, field.unit)
            if let value = Quantity.parse(word.text, field.unit) {
                if field == .status, relation == .equal { remarkStatus(word.text, value...value) }
                return .number(field, relation, value)
            }
            if field == .status, relation == .equal, let range = (try? StatusRange(word.text))?.range {
                remarkStatus(word.text, range)
                return .all(of: [
                    .number(field, .atLeast, range.lowerBound), .number(field, .atMost, range.upperBound),
                ])
            }
        }
        // Lists show results in the column of the status, such as FAILED and STOPPED.
        let result = field == .status ? word?.text.lowercased() : nil
        let flag = result.flatMap(FilterFlag.init)
        let standing = result.flatMap(Standing.init)
        throw scanner.failure(
            Quantity.expected(field.unit),
            at: start,
            found: found,
            remedy: flag.map { "write \($0.rawValue) or !\($0.rawValue)" }
                ?? standing.map { "write standing == \($0.rawValue)" }
        )
    }

    private mutating func text(
        _ field: TextField,
        _ operation: Operation,
        at start: Int,
        _ found: String
    ) throws(FilterFailure) -> FilterNode {
        if operation == .matches { return .text(field, .matches(try pattern(after: "matches", for: field))) }
        guard let word = try scanner.quoted() ?? scanner.value() else {
            throw scanner.failure(
                "a text to compare “\(field.name)” with",
                remedy: "quote it where it has parentheses"
            )
        }
        switch operation {
        case .relation(.equal): return try equality(field, word)
        case .unequal: return try equality(field, word).negated
        case .glob: return try glob(field, word)
        case .noGlob: return try glob(field, word).negated
        case .contains: return .text(field, .contains(piece(word, of: field)))
        case .starts: return .text(field, .starts(piece(word, of: field)))
        case .ends: return .text(field, .ends(piece(word, of: field)))
        case .matches, .relation:
            throw scanner.failure(
                "==, !=, ~, contains, startswith, endswith or matches after “\(field.name)”",
                at: start,
                found: found
            )
        }
    }

    private mutating func equality(
        _ field: TextField,
        _ word: FilterScanner.Word
    ) throws(FilterFailure) -> FilterNode {
        guard field == .host else {
            try checkValue(word, of: field)
            return .text(field, .equal(piece(word, of: field)))
        }
        do throws(AddressFailure) {
            return .text(field, .equal(try Host(vocabulary.hostNames(word.text)).description))
        } catch {
            let isPattern = word.text.contains { ":*".contains($0) }
            throw scanner.failure(
                isPattern ? "a host without port" : error.expected,
                at: word.column,
                found: "“\(word.text)”",
                remedy: isPattern ? "write patterns and ports as host ~ *.example.com:8443" : nil
            )
        }
    }

    /// Parses the value after `~` as a glob; a value without `*` may occur anywhere in the text.
    private mutating func glob(
        _ field: TextField,
        _ word: FilterScanner.Word
    ) throws(FilterFailure) -> FilterNode {
        let isGlob = word.text.contains("*")
        // A colon begins a port, or is part of an IPv6 address.
        guard field == .host, isGlob || word.text.contains(":") || word.text.isEmpty else {
            let text = piece(word, of: field)
            return .text(field, isGlob ? .glob(text) : .contains(text))
        }
        do throws(AddressFailure) {
            return .host(try HostPattern(vocabulary.hostNames(word.text)))
        } catch {
            throw scanner.failure(error.expected, at: word.column, found: TerminalText.quoted(word.text))
        }
    }
}
