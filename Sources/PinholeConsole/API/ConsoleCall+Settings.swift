import PinholeModel

/// What the proxy runs with, and what it said.
extension ConsoleCall {
    private struct Log: Encodable {
        let entries: [ConsoleJournal.Entry]
    }

    private struct Settings: Encodable {
        struct Fact: Encodable {
            let name: String
            let value: String
        }

        let facts: [Fact]
        /// The hosts that are not intercepted, as the configuration writes them.
        let passthrough: [String]
        let file: String?
    }

    func log() throws -> ConsoleAnswer {
        let after = Int(try number("after", default: 0, in: 0...Int64(Int32.max)))
        return .json(Log(entries: api.subject.journal?.entries(after: after) ?? []))
    }

    func settings() throws -> ConsoleAnswer {
        let settings = try live()
        return .json(
            Settings(
                facts: settings.facts().map { Settings.Fact(name: $0.name, value: $0.value) },
                passthrough: settings.passthrough(),
                file: settings.file
            )
        )
    }

    /// Takes effect for tunnels that begin from now on; the file stays as it is.
    func setSettings() async throws -> ConsoleAnswer {
        let members = try object()
        guard case .array(let elements)? = members["passthrough"], members.count == 1 else {
            throw Problem(400, "bad body", "expected {\"passthrough\": [\"*.example.com\"]}")
        }
        var hosts: [String] = []
        for element in elements {
            guard case .string(let host) = element else {
                throw Problem.bad("passthrough", expected: "texts", found: element)
            }
            hosts.append(host)
        }
        if let problem = try live().setPassthrough(hosts) {
            throw Problem(422, "settings cannot be used", problem)
        }
        let text = hosts.isEmpty ? "none" : hosts.joined(separator: ", ")
        api.subject.journal?.note(.notice, "passed on unread from now on (set in the console): \(text)")
        return try settings()
    }

    private func live() throws(Problem) -> ConsoleSubject.Settings {
        guard let settings = api.subject.settings else { throw Problem.noProxy }
        return settings
    }
}
