import PinholeLock
import PinholeModel
import PinholeSession

/// Requests for the proxy's rules, and for the file in which settings are kept.
extension ConsoleCall {
    func rules() async throws -> ConsoleAnswer { .json(try await control().rules()) }

    /// Replaces the rules; the change takes effect with the next request of every connection.
    func setRules() async throws -> ConsoleAnswer {
        let control = try control()
        let members = try object()
        guard case .array(let elements)? = members["rules"] else {
            throw Problem(
                400,
                "bad body",
                "expected {\"rules\": [\"{\\\"do\\\": \\\"block\\\"}\"], \"revision\": 1}"
            )
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else {
                throw Problem.bad("rules", expected: "texts, each a rule in JSON", found: element)
            }
            texts.append(text)
        }
        var revision: Int?
        switch members["revision"] {
        case nil, .null: break
        case .integer(let number): revision = Int(number)
        case let other?: throw Problem.bad("revision", expected: "a number", found: other)
        }
        try await control.replaceRules(with: texts, revision: revision)
        api.settingChanges.raise()
        return .json(try await control.rules())
    }

    func ruleForms() async throws -> ConsoleAnswer { .json(try await control().ruleForms()) }

    /// Reads a rule that somebody is writing, without a change of the rules.
    ///
    /// A rule with a mistake is a valid question, so the answer has status 200 with the mistake in it.
    func checkRule() async throws -> ConsoleAnswer {
        let control = try control()
        let members = try object()
        guard case .string(let text)? = members["rule"] else {
            throw Problem(
                400,
                "bad body",
                "expected {\"rule\": \"{\\\"do\\\": \\\"block\\\"}\", \"index\": 0}"
            )
        }
        var index: Int?
        switch members["index"] {
        case nil, .null: break
        case .integer(let number): index = Int(number)
        case let other?: throw Problem.bad("index", expected: "a number", found: other)
        }
        switch try await control.checkRule(text, at: index) {
        case .success(let reading): return .json(reading)
        case .failure(let mistake): return .json(MistakenRule(mistake: mistake))
        }
    }

    func settingsFile() async throws -> ConsoleAnswer { .json(try await control().settingsFile()) }

    /// Writes the current settings to the file, unless the file has changed since it was shown.
    func writeSettingsFile() async throws -> ConsoleAnswer {
        let control = try control()
        guard case .string(let fingerprint)? = try object()["fingerprint"] else {
            throw Problem(400, "bad body", "expected {\"fingerprint\": \"…\"}, as GET says it")
        }
        return .json(try await control.writeSettings(over: fingerprint))
    }
}

/// The answer about a rule with a mistake.
struct MistakenRule: Codable, DescribedMembers {
    static let described = [FieldJSON("mistake", "The reason why the rule cannot be used.")]

    let mistake: RuleMistake
}
