package import PinholeModel

extension ProgramDeclaration {
    /// Reads `programs` of a configuration, an object with declarations by name.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - path: The place of the object in the document.
    /// - Returns: The declarations, in the order of their names.
    /// - Throws: ``DocumentFailure`` for an unknown key, or a value that cannot be used.
    package static func all(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [ProgramDeclaration] {
        guard case .object(let members) = value else {
            throw value.failure(at: path, expected: "an object {…}")
        }
        var declarations: [ProgramDeclaration] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard !name.isEmpty, FieldText.isValue(name.utf8) else {
                throw DocumentFailure(
                    path: path,
                    expected: "a name without control characters",
                    found: name.isEmpty ? "“”" : "one with them"
                )
            }
            declarations.append(try ProgramDeclaration(name, value, "\(path).\(name)"))
        }
        return declarations
    }

    private init(_ name: String, _ value: JSONValue, _ path: String) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        let command = try object.require("command") { (value, path) throws(DocumentFailure) in
            let words = try DocumentValue.list(Self.argument)(value, path)
            guard let first = words.first, !first.isEmpty else {
                throw DocumentFailure(
                    path: path,
                    expected: "a program and its arguments, each a text of its own",
                    found: words.isEmpty ? "an empty list" : "“” as the program"
                )
            }
            return words
        }
        var call = ProgramCall(name: name)
        call.points = [.request, .response]
        try object.read("at", into: &call.points, Self.points)
        try object.read("seconds", into: &call.patience, DocumentValue.seconds(in: 0.1...600))
        try object.read("onFailure", into: &call.failure, DocumentValue.choice(ProgramCall.Failure.self))
        self.init(call, command: command)
        var limit = Int64(failureLimit)
        try object.read("failures", into: &limit, DocumentValue.integer(in: 1...1000))
        failureLimit = Int(limit)
        try object.finish()
    }

    private static func argument(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> String {
        let text = try DocumentValue.string(value, path)
        guard !text.utf8.contains(0) else {
            throw DocumentFailure(path: path, expected: "a text without NUL", found: "one with it")
        }
        return text
    }

    private static func points(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [ProgramCall.Point] {
        let points = try DocumentValue.list(DocumentValue.choice(ProgramCall.Point.self))(value, path)
        let requests = points.count(where: \.isOfRequest)
        guard !points.isEmpty, requests <= 1, points.count - requests <= 1 else {
            let names = points.map(\.rawValue).joined(separator: ", ")
            throw DocumentFailure(
                path: path,
                expected: "requestHead or request, responseHead or response, or one of each",
                found: points.isEmpty ? "an empty list" : names
            )
        }
        return points
    }
}

extension RuleSet {
    /// Returns the same rules with the declarations of the programs that they name.
    ///
    /// - Parameters:
    ///   - programs: The declarations.
    ///   - path: The place of the rules in the document.
    /// - Returns: The rules.
    /// - Throws: ``DocumentFailure`` when a rule names a program that is not declared.
    package func resolvingPrograms(
        _ programs: [ProgramDeclaration],
        path: String
    ) throws(DocumentFailure) -> RuleSet {
        var set = self
        for index in rules.indices {
            set.rules[index] = try rules[index].resolvingProgram(programs, path: "\(path)[\(index)]")
        }
        return set
    }
}

extension Rule {
    /// Returns the same rule with the declaration of the program that it names.
    ///
    /// - Parameters:
    ///   - programs: The declarations.
    ///   - path: The place of the rule in the document.
    /// - Returns: The rule.
    /// - Throws: ``DocumentFailure`` when the program is not declared.
    package func resolvingProgram(
        _ programs: [ProgramDeclaration],
        path: String
    ) throws(DocumentFailure) -> Rule {
        guard case .askProgram(let call) = action else { return self }
        guard let declaration = programs.first(where: { $0.name == call.name }) else {
            let names = programs.map(\.name)
            let known = names.isEmpty ? "none is declared" : "declared: " + names.joined(separator: ", ")
            throw DocumentFailure(
                path: "\(path).program",
                expected: "the name of a program under “programs” in config.json (\(known))",
                found: "“\(call.name)”",
                remedy: Remedy.nearest(to: call.name, in: names) ?? ""
            )
        }
        var rule = self
        rule.action = .askProgram(declaration.call)
        return rule
    }
}
