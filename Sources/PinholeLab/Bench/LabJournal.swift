import PinholeLock

/// The notes of the servers of a stage, in order, which a scenario's conduct reads.
package final class LabJournal: Sendable {
    /// The prefix of a note about a client's report.
    static let report = "report: "

    private let lines = Lock<[String]>([])

    /// Whether a later attempt to shake hands offered less than the first, or no TLS at all.
    static func isWeaker(_ attempts: [String]) -> Bool {
        guard let first = attempts.first else { return false }
        return attempts.contains { $0 < first || $0.hasPrefix(hello) != first.hasPrefix(hello) }
    }

    /// The prefix of a note about a ClientHello; its newest version follows in hexadecimal.
    static let hello = "ClientHello "

    /// Creates an empty journal.
    package init() {}

    /// Notes a line.
    package func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// Hands out the lines and forgets them.
    package func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
