import PinholeSource
import PinholeTrust

/// The marks that no reader has judged where they stand: handed on by reflection, as a reference or in a variable, and
/// the signs that no reader knows, in a file that is read for something else. Silence would say more than is known.
extension SourceReading {
    /// The ends of the names of functions that find a member or a constant by its name, in small letters.
    private static let finders = [
        "method", "field", "ivar", "byname", "const_get", "constant", "send", "variable_set", "selector",
        "selectorfromstring", "registername", "atom",
    ]
    /// Shorter words say too little by themselves.
    private static let shortestMark = 8

    /// Asks about the marks that are handed on, and about signs that no reader judges.
    ///
    /// - Parameter reader: The reader that has read the code.
    mutating func askAboutMarks(of reader: SourceReader) {
        let named = places(of: Set(reader.marks).subtracting(reader.commonMarks)).filter(isHandedOn)
        let marks = Set(reader.marks.filter { $0.utf8.count >= Self.shortestMark })
        let texts = code.tokens.indices.filter { index in
            code.tokens[index].text.map { marks.contains($0.withoutSetter) } == true && isFound(index)
        }
        let known = SourceReader.all.filter { $0.languages.isEmpty || $0.languages.contains(code.language) }
        let signs = Set(SourceReader.switches.signs).subtracting(known.flatMap(\.marks))
        let places = (named + texts + places(of: signs).filter(isInUse)).sorted()
        guard !places.isEmpty else { return }
        // A finding of a reader says more about its line than this question would.
        let told = Set(
            notes.findings.map(\.path) + found.compactMap { ($0.policy as? BrokenPolicy)?.finding?.path }
        )
        for index in places where !told.contains(path(index).description) {
            undecided(at: index, by: code.tokens[index].text ?? code.tokens[index].lastName ?? "")
        }
    }

    /// Whether a name is handed on: `&c.option`, `Client::option`, and a constant that a variable or a macro gets.
    private func isHandedOn(_ index: Int) -> Bool {
        guard let name = code.tokens[index].lastName, !code.isMark("(", at: index + 1) else { return false }
        let isPath = code.isMark(":", at: index - 1) && code.isMark(":", at: index - 2)
        switch code.language {
        case .java, .kotlin: if isPath { return true }
        // A type has a great letter, and may be imported by its path.
        case .rust: if isPath, name == name.lowercased() { return !code.isMark(":", at: index + 1) }
        case .objectiveC, .swift:
            if code.isMark("&", at: index - 1), code[index - 2]?.isMark(of: "=(,") == true { return true }
        default: break
        }
        let isMacro = code[index - 2]?.name == "define" && code[index - 1]?.name != nil
        let isAssigned = code.isMark("=", at: index - 1) && code[index - 2]?.isMark(of: "=!<>") != true
        // An option of libcurl; other constants are values, which readers judge where they stand.
        guard name.contains("SSL_VERIFY"), name == name.uppercased(), isAssigned || isMacro else {
            return false
        }
        return code[index + 1]?.isMark(of: ";,)") != false || code.endsLine(before: index + 1)
    }

    /// Whether a text is the name by which a member is found: `getMethod("option")`, `constant('OPTION')`.
    private func isFound(_ index: Int) -> Bool {
        guard let open = code.parent(of: index), code.isMark("(", at: open),
            let call = code[open - 1]?.lastName
        else { return false }
        // Elsewhere, a property by its name is one that is read.
        if call == "GetProperty" { return code.language == .cSharp }
        return Self.finders.contains(where: call.lowercased().hasSuffix)
    }

    /// Whether a sign stands in code that is run.
    ///
    /// A function is called, a member is set, and a constant is an argument or the value of a member. Declarations,
    /// tables and comparisons say nothing.
    private func isInUse(_ index: Int) -> Bool {
        var first = index
        // `OpenSSL::SSL::VERIFY_NONE`
        while code.isMark(":", at: first - 1), code.isMark(":", at: first - 2), code[first - 3]?.name != nil {
            first -= 3
        }
        let name = code.tokens[index].lastName ?? ""
        guard !code.isDeclaration(first), code[first - 1]?.name != "def" else { return false }
        if name == name.uppercased() || name.hasPrefix("k") {
            if code.isMark("=", at: first - 1) { return code[first - 2]?.qualifier != nil }
            let isArgument = code.parent(of: first).map {
                code.isMark("(", at: $0) && code[$0 - 1]?.name != nil
            }
            return isArgument == true && code[first - 1]?.isMark(of: "(,") == true
                && code[index + 1]?.isMark(of: ",)") == true
        }
        if code.isMark("(", at: index + 1) { return true }
        return code.tokens[index].qualifier != nil
            && assigned(at: index).map { !["nil", "null", "None"].contains(code[$0]?.name ?? "") } == true
    }
}

extension String {
    /// The name without the sign of a setter of Ruby: `verify_mode=`.
    fileprivate var withoutSetter: String { hasSuffix("=") ? String(dropLast()) : self }
}
