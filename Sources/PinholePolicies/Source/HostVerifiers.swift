import PinholeSource

/// Verifiers of host names in Java and Kotlin.
extension SourceReading {
    /// The verifiers that accept every name.
    private static let lax: Set = [
        "NoopHostnameVerifier", "ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier",
    ]
    /// The verifiers of the libraries, which compare the name with the certificate.
    private static let strict: Set = [
        "OkHostnameVerifier", "DefaultHostnameVerifier", "getDefaultHostnameVerifier",
        "StrictHostnameVerifier", "STRICT_HOSTNAME_VERIFIER", "BrowserCompatHostnameVerifier",
        "BROWSER_COMPATIBLE_HOSTNAME_VERIFIER",
    ]

    /// The answer of the verifier that a call sets; `nil` if nothing is set there, or the check of a library.
    func nameAnswer(at index: Int) -> SourceAnswer? {
        let open = index + 1
        guard code.isMark("{", at: open) || code.isMark("(", at: open) else { return nil }
        let start = code.isMark("{", at: open) ? open : open + 1
        let end = code.end(of: open)
        // The declaration of a function of this name sets nothing.
        guard start < end, code[index - 1]?.name != "fun",
            code.isMark("{", at: open) || !code.isMark("{", at: end + 1)
        else { return nil }
        return nameAnswer(in: start..<end, limit: code.isMark("{", at: open) ? code.tokens.count : end)
    }

    /// The answer of the verifier in a range; `nil` for the check of a library.
    func nameAnswer(in range: Range<Int>, limit: Int) -> SourceAnswer? {
        if let closure = evaluator.closure(at: range.lowerBound, before: limit) {
            return answer(evaluator.answer(of: closure), in: closure.body)
        }
        let parts = code.tokens[range].flatMap { $0.name?.split(separator: ".").map(String.init) ?? [] }
        if parts.contains(where: Self.lax.contains) { return .accepts }
        // `HostnameVerifier { … }`
        if let brace = range.first(where: { code.isMark("{", at: $0) }),
            let closure = evaluator.closure(at: brace, before: range.upperBound + 1),
            !code.tokens[range].contains(where: { $0.lastName == "verify" })
        {
            return answer(evaluator.answer(of: closure), in: closure.body)
        }
        if parts.contains(where: Self.strict.contains) { return nil }
        return functionAnswer ?? .undecided
    }

    /// The answer of the functions `verify` of the file; `nil` if there are none.
    var functionAnswer: SourceAnswer? {
        let functions = SourceFunction.named("verify", in: code).filter { function in
            ["boolean", "Boolean", "fun"].contains(function.place.flatMap { code[$0 - 1]?.name } ?? "")
        }
        guard !functions.isEmpty else { return nil }
        let answers = functions.map { answer(evaluator.answer(ofFunction: $0), in: $0.body) }
        return answers.contains(.accepts)
            ? .accepts : answers.lazy.compactMap(\.self).first { $0 == .undecided } ?? .refuses
    }

    /// The answer of a body, which asks a library in the end, and nothing else.
    private func answer(_ answer: SourceAnswer, in body: Range<Int>) -> SourceAnswer? {
        guard answer == .undecided else { return answer }
        let tokens = code.tokens[body]
        let asksLibrary = tokens.contains { token in
            token.name?.split(separator: ".").contains { Self.strict.contains(String($0)) } == true
        }
        let decides = tokens.contains { $0.isMark("|") || $0.name == "true" || $0.name == "if" }
        return asksLibrary && !decides ? nil : .undecided
    }
}
