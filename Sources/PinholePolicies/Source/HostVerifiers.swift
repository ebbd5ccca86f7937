import PinholeSource
import PinholeTrust

/// Host verifiers of Java and Kotlin: whether the one that a client gets accepts every name.
extension SourceReading {
    /// Verifiers of libraries that accept every name.
    static let acceptors: Set = [
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
    /// The most verifiers that are read in one file; each may cost a pass over the file.
    static let mostVerifiers = 200

    /// The places that set a host verifier, at most ``mostVerifiers`` of them.
    ///
    /// - Parameter names: The calls and members that take one.
    /// - Returns: The places.
    mutating func verifierPlaces(of names: Set<String>) -> [Int] {
        let setters = places(of: names).filter { verifier(at: $0) != nil }
        if setters.count > Self.mostVerifiers, isFirst("verifiers") {
            notes.unproven(
                path(setters[Self.mostVerifiers]),
                "More than \(Self.mostVerifiers) host verifiers are set in this file; the others are not read.",
                "Divide the file.",
                as: .leftOut
            )
        }
        return Array(setters.prefix(Self.mostVerifiers))
    }

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
    /// - Returns: Each with its place.
    func declaredVerifiers() -> [(index: Int, answer: SourceAnswer)] {
        let most = Self.mostVerifiers
        let methods = verifiers.methods.prefix(most).map { ($0.place ?? 0, answer(ofVerifier: $0)) }
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
            guard isTyped, let place = HostVerifierIndex.value(ofDeclaration: index + 1, code),
                let answer = verifierAnswer(of: place..<code.statementEnd(from: place), 0)
            else { return nil }
            return (index, answer)
        }
        return methods + values
    }

    /// The answer of the host verifier that an expression is.
    ///
    /// - Parameters:
    ///   - range: The tokens of the expression.
    ///   - depth: The number of variables around it.
    /// - Returns: The answer; `nil` for none, `null`.
    func verifierAnswer(of range: Range<Int>, _ depth: Int = 0) -> SourceAnswer? {
        guard depth < Self.depth, !range.isEmpty, let first = code[range.lowerBound] else {
            return .undecided
        }
        if range.count == 1, ["null", "nil"].contains(first.name ?? "") { return nil }
        if let closure = evaluator.closure(at: range.lowerBound, before: range.upperBound) {
            return answer(ofVerifier: closure)
        }
        let answer = answer(ofExpression: range, depth)
        // A choice between verifiers is as safe as each of them, and one of them is known at most.
        return answer == .refuses && isChoice(range) ? .undecided : answer
    }

    private func answer(ofExpression range: Range<Int>, _ depth: Int) -> SourceAnswer? {
        let names = code.tokens[range].compactMap(\.name)
        let parts = names.flatMap { $0.split(separator: ".").map(String.init) }
        // `HostnameVerifier { … }`, and objects with a class of their own.
        if let brace = range.first(where: { code.isMark("{", at: $0) }) {
            let own = verifiers.methods.first { range.contains($0.place ?? -1) }
            if let own { return answer(ofVerifier: own) }
            guard let closure = evaluator.closure(at: brace, before: code.end(of: brace) + 1) else {
                return .undecided
            }
            return answer(ofVerifier: closure)
        }
        // `HostnameVerifier((h, s) -> true)`
        if let open = range.first(where: { code.isMark("(", at: $0) }), open > range.lowerBound,
            code[open - 1]?.lastName == "HostnameVerifier", code.end(of: open) + 1 == range.upperBound
        {
            return verifierAnswer(of: (open + 1)..<code.end(of: open), depth + 1)
        }
        if parts.contains(where: Self.acceptors.contains) { return .accepts }
        if isComparer(range) { return .refuses }
        // `this::check`, `Tls::all`.
        if range.allSatisfy({ code.tokens[$0].name != nil || code.isMark(":", at: $0) }) {
            let answer = answer(at: range.lowerBound, before: range.upperBound)
            if answer != .undecided { return answer }
        }
        let known = names.filter { $0 != "new" && $0 != "INSTANCE" }
        guard known.count == 1, let name = parts.last(where: { $0 != "INSTANCE" && $0 != "new" }) else {
            return .undecided
        }
        return answers(ofDeclarations: name, depth)
    }

    /// Whether an expression chooses between verifiers.
    private func isChoice(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            let token = code.tokens[index]
            let word = token.name ?? ""
            if token.isMark("?") || ["if", "else", "when", "switch"].contains(word) { return true }
            index = token.isMark(of: "([{") ? code.end(of: index) + 1 : index + 1
        }
        return false
    }

    /// Whether an expression is a verifier that compares the name, `new DefaultHostnameVerifier(…)`, or its method.
    private func isComparer(_ range: Range<Int>) -> Bool {
        let first = code[range.lowerBound]?.name == "new" ? range.lowerBound + 1 : range.lowerBound
        guard let name = code[first]?.name, isComparer(name) else { return false }
        let next = first + 1
        if next >= range.upperBound { return true }
        if code.isMark("(", at: next) { return code.end(of: next) + 1 >= range.upperBound }
        return code.isMark(":", at: next) && code.isMark(":", at: next + 1)
            && code[next + 2]?.name == "verify" && next + 3 >= range.upperBound
    }

    private func isComparer(_ name: String) -> Bool {
        name.split(separator: ".").contains { Self.comparers.contains(String($0)) }
    }

    /// The answer of the class or the variable that a name stands for.
    private func answers(ofDeclarations name: String, _ depth: Int) -> SourceAnswer {
        let key = "\(depth) \(name)"
        if let known = verifiers.answers[key] { return known }
        let answer = readAnswers(ofDeclarations: name, depth)
        verifiers.answers[key] = answer
        return answer
    }

    private func readAnswers(ofDeclarations name: String, _ depth: Int) -> SourceAnswer {
        var answers: Set<SourceAnswer> = []
        let places = verifiers.declarations[name] ?? []
        guard places.count <= Self.mostDeclarations else { return .undecided }
        for index in places {
            if let body = HostVerifierIndex.body(ofClass: index, code) {
                let methods = verifiers.methods.filter { body.contains($0.place ?? -1) }
                answers.formUnion(methods.prefix(Self.mostDeclarations).map { answer(ofVerifier: $0) })
            } else if let place = HostVerifierIndex.value(ofDeclaration: index, code),
                let answer = verifierAnswer(of: place..<code.statementEnd(from: place), depth + 1)
            {
                answers.insert(answer)
            }
        }
        guard let answer = answers.first, answers.count == 1 else { return .undecided }
        return answer
    }

    private func answer(ofVerifier closure: SourceClosure) -> SourceAnswer {
        let answer = evaluator.answer(of: closure)
        guard answer == .undecided else { return answer }
        return delegates(closure.body, closure.parameters) ? .refuses : .undecided
    }

    private func answer(ofVerifier function: SourceFunction) -> SourceAnswer {
        let answer = evaluator.answer(ofFunction: function)
        guard answer == .undecided else { return answer }
        return delegates(function.body, function.parameters) ? .refuses : .undecided
    }

    /// Whether a body is one call of a verifier that compares the name, with the name that the body gets:
    /// `return OkHostnameVerifier.INSTANCE.verify(host, session);`.
    private func delegates(_ body: Range<Int>, _ parameters: [String]) -> Bool {
        guard let host = parameters.first, var last = body.last else { return false }
        let first = code[body.lowerBound]?.name == "return" ? body.lowerBound + 1 : body.lowerBound
        let start = code[first]?.name == "new" ? first + 1 : first
        if code.isMark(";", at: last) { last -= 1 }
        guard let open = code.start(of: last), open > start, code[open - 1]?.lastName == "verify",
            code[start]?.name.map(isComparer) == true, code[open + 1]?.name == host,
            code.isMark(",", at: open + 2)
        else { return false }
        // `HttpsURLConnection.getDefaultHostnameVerifier().verify`, and no operator.
        return ((start + 1)..<max(start + 1, open - 1)).allSatisfy { code.tokens[$0].isMark(of: "().") }
    }
}

/// The methods and declarations of host verifiers in a file, and the answers that are known.
final class HostVerifierIndex {
    private let evaluator: SourceEvaluator
    private var code: SourceCode { evaluator.code }
    /// The methods of host verifiers.
    private(set) lazy var methods = evaluator.functions(named: "verify").filter { function in
        guard let place = function.place else { return false }
        return function.parameters.count == 2 && code.isDeclaration(place)
    }
    /// The places of the classes, objects and variables with each name.
    private(set) lazy var declarations: [String: [Int]] = {
        var places: [String: [Int]] = [:]
        for index in code.tokens.indices {
            guard let name = code.tokens[index].lastName,
                Self.body(ofClass: index, code) != nil || Self.value(ofDeclaration: index, code) != nil
            else { continue }
            places[name, default: []].append(index)
        }
        return places
    }()
    /// The answers of the names that were followed.
    var answers: [String: SourceAnswer] = [:]

    /// Creates an index that is filled when a reader asks for it.
    init(_ evaluator: SourceEvaluator) { self.evaluator = evaluator }

    /// The braces of the class or object with a name; `nil` if the place declares none.
    static func body(ofClass index: Int, _ code: SourceCode) -> Range<Int>? {
        guard ["class", "object"].contains(code[index - 1]?.name ?? "") else { return nil }
        let head = index..<min(index + 24, code.tokens.count)
        guard let brace = head.first(where: { code.isMark("{", at: $0) }) else { return nil }
        return brace..<code.end(of: brace)
    }

    /// The value of a declaration or an assignment, behind the type of the name; `nil` if the place has none.
    static func value(ofDeclaration index: Int, _ code: SourceCode) -> Int? {
        var place = index + 1
        if code.isMark(":", at: place) { place += 2 }
        guard code.isMark("=", at: place), !code.isMark("=", at: place + 1) else { return nil }
        return place + 1
    }
}
