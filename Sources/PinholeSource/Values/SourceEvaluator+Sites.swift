extension SourceEvaluator {
    /// The most sets of values that the loops around a place are unrolled to.
    private static let mostRuns = 256
    /// The most loops and functions around a place that are followed, the innermost ones.
    private static let mostBlocks = 32

    /// The values of the names at a place, one set for each run of the loops around it.
    ///
    /// The parameter of a function gets the arguments of its calls in the same file. A name that is not known stands
    /// for itself, so that a constant of the same name elsewhere is not taken for it.
    package func runs(at index: Int) -> [Bindings] { runs(at: index, 0) }

    private func runs(at index: Int, _ depth: Int) -> [Bindings] {
        var runs: [Bindings] = [[:]]
        // Outer blocks first, since the collection of a loop may be a parameter of the function around it.
        var blocks: [(start: Int, run: (Bindings) -> [Bindings])] = loops.filter { $0.body.contains(index) }
            .map {
                loop in (loop.body.lowerBound, { self.unrolled(loop, $0) })
            }
        for brace in code.ancestors(of: index) where code.isMark("{", at: brace) {
            guard let function = SourceFunction.of(brace: brace, in: code) else { continue }
            blocks.append((brace, { self.called(function, $0, depth) }))
        }
        for block in blocks.sorted(by: { $0.start < $1.start }).suffix(Self.mostBlocks) {
            var next: [Bindings] = []
            for run in runs where next.count < Self.mostRuns { next += block.run(run) }
            runs = next.prefixed(Self.mostRuns)
        }
        return runs
    }

    private func unrolled(_ loop: SourceLoop, _ bindings: Bindings) -> [Bindings] {
        if loop.isCounted {
            let list = code[loop.collection.lowerBound]?.qualifier ?? ""
            guard let count = lookUp(list, at: loop.collection.lowerBound, bindings)?.elements?.count else {
                return [masked(loop, bindings)]
            }
            return (0..<min(count, Self.mostRuns)).map { number in
                loop.variables.reduce(into: bindings) { $0[$1] = .integer(Int64(number)) }
            }
        }
        // The receiver of `PINS.forEach` is one token with the name of the call.
        var collection: SourceValue
        if loop.collection.count == 1, let qualifier = code[loop.collection.lowerBound]?.qualifier,
            loop.collection.upperBound < loop.body.lowerBound,
            code.tokens[loop.collection.upperBound].isMark(of: "({")
        {
            collection =
                lookUp(qualifier, at: loop.collection.lowerBound, bindings) ?? unknown(loop.collection)
        } else {
            collection = value(loop.collection, bindings, 0)
        }
        if loop.isWhole {
            if case .collection = collection {
            } else if case .text = collection {
            } else {
                return [masked(loop, bindings)]
            }
            return [loop.variables.reduce(into: bindings) { $0[$1] = collection }]
        }
        guard let elements = collection.elements else { return [masked(loop, bindings)] }
        return elements.prefix(Self.mostRuns).map { element in
            var run = bindings
            bind(element, to: loop.variables, in: &run)
            return run
        }
    }

    /// The bindings with the names of a loop over a collection that is not known, each with its expression.
    private func masked(_ loop: SourceLoop, _ bindings: Bindings) -> Bindings {
        let owner = loop.collection.count == 1 ? code[loop.collection.lowerBound]?.qualifier : nil
        let collection = owner ?? code.text(loop.collection)
        return loop.variables.reduce(into: bindings) { bindings, name in
            guard bindings[name] == nil else { return }
            bindings[name] = .other(SourceExpression(code: "\(name) in \(collection)", lastName: name))
        }
    }

    private func masked(_ names: [String], _ bindings: Bindings) -> Bindings {
        names.reduce(into: bindings) { bindings, name in
            if bindings[name] == nil { bindings[name] = .other(SourceExpression(code: name, lastName: name)) }
        }
    }

    private func runsOfCall(_ call: Int, _ depth: Int) -> [Bindings] {
        if let known = runsOfCalls[[call, depth]] { return known }
        let runs = runs(at: call, depth)
        runsOfCalls[[call, depth]] = runs
        return runs
    }

    /// The sets of values that the calls of a function give to its parameters.
    private func called(_ function: SourceFunction, _ bindings: Bindings, _ depth: Int) -> [Bindings] {
        let names = function.parameters.filter { bindings[$0] == nil }
        guard !names.isEmpty else { return [bindings] }
        guard let name = function.name, depth < 3 else { return [masked(names, bindings)] }
        let calls = places[name, default: []].lazy.filter { [code] in
            code.isMark("(", at: $0 + 1) && $0 != function.place
        }.prefix(33)
        guard !calls.isEmpty, calls.count <= 32 else { return [masked(names, bindings)] }
        var runs: [Bindings] = []
        for call in calls where runs.count < Self.mostRuns {
            for outer in runsOfCall(call, depth + 1) {
                guard affords(call..<(call + 1)) else { return [masked(names, bindings)] }
                var run = masked(names, bindings)
                let arguments = elements(in: call + 1, outer)
                for (position, parameter) in function.parameters.enumerated() {
                    if position == function.parameters.count - 1, function.isVariadic {
                        let rest = arguments.dropFirst(position)
                        run[parameter] = .collection(Array(rest))
                    } else if let argument = arguments.first(where: { $0.label == parameter })
                        ?? (position < arguments.count ? arguments[position] : nil)
                    {
                        run[parameter] = argument.value
                    }
                }
                runs.append(run)
            }
        }
        return runs
    }
}

extension Array {
    fileprivate func prefixed(_ count: Int) -> [Element] { self.count > count ? Array(prefix(count)) : self }
}

/// A function in source code.
package struct SourceFunction: Sendable {
    /// The name; `nil` for a closure.
    package let name: String?
    /// The index of the name's token; `nil` for a closure.
    package let place: Int?
    /// The names of the parameters.
    package let parameters: [String]
    /// Whether the last parameter takes any number of arguments.
    package let isVariadic: Bool
    /// The tokens of the body, without the braces.
    package let body: Range<Int>
    /// Whether the body is an expression behind an equals sign or an arrow.
    package var isExpression = false

    private static let statements: Set = [
        "if", "for", "while", "switch", "catch", "when", "foreach", "guard", "using", "synchronized", "lock",
        "with", "match", "elif", "return", "func", "fun", "function",
    ]

    /// The function whose body begins with a brace; `nil` if the braces are another block.
    package static func of(brace: Int, in code: SourceCode) -> SourceFunction? {
        let end = code.end(of: brace)
        var place = brace - 1
        let first = max(0, brace - 24)
        while place >= first {
            if code.isMark(")", at: place), let open = code.start(of: place) {
                guard let name = code[open - 1]?.lastName, !statements.contains(name),
                    isDeclaration(open - 1, in: code)
                else { return nil }
                let range = (open + 1)..<place
                let text = code.tokens[range]
                let isVariadic =
                    text.contains { $0.name == "vararg" }
                    || range.contains { code.isMark(".", at: $0) && code.isMark(".", at: $0 + 1) }
                return SourceFunction(
                    name: name,
                    place: open - 1,
                    parameters: SourceClosure.parameters(range, in: code),
                    isVariadic: isVariadic,
                    body: (brace + 1)..<max(brace + 1, end)
                )
            }
            // The type of the result, `throws` and annotations stand between.
            guard let token = code[place], token.name != nil || token.isMark(of: "<>[],?.:->*&@") else {
                return nil
            }
            place -= 1
        }
        return nil
    }

    /// Whether a name with parameters is that of a function, where conditions have no parentheses: `if pins.contains(k) {`.
    private static func isDeclaration(_ place: Int, in code: SourceCode) -> Bool {
        switch code.language {
        case .swift: code[place - 1]?.name == "func" || code[place]?.name == "init"
        case .rust: code[place - 1]?.name == "fn"
        case .go: code[place - 1]?.name == "func" || code.isMark(")", at: place - 1)
        default: true
        }
    }

    /// The functions of a file with a name, whose bodies are in braces or behind an equals sign.
    static func named(_ name: String, at places: [Int], in code: SourceCode) -> [SourceFunction] {
        places.compactMap { place in
            guard code.isMark("(", at: place + 1) else { return nil }
            let close = code.end(of: place + 1)
            func function(_ body: Range<Int>, isExpression: Bool) -> SourceFunction {
                SourceFunction(
                    name: name,
                    place: place,
                    parameters: SourceClosure.parameters((place + 2)..<max(place + 2, close), in: code),
                    isVariadic: false,
                    body: body,
                    isExpression: isExpression
                )
            }
            var index = close + 1
            let isDeclared = ["fun", "func", "bool", "boolean", "Boolean"].contains(
                code[place - 1]?.name ?? ""
            )
            while index < min(code.tokens.count, close + 24), !code.isMark("{", at: index) {
                // `fun verify(…) = true` of Kotlin, `bool check(…) => true` of Dart and C#.
                if isDeclared, code.isMark("=", at: index) {
                    let start = code.isMark(">", at: index + 1) ? index + 2 : index + 1
                    return function(start..<max(start, code.statementEnd(from: start)), isExpression: true)
                }
                guard let token = code[index], token.name != nil || token.isMark(of: "<>[],?.:->*&@()") else {
                    return nil
                }
                if token.isMark("("), code.language != .go { return nil }
                index += 1
            }
            guard code.isMark("{", at: index) else { return nil }
            return function((index + 1)..<max(index + 1, code.end(of: index)), isExpression: false)
        }
    }
}
