import PinholeFilter
import PinholeLock
import PinholeModel

/// Requests for the proxy's settings and its journal.
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
        /// The filter that selects what is recorded; empty for everything.
        let captureFilter: String
        /// Possible mistakes in the capture filter.
        let captureFilterRemarks: [String]
        let file: String?
    }

    func log() throws -> ConsoleAnswer {
        let after = Int(try number("after", default: 0, in: 0...Int64(Int32.max)))
        return .json(Log(entries: api.subject.journal?.entries(after: after) ?? []))
    }

    func settings() throws -> ConsoleAnswer {
        let settings = try live()
        let captureFilter = api.subject.recording?.scope().filter ?? ""
        return .json(
            Settings(
                facts: settings.facts().map { Settings.Fact(name: $0.name, value: $0.value) },
                passthrough: settings.passthrough(),
                captureFilter: captureFilter,
                captureFilterRemarks: (try? condition(captureFilter))?.remarks ?? [],
                file: settings.file
            )
        )
    }

    /// Changes settings for new connections and exchanges; the configuration file stays as it is.
    func setSettings() async throws -> ConsoleAnswer {
        let members = try object()
        let known = ["captureFilter", "passthrough"]
        guard !members.isEmpty, members.keys.allSatisfy(known.contains) else {
            throw Problem(
                400,
                "bad body",
                "expected {\"passthrough\": [\"*.example.com\"]}, {\"captureFilter\": \"host ~ *.example.com\"} or both"
            )
        }
        let before = api.subject.recording?.scope().filter
        if let value = members["captureFilter"] { try setScope(value) }
        do throws(Problem) {
            if let value = members["passthrough"] { try setPassthrough(value) }
        } catch {
            // Either both settings change or none, so the earlier capture filter is restored.
            if members["captureFilter"] != nil, let before { _ = try live().setScope(before) }
            throw error
        }
        return try settings()
    }

    private func setScope(_ value: JSONValue) throws(Problem) {
        guard case .string(let text) = value else {
            throw Problem.bad(
                "captureFilter",
                expected: "a filter; the empty text is everything",
                found: value
            )
        }
        // The filter is parsed here for the column of an error.
        let filter = try condition(text)
        if let problem = try live().setScope(text) {
            throw Problem(422, "settings cannot be used", "captureFilter: \(problem)")
        }
        let meant = filter == .everything ? "everything" : "what \(text) means"
        api.subject.journal?.note(.notice, "recorded from now on: \(meant) (set in the console)")
        api.settingChanges.raise()
    }

    private func setPassthrough(_ value: JSONValue) throws(Problem) {
        guard case .array(let elements) = value else {
            throw Problem.bad("passthrough", expected: "a list of patterns", found: value)
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
    }

    private func live() throws(Problem) -> ConsoleSubject.Settings {
        guard let settings = api.subject.settings else { throw Problem.noProxy }
        return settings
    }
}
