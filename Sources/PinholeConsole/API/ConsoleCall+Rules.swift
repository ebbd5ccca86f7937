import PinholeLock
import PinholeModel

/// Requests for the proxy's rules, and for the file in which settings are kept.
extension ConsoleCall {
    func rules() throws -> ConsoleAnswer { .json(try liveRules().listing()) }

    /// Replaces the rules; the change takes effect with the next request of every connection.
    func setRules() async throws -> ConsoleAnswer {
        let rules = try liveRules()
        var members = try object()
        guard case .array(let elements)? = members.removeValue(forKey: "rules") else {
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
        switch members.removeValue(forKey: "revision") {
        case nil, .null: break
        case .integer(let number): revision = Int(number)
        case let other?: throw Problem.bad("revision", expected: "a number", found: other)
        }
        if let name = members.keys.min() {
            throw Problem(400, "bad body", "expected rules and revision, found “\(name.prefix(80))”")
        }
        if let problem = rules.replace(texts, revision) { throw problem }
        api.settingChanges.raise()
        return .json(rules.listing())
    }

    func ruleForms() throws -> ConsoleAnswer { .json(try liveRules().forms()) }

    /// Reads a rule that somebody is writing, without a change of the rules.
    ///
    /// A rule with a mistake is a valid question, so the answer has status 200 with the mistake in it.
    func checkRule() async throws -> ConsoleAnswer {
        struct Mistaken: Encodable { let mistake: RuleMistake }
        let rules = try liveRules()
        var members = try object()
        guard case .string(let text)? = members.removeValue(forKey: "rule") else {
            throw Problem(
                400,
                "bad body",
                "expected {\"rule\": \"{\\\"do\\\": \\\"block\\\"}\", \"index\": 0}"
            )
        }
        var index: Int?
        switch members.removeValue(forKey: "index") {
        case nil, .null: break
        case .integer(let number): index = Int(number)
        case let other?: throw Problem.bad("index", expected: "a number", found: other)
        }
        if let name = members.keys.min() {
            throw Problem(400, "bad body", "expected rule and index, found “\(name.prefix(80))”")
        }
        switch rules.check(text, index) {
        case .success(let reading): return .json(reading)
        case .failure(let mistake): return .json(Mistaken(mistake: mistake))
        }
    }

    func settingsFile() async throws -> ConsoleAnswer { .json(try keeper().preview().get()) }

    /// Writes the current settings to the file, unless the file has changed since it was shown.
    func writeSettingsFile() async throws -> ConsoleAnswer {
        let keeper = try keeper()
        guard case .string(let fingerprint)? = try object()["fingerprint"] else {
            throw Problem(400, "bad body", "expected {\"fingerprint\": \"…\"}, as GET says it")
        }
        return .json(try keeper.write(fingerprint).get())
    }

    private func liveRules() throws(Problem) -> ConsoleSubject.Rules {
        guard let rules = api.subject.rules else { throw Problem.noProxy }
        return rules
    }

    private func keeper() throws(Problem) -> ConsoleSubject.Keeper {
        guard let keeper = api.subject.keeper else { throw Problem.noProxy }
        return keeper
    }
}
