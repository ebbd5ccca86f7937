import PinholeSource

/// Host verifiers of Java and Kotlin: whether the one that a client gets accepts every name.
extension SourceReading {
    /// Verifiers of libraries that accept every name.
    private static let acceptors: Set = [
        "NoopHostnameVerifier", "ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier",
    ]
    /// Verifiers of platforms and libraries that compare the name with the certificate's.
    private static let comparers: Set = [
        "OkHostnameVerifier", "DefaultHostnameVerifier", "getDefaultHostnameVerifier",
        "StrictHostnameVerifier", "BrowserCompatHostnameVerifier", "STRICT_HOSTNAME_VERIFIER",
        "BROWSER_COMPATIBLE_HOSTNAME_VERIFIER",
    ]
    /// A verifier is sought in at most this many variables, one within the other.
    private static let depth = 4
    /// A name has at most this many declarations that are followed.
    private static let mostDeclarations = 4

    /// The answer of the host verifier that a call or an assignment sets.
    ///
    /// - Parameter index: The place of the call's name.
    /// - Returns: The answer; `nil` if the place sets none.
    func verifierAnswer(at index: Int) -> SourceAnswer? {
        verifier(at: index).flatMap { verifierAnswer(of: $0, 0) }
    }

    /// The host verifier that a call or an assignment sets; `nil` for a declaration of that name.
    func verifier(at index: Int) -> Range<Int>? {
        let open = index + 1
        guard !code.isDeclaration(index) else { return nil }
        if code.isMark("{", at: open) { return open..<min(code.end(of: open) + 1, code.tokens.count) }
        if code.isMark("(", at: open) {
            let end = code.end(of: open)
            // A body behind the parameters is a declaration, too.
            return end > open + 1 && !code.isMark("{", at: end + 1) ? (open + 1)..<end : nil
        }
        // A parameter has its type behind the colon.
        guard !code.isMark(":", at: open), let place = assigned(at: index) else { return nil }
        let end = valueEnd(from: place)
        return place < end ? place..<end : nil
    }

    /// The answer of the verifiers that the code declares and another file may set.
    ///
    /// - Parameter most: The most methods and values that are read.
    /// - Returns: Each with its place.
    func declaredVerifiers(_ most: Int) -> [(index: Int, answer: SourceAnswer)] {
        let methods = verifierMethods.prefix(most).map { ($0.place ?? 0, answer(ofVerifier: $0)) }
        // `HostnameVerifier { … }` and `HostnameVerifier name = …`; a class has its methods.
        let names = places(of: ["HostnameVerifier"]).prefix(most)
        let values: [(Int, SourceAnswer)] = names.compactMap { index in
            let isHead =
                code[index - 1]?.isMark(of: ":,") == true
                || ["implements", "new", "import"].contains(code[index - 1]?.name ?? "")
            if code.isMark("{", at: index + 1), !isHead,
                let closure = evaluator.closure(at: index + 1)
            {
                return (index, answer(ofVerifier: closure))
            }
            let isTyped = code[index + 1]?.name != nil && !code.endsLine(before: index + 1)
            guard isTyped, let place = declaredValue(at: index + 1),
                let answer = verifierAnswer(of: place..<code.statementEnd(from: place), 0)
            else { return nil }
            return (index, answer)
        }
        return methods + values
    }

    /// The methods of host verifiers in the code.
    var verifierMethods: [SourceFunction] {
        SourceFunction.named("verify", in: code).filter { function in
            guard let place = function.place else { return false }
            return function.parameters.count == 2 && code.isDeclaration(place)
        }
    }

    private func verifierAnswer(of range: Range<Int>, _ depth: Int) -> SourceAnswer? {
        guard depth < Self.depth, !range.isEmpty, let first = code[range.lowerBound] else {
            return .undecided
        }
        if range.count == 1, ["null", "nil"].contains(first.name ?? "") { return nil }
        if let closure = evaluator.closure(at: range.lowerBound, before: range.upperBound) {
            return answer(ofVerifier: closure)
        }
        let parts = code.tokens[range].flatMap { $0.name?.split(separator: ".").map(String.init) ?? [] }
        let verify = verifierMethods
        // `HostnameVerifier { … }`, and objects with a class of their own.
        if let brace = range.first(where: { code.isMark("{", at: $0) }) {
            let own = verify.filter { range.contains($0.place ?? -1) }
            if let function = own.first { return answer(ofVerifier: function) }
            guard let closure = evaluator.closure(at: brace, before: code.end(of: brace) + 1) else {
                return .undecided
            }
            return answer(ofVerifier: closure)
        }
        // `HostnameVerifier((h, s) -> true)` and other wrappers of one argument.
        if let open = range.first(where: { code.isMark("(", at: $0) }), parts.last == "HostnameVerifier" {
            return verifierAnswer(of: (open + 1)..<code.end(of: open), depth + 1)
        }
        if parts.contains(where: Self.acceptors.contains) { return .accepts }
        if parts.contains(where: Self.comparers.contains) { return .refuses }
        let answer = answer(at: range.lowerBound, before: range.upperBound)
        if answer != .undecided { return answer }
        guard let name = parts.last(where: { $0 != "INSTANCE" && $0 != "new" }) else { return .undecided }
        return answers(ofDeclarations: name, verify, depth)
    }

    /// The answer of the class or the variable that a name stands for.
    private func answers(
        ofDeclarations name: String,
        _ verify: [SourceFunction],
        _ depth: Int
    ) -> SourceAnswer {
        var answers: Set<SourceAnswer> = []
        var count = 0
        for index in code.tokens.indices where code.tokens[index].lastName == name {
            guard count < Self.mostDeclarations else { return .undecided }
            let head = index..<min(index + 24, code.tokens.count)
            if ["class", "object"].contains(code[index - 1]?.name ?? ""),
                let brace = head.first(where: { code.isMark("{", at: $0) })
            {
                let body = brace..<code.end(of: brace)
                count += 1
                answers.formUnion(
                    verify.filter { body.contains($0.place ?? -1) }.map { answer(ofVerifier: $0) }
                )
            } else if let place = declaredValue(at: index) {
                count += 1
                if let answer = verifierAnswer(of: place..<code.statementEnd(from: place), depth + 1) {
                    answers.insert(answer)
                }
            }
        }
        guard let answer = answers.first, answers.count == 1 else { return .undecided }
        return answer
    }

    /// The value of a declaration or an assignment, behind the type of the name.
    private func declaredValue(at index: Int) -> Int? {
        var place = index + 1
        if code.isMark(":", at: place) { place += 2 }
        guard code.isMark("=", at: place), !code.isMark("=", at: place + 1) else { return nil }
        return place + 1
    }

    private func answer(ofVerifier closure: SourceClosure) -> SourceAnswer {
        delegates(closure.body) ? .refuses : evaluator.answer(of: closure)
    }

    private func answer(ofVerifier function: SourceFunction) -> SourceAnswer {
        delegates(function.body) ? .refuses : evaluator.answer(ofFunction: function)
    }

    /// Whether a body is one call of a verifier that compares the name.
    private func delegates(_ body: Range<Int>) -> Bool {
        let tokens = code.tokens[body]
        let parts = tokens.flatMap { $0.name?.split(separator: ".").map(String.init) ?? [] }
        return parts.contains(where: Self.comparers.contains) && parts.contains("verify")
            && !tokens.contains {
                $0.isMark(of: "|?!=") || ["if", "when", "try", "true"].contains($0.name ?? "")
            }
    }
}
