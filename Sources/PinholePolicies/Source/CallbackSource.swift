import PinholeTrust

/// Callbacks in C# and Dart in which an app judges servers itself.
///
/// Code is not run here. So much can be seen: whether a callback accepts everything.
enum CallbackSource {
    /// The members of .NET and Dart that take a callback.
    private static let members: Set = [
        "ServerCertificateCustomValidationCallback", "ServerCertificateValidationCallback",
        "RemoteCertificateValidationCallback", "badCertificateCallback", "onBadCertificate",
        "validateCertificate",
    ]
    /// The callback of .NET that is ready to accept everything.
    private static let acceptor = "DangerousAcceptAnyServerCertificateValidator"

    /// Whether a text sets a callback.
    static func isIn(_ text: String) -> Bool { members.contains(where: text.contains) }

    /// Judges the callbacks.
    ///
    /// - Parameters:
    ///   - tokens: The source code.
    ///   - notes: Gets a finding for each callback whose code would have to be run.
    /// - Returns: The policy that accepts everything, if a callback does; otherwise `nil`.
    static func policy(in tokens: [SourceToken], _ notes: inout DocumentNotes) -> BrokenPolicy? {
        var policy: BrokenPolicy?
        for index in tokens.indices {
            guard let name = tokens[index].lastName, members.contains(name), isSet(at: index, in: tokens)
            else {
                continue
            }
            switch answer(behind: index, in: tokens) {
            case true?:
                policy = policy ?? BrokenPolicy(acceptingAllAt: "line \(tokens[index].line)", by: name)
            // The callback of a bad certificate that refuses is the default.
            case false?: break
            case nil:
                notes.unproven(
                    .pinNotLiteral,
                    .root("line \(tokens[index].line)"),
                    "\(name) judges the server in code, which is not run here.",
                    "Prove it with the app itself: pinhole audit -- COMMAND."
                )
            }
        }
        return policy
    }

    /// Whether a callback of that name accepts every server.
    static func acceptsEverything(in tokens: [SourceToken], named name: String) -> Bool {
        tokens.indices.contains { index in
            tokens[index].lastName == name && isSet(at: index, in: tokens)
                && answer(behind: index, in: tokens) == true
        }
    }

    /// Whether the name gets a value there: `name = …`, `name += …`, `name: …`.
    private static func isSet(at index: Int, in tokens: [SourceToken]) -> Bool {
        guard index + 2 < tokens.count else { return false }
        let next = tokens[index + 1]
        // `a == b` compares.
        if next.isMark("=") { return !tokens[index + 2].isMark("=") }
        return next.isMark(":") || (next.isMark("+") && tokens[index + 2].isMark("="))
    }

    /// The answer of a callback that always gives the same; `nil` for other code.
    private static func answer(behind index: Int, in tokens: [SourceToken]) -> Bool? {
        var place = index + 1
        let limit = min(tokens.count, index + 40)
        while place < limit, !tokens[place].isMark(";") {
            if tokens[place].lastName == acceptor { return true }
            let isArrow = tokens[place].isMark("=") && place + 1 < limit && tokens[place + 1].isMark(">")
            let isBody = tokens[place].isMark("{")
            guard isArrow || isBody else {
                place += 1
                continue
            }
            place += isArrow ? 2 : 1
            if place < limit, isArrow, tokens[place].isMark("{") { place += 1 }
            if place < limit, tokens[place].name == "return" { place += 1 }
            guard place < limit, let word = tokens[place].name, ["true", "false"].contains(word) else {
                return nil
            }
            // `=> true || …` and `=> true && …` are more than the word.
            let next = place + 1 < tokens.count ? tokens[place + 1] : nil
            let isWhole = next.map { token in ";,)}".contains { token.isMark($0) } } ?? true
            return isWhole ? word == "true" : nil
        }
        return nil
    }
}
