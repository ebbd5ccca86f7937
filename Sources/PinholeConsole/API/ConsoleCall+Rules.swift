import PinholeLock
import PinholeModel
import PinholeSession

/// Requests for the proxy's rules, and for the file in which settings are kept.
extension ConsoleCall {
    func rules() async throws -> ConsoleAnswer { .json(try await control().rules()) }

    /// Replaces the rules; the change takes effect with the next request of every connection.
    func setRules() async throws -> ConsoleAnswer {
        let control = try control()
        let order = try order(RulesOrder.self)
        try await control.replaceRules(with: order.rules, revision: order.revision)
        api.settingChanges.raise()
        return .json(try await control.rules())
    }

    func ruleForms() async throws -> ConsoleAnswer { .json(try await control().ruleForms()) }

    /// Reads a rule that somebody is writing, without a change of the rules.
    ///
    /// A rule with a mistake is a valid question, so the answer has status 200 with the mistake in it.
    func checkRule() async throws -> ConsoleAnswer {
        let control = try control()
        let order = try order(RuleOrder.self)
        switch try await control.checkRule(order.rule, at: order.index) {
        case .success(let reading): return .json(reading)
        case .failure(let mistake): return .json(MistakenRule(mistake))
        }
    }

    func settingsFile() async throws -> ConsoleAnswer { .json(try await control().settingsFile()) }

    /// Writes the current settings to the file, unless the file has changed since it was shown.
    func writeSettingsFile() async throws -> ConsoleAnswer {
        let control = try control()
        let order = try order(SettingsFileOrder.self)
        return .json(try await control.writeSettings(over: order.fingerprint))
    }
}
