/// The answer that the code of a callback gives, as far as its form decides it.
package enum SourceAnswer: Sendable, Hashable {
    /// Each way through the code ends with `true`, or without an error.
    case accepts
    /// Each way through the code ends with `false`, or with an error.
    case refuses
    /// The code would have to be run.
    case undecided
}

extension SourceEvaluator {
    /// The answer of a closure or of a function that returns a boolean.
    package func answer(of closure: SourceClosure) -> SourceAnswer {
        guard !closure.isExpression else { return answer(ofExpression: closure.body) }
        return answer(ofBody: closure.body)
    }

    /// The answer of a function with a name that returns a boolean.
    package func answer(ofFunction function: SourceFunction) -> SourceAnswer {
        function.isExpression ? answer(ofExpression: function.body) : answer(ofBody: function.body)
    }

    /// The answer of a function that returns an error or nothing: it accepts if each result is nothing.
    package func answer(ofNoError closure: SourceClosure) -> SourceAnswer {
        closure.isExpression ? answer(ofExpression: closure.body) : answer(ofNoError: closure.body)
    }

    /// The answer of a body that returns an error or nothing.
    package func answer(ofNoError body: Range<Int>) -> SourceAnswer {
        guard affords(body) else { return .undecided }
        let hasReturn = code.tokens[body].contains { $0.name == "return" }
        guard hasReturn else { return answer(ofChecks: body) }
        return answer(ofBody: body)
    }

    /// The answer of a body: all of its results have to be the same literal.
    package func answer(ofBody body: Range<Int>) -> SourceAnswer {
        guard affords(body) else { return .undecided }
        let returns = body.filter { code.tokens[$0].name == "return" }
        guard !returns.isEmpty else {
            if throwsError(body) { return .undecided }
            // The last statement of Swift and Kotlin is the result.
            return lastStatement(of: body).map { answer(ofExpression: $0) } ?? .undecided
        }
        var answers = Set(
            returns.map { place in
                var start = place + 1
                // `return@label true` of Kotlin.
                if code.isMark("@", at: start) { start += 2 }
                return answer(ofExpression: start..<min(body.upperBound, code.statementEnd(from: start)))
            }
        )
        if throwsError(body) { answers.insert(.refuses) }
        return answers.count == 1 ? answers.first ?? .undecided : .undecided
    }

    /// The answer of a body that refuses by an error: it accepts if it can throw none.
    package func answer(ofChecks body: Range<Int>) -> SourceAnswer {
        guard affords(body) else { return .undecided }
        let harmless: Set = [
            "Log", "log", "println", "print", "Timber", "logger", "LOG", "System", "console", "Logger",
            "NSLog", "debugPrint", "fmt", "super",
        ]
        let returns = body.filter { code.tokens[$0].name == "return" && !code.endsLine(before: $0 + 1) }
        if returns.contains(where: { code[$0 + 1].map { !$0.isMark(of: ";}") } ?? false }) {
            return answer(ofBody: body)
        }
        if throwsError(body) {
            let statements = code.tokens[body].count { $0.name == "throw" }
            return statements == 1 && code[body.lowerBound]?.name == "throw" ? .refuses : .undecided
        }
        for place in body {
            guard let name = code.tokens[place].name, code.isMark("(", at: place + 1) else { continue }
            let first = name.split(separator: ".").first.map(String.init) ?? name
            if name == "super" || name.hasPrefix("super.") { return .undecided }
            guard
                harmless.contains(first) || ["if", "for", "while", "catch"].contains(name)
                    || isWithinHarmless(place, harmless)
            else { return .undecided }
        }
        return .accepts
    }

    /// Whether a call is an argument of a call that only writes a log.
    private func isWithinHarmless(_ place: Int, _ harmless: Set<String>) -> Bool {
        code.ancestors(of: place).contains { open in
            guard code.isMark("(", at: open), let name = code[open - 1]?.name else { return false }
            return harmless.contains(name.split(separator: ".").first.map(String.init) ?? name)
        }
    }

    private func throwsError(_ body: Range<Int>) -> Bool {
        let errors: Set = ["throw", "raise", "fatalError", "panic", "abort", "error", "check", "require"]
        return body.contains { code.tokens[$0].name.map(errors.contains) == true }
    }

    private func lastStatement(of body: Range<Int>) -> Range<Int>? {
        var start = body.lowerBound
        var last: Range<Int>?
        while start < body.upperBound {
            let end = min(body.upperBound, max(start + 1, code.statementEnd(from: start)))
            if !code.isMark(";", at: start) { last = start..<end }
            start = code.isMark(";", at: end) ? end + 1 : end
        }
        return last
    }

    private func answer(ofExpression range: Range<Int>) -> SourceAnswer {
        var range = range
        if let last = range.last, code.isMark(";", at: last) { range = range.lowerBound..<last }
        // `return` alone.
        guard !range.isEmpty else { return .accepts }
        switch value(range, [:], 0) {
        case .boolean(true): return .accepts
        case .boolean(false): return .refuses
        case .null: return .accepts
        default: return .undecided
        }
    }
}
