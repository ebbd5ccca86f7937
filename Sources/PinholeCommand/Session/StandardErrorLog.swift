import Logging
import PinholeSession

/// Log lines on standard error, one each: `pinhole: warning: …`.
struct StandardErrorLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    /// The journal that keeps the lines for the console; `nil` for none.
    var journal: ConsoleJournal?

    /// Returns a logger that writes messages of at least `level`.
    static func logger(_ level: Logger.Level, journal: ConsoleJournal? = nil) -> Logger {
        Logger(label: "pinhole") { _ in StandardErrorLog(logLevel: level, journal: journal) }
    }

    func log(event: LogEvent) {
        let text = Plain.printable(event.message.description)
        StandardError.write("pinhole: \(event.level): \(text)")
        guard event.level >= .notice else { return }
        journal?.note(event.level >= .error ? .failure : event.level == .warning ? .warning : .notice, text)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
