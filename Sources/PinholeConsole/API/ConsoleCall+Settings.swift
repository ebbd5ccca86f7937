import PinholeFilter
import PinholeLock
import PinholeModel
import PinholeSession

/// Requests for the proxy's settings and its journal.
extension ConsoleCall {
    func log() throws -> ConsoleAnswer {
        let after = Int(try number("after", default: 0, in: 0...Int64(Int32.max)))
        return .json(MessageLog(entries: api.subject.journal?.entries(after: after) ?? []))
    }

    func settings() async throws -> ConsoleAnswer {
        var settings = try await control().settings()
        settings.captureFilterRemarks = (try? condition(settings.captureFilter))?.remarks ?? []
        return .json(settings)
    }

    /// Changes settings for new connections and exchanges; the configuration file stays as it is.
    func setSettings() async throws -> ConsoleAnswer {
        let order = try order(SettingsOrder.self)
        guard order.captureFilter != nil || order.passthrough != nil else {
            throw Problem(
                400,
                "bad body",
                "expected {\"passthrough\": [\"*.example.com\"]}, {\"captureFilter\": \"host ~ *.example.com\"} or both"
            )
        }
        let before = api.subject.control?.scope.filter
        if let text = order.captureFilter { try await setScope(text) }
        if let hosts = order.passthrough {
            // Either both settings change or none, so a failure restores the earlier capture filter.
            try await setPassthrough(hosts, orRecord: order.captureFilter == nil ? nil : before)
        }
        return try await settings()
    }

    private func setScope(_ text: String) async throws(Problem) {
        // The filter is parsed here for the column of an error.
        let filter = try condition(text)
        try await control().record(only: text)
        let meant = filter == .everything ? "everything" : "what \(text) means"
        api.subject.journal?.note(.notice, "recorded from now on: \(meant) (set in the console)")
        api.settingChanges.raise()
    }

    private func setPassthrough(_ hosts: [String], orRecord filter: String?) async throws(Problem) {
        do {
            try await control().passThrough(hosts)
        } catch {
            if let filter { try? await control().record(only: filter) }
            throw error
        }
        let text = hosts.isEmpty ? "none" : hosts.joined(separator: ", ")
        api.subject.journal?.note(.notice, "passed through from now on (set in the console): \(text)")
    }
}

/// The lines of the journal.
struct MessageLog: Codable {
    let entries: [ConsoleJournal.Entry]
}
