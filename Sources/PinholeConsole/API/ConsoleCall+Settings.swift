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
        // The filter is parsed here for the column of an error.
        if let text = order.captureFilter { _ = try condition(text) }
        try await control().change(order)
        if order.captureFilter != nil { api.settingChanges.raise() }
        return try await settings()
    }
}

/// The lines of the journal.
struct MessageLog: Codable {
    let entries: [ConsoleJournal.Entry]
}
