extension SourceEvaluator {
    /// The function without a name that begins at an index; `nil` if there is none.
    package func closure(at index: Int, before limit: Int? = nil) -> SourceClosure? {
        let end = limit ?? code.statementEnd(from: index)
        if let closure = SourceClosure.read(at: index, before: end, in: code) { return closure }
        // `((a, b) => true)`: the parentheses hold the closure alone.
        guard code.isMark("(", at: index), index + 1 < end, code.end(of: index) + 1 >= end else { return nil }
        return SourceClosure.read(at: index + 1, before: code.end(of: index), in: code)
    }

    /// The function that stands at an index, or that the name there stands for.
    ///
    /// - Parameters:
    ///   - index: The first token of the function or of its name, which may have its class in front: `Tls::any`.
    ///   - limit: The index behind it.
    /// - Returns: The function; `nil` if the file has none of that name, or several.
    package func callback(at index: Int, before limit: Int) -> SourceClosure? {
        if let closure = closure(at: index, before: limit) { return closure }
        let range = index..<max(index, limit)
        let isReference = range.allSatisfy { code.tokens[$0].name != nil || code.isMark(":", at: $0) }
        // In `flag() ? first : second`, the first name is that of the condition.
        guard isReference || !range.contains(where: { code.isMark("?", at: $0) }),
            let name = code[isReference ? limit - 1 : index]?.lastName
        else { return nil }
        let functions = self.functions(named: name)
        if let function = functions.first {
            guard functions.count == 1 else { return nil }
            return SourceClosure(
                parameters: function.parameters,
                body: function.body,
                isExpression: function.isExpression
            )
        }
        guard isReference, let values = declarations.byName[name], let value = values.first, values.count == 1
        else { return nil }
        return closure(at: value.value, before: value.end)
    }

    /// The value of a closure for an element of a collection.
    func result(
        of closure: SourceClosure,
        for element: SourceElement,
        _ bindings: Bindings,
        _ depth: Int
    ) -> SourceValue {
        var bindings = bindings
        bind(element, to: closure.parameters.isEmpty ? ["it", "$0"] : closure.parameters, in: &bindings)
        var start = closure.body.lowerBound
        if code[start]?.name == "return" { start += 1 }
        guard start < closure.body.upperBound else { return unknown(closure.body) }
        return value(start..<min(closure.body.upperBound, code.statementEnd(from: start)), bindings, depth)
    }

    /// Gives the names of a loop the element, or its key and its value.
    func bind(_ element: SourceElement, to names: [String], in bindings: inout Bindings) {
        let pair: SourceElement? =
            element.key != nil
            ? element
            : element.value.elements.flatMap { parts in
                parts.count == 1 && parts[0].key != nil ? parts[0] : nil
            }
        if let pair, let key = pair.key {
            let whole = SourceValue.collection([pair])
            if names == ["it", "$0"] || names.count == 1 {
                for name in names { bindings[name] = whole }
                if names == ["it", "$0"] {
                    bindings["$0"] = key
                    bindings["$1"] = pair.value
                }
            } else {
                bindings[names[0]] = key
                bindings[names[1]] = pair.value
            }
            return
        }
        if names.count > 1, names != ["it", "$0"], let parts = element.value.elements,
            parts.count == names.count
        {
            for (name, part) in zip(names, parts) { bindings[name] = part.value }
            return
        }
        // `for (index, value)` of Go and of enumerations has the value at the end.
        for name in names { bindings[name] = element.value }
    }
}

extension SourceClosure {
    private static let keywords: Set = [
        "function", "delegate", "func", "fun", "lambda", "fn", "async", "static",
    ]

    /// Reads the function without a name that begins at an index; `nil` if there is none.
    static func read(at start: Int, before limit: Int, in code: SourceCode) -> SourceClosure? {
        var index = start
        guard index < limit, let first = code[index] else { return nil }
        var keyword: String?
        while index < limit, let name = code[index]?.name, keywords.contains(name) {
            keyword = name
            index += 1
        }
        if keyword == "lambda" { return lambda(from: index, before: limit, in: code) }
        if first.isMark("^"), code.language == .objectiveC || code.language == .unknown {
            return block(from: index + 1, before: limit, in: code)
        }
        if code.isMark("{", at: index) {
            guard keyword != nil || isBlock(at: index, in: code) else { return nil }
            return braces(at: index, in: code)
        }
        if code.isMark("|", at: index), code.language == .rust {
            return bars(from: index, before: limit, in: code)
        }
        return arrow(from: index, keyword, before: limit, in: code)
    }

    /// Whether braces are a closure of Swift or Kotlin, and no dictionary.
    private static func isBlock(at index: Int, in code: SourceCode) -> Bool {
        switch code.language {
        case .swift, .kotlin: true
        case .unknown:
            ((index + 1)..<min(code.end(of: index), index + 40)).contains { place in
                code.tokens[place].name == "in" || code.tokens[place].name == "return"
                    || code.tokens[place].name == "it"
                    || code.isMark("-", at: place) && code.isMark(">", at: place + 1)
                    || code.tokens[place].name == "true" && place == index + 1
            }
        default: false
        }
    }

    /// `{ a, b -> … }` of Kotlin, `{ a, b in … }` of Swift, `{ … }`.
    private static func braces(at index: Int, in code: SourceCode) -> SourceClosure {
        let end = code.end(of: index)
        var place = index + 1
        while place < min(end, index + 40) {
            let isArrow = code.isMark("-", at: place) && code.isMark(">", at: place + 1)
            let isIn = code.tokens[place].name == "in" && code.language != .kotlin
            if isArrow || isIn {
                // `-> Bool in` of Swift: the type of the result stands between.
                if isArrow, code.language == .swift {
                    place += 1
                    continue
                }
                return SourceClosure(
                    parameters: parameters((index + 1)..<place, in: code),
                    body: (place + (isArrow ? 2 : 1))..<max(place + (isArrow ? 2 : 1), end),
                    isExpression: false
                )
            }
            if code.tokens[place].isMark(of: ";{") { break }
            place = code.tokens[place].isMark(of: "([") ? code.end(of: place) + 1 : place + 1
        }
        return SourceClosure(parameters: [], body: (index + 1)..<max(index + 1, end), isExpression: false)
    }

    /// `x => …`, `(x) => …`, `(x) -> …`, `(x) { … }`, `function (x) { … }`.
    private static func arrow(
        from start: Int,
        _ keyword: String?,
        before limit: Int,
        in code: SourceCode
    ) -> SourceClosure? {
        var index = start
        var names: [String] = []
        if code.isMark("(", at: index) {
            names = parameters((index + 1)..<code.end(of: index), in: code)
            index = code.end(of: index) + 1
        } else if let name = code[index]?.name {
            names = keyword == nil ? [name] : []
            index += 1
            // The name of a function: `function check(a) { … }`.
            if keyword != nil, code.isMark("(", at: index) {
                names = parameters((index + 1)..<code.end(of: index), in: code)
                index = code.end(of: index) + 1
            }
        } else {
            return nil
        }
        let hasParenthesis = code.isMark(")", at: index - 1)
        if keyword != nil || (hasParenthesis && (code.isMark(":", at: index) || code.language == .dart)) {
            // The type of the result stands in front of the arrow or the braces.
            var place = index
            while place < min(limit, index + 16), !code.isMark("{", at: place),
                !(code.isMark("=", at: place) && code.isMark(">", at: place + 1))
            {
                guard code.tokens[place].name != nil || code.tokens[place].isMark(of: "<>[]?:.*,(){") else {
                    break
                }
                place = code.tokens[place].isMark("(") ? code.end(of: place) + 1 : place + 1
            }
            if keyword != nil || !code.isMark("{", at: place) || code.language == .dart { index = place }
        }
        guard index < limit else { return nil }
        // `$this->verify` of PHP is a member.
        let isMember = code.isMark("-", at: index) && code[start]?.name?.hasPrefix("$") == true
        let isArrow =
            (code.isMark("=", at: index) || code.isMark("-", at: index)) && code.isMark(">", at: index + 1)
            && !isMember
        if isArrow { index += 2 }
        if code.isMark("{", at: index),
            isArrow || keyword != nil || (hasParenthesis && code.language == .dart)
        {
            return SourceClosure(
                parameters: names,
                body: (index + 1)..<max(index + 1, code.end(of: index)),
                isExpression: false
            )
        }
        guard isArrow, index < limit else { return nil }
        return SourceClosure(parameters: names, body: index..<limit, isExpression: true)
    }

    /// `lambda a, b: …` of Python.
    private static func lambda(from start: Int, before limit: Int, in code: SourceCode) -> SourceClosure? {
        guard let colon = (start..<limit).first(where: { code.isMark(":", at: $0) }) else { return nil }
        return SourceClosure(
            parameters: parameters(start..<colon, in: code),
            body: (colon + 1)..<max(colon + 1, limit),
            isExpression: true
        )
    }

    /// `^Type(a, b) { … }` of Objective-C.
    private static func block(from start: Int, before limit: Int, in code: SourceCode) -> SourceClosure? {
        guard let brace = (start..<limit).first(where: { code.isMark("{", at: $0) }) else { return nil }
        let names = (start..<brace).compactMap { place -> String? in
            guard code.isMark(",", at: place) || code.isMark(")", at: place) else { return nil }
            return code[place - 1]?.name
        }
        return SourceClosure(
            parameters: names,
            body: (brace + 1)..<max(brace + 1, code.end(of: brace)),
            isExpression: false
        )
    }

    /// `|a, b| …` of Rust.
    private static func bars(from start: Int, before limit: Int, in code: SourceCode) -> SourceClosure? {
        guard let close = ((start + 1)..<limit).first(where: { code.isMark("|", at: $0) }) else { return nil }
        let body = close + 1
        if code.isMark("{", at: body) {
            return SourceClosure(
                parameters: parameters((start + 1)..<close, in: code),
                body: (body + 1)..<max(body + 1, code.end(of: body)),
                isExpression: false
            )
        }
        return SourceClosure(
            parameters: parameters((start + 1)..<close, in: code),
            body: body..<max(body, limit),
            isExpression: true
        )
    }

    /// The names of the parameters by which classes and records of a file are made.
    static func parametersOfClasses(in code: SourceCode) -> [String: [String]] {
        var result: [String: [String]] = [:]
        for index in code.tokens.indices {
            guard let word = code.tokens[index].name, word == "class" || word == "record",
                let name = code[index + 1]?.name, code.isMark("(", at: index + 2)
            else { continue }
            result[name] = parameters((index + 3)..<max(index + 3, code.end(of: index + 2)), in: code)
        }
        return result
    }

    /// The names of parameters, without their types.
    static func parameters(_ range: Range<Int>, in code: SourceCode) -> [String] {
        var names: [String] = []
        var current: [String] = []
        var isTyped = false
        func finish() {
            // `String host` has the type in front, `vararg host: String` a word, and Go the type behind.
            if let name = isTyped || code.language != .go ? current.last : current.first {
                names.append(name)
            }
            current = []
            isTyped = false
        }
        var index = range.lowerBound
        // The closing mark of a destructured parameter, which has its names in parentheses.
        var close = range.lowerBound
        while index < range.upperBound {
            let token = code.tokens[index]
            if token.isMark(",") || index == close { finish() }
            if token.isMark(of: ":=") { isTyped = true }
            if token.isMark("("), current.isEmpty {
                close = max(close, code.end(of: index))
            } else if token.isMark(of: "[{<"), isTyped || token.isMark("<") {
                let end = token.isMark("<") ? code.typeEnd(from: index) : code.end(of: index)
                index = end ?? index
            } else if let name = token.name, !isTyped {
                current.append(name)
            }
            index += 1
        }
        finish()
        return names
    }
}
