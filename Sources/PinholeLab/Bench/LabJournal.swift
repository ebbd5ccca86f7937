import PinholeLock

/// What the servers of a stage were told, in its order, for a scenario's conduct to read.
package final class LabJournal: Sendable {
    /// What a note about a client's report begins with.
    static let report = "report: "

    private let lines = Lock<[String]>([])

    /// Whether a later attempt to shake hands offered less than the first, or no TLS at all.
    static func isWeaker(_ attempts: [String]) -> Bool {
        guard let first = attempts.first else { return false }
        return attempts.contains { $0 < first || $0.hasPrefix(hello) != first.hasPrefix(hello) }
    }

    /// How the line of a ClientHello begins; its newest version follows in hexadecimal.
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
