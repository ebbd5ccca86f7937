import Logging

/// Log lines on standard error, one each: `pinhole: warning: …`.
struct StandardErrorLog: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    /// A logger that writes what is at least `level`.
    static func logger(_ level: Logger.Level) -> Logger {
        Logger(label: "pinhole") { _ in StandardErrorLog(logLevel: level) }
    }

    func log(event: LogEvent) {
        StandardError.write("pinhole: \(event.level): \(Plain.printable(event.message.description))")
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
