package import PinholeModel

/// A log of certificates (RFC 6962), as a list of logs describes it.
package struct TransparencyLog: Hashable, Sendable {
    /// The standing of a log with the maker of a list.
    package enum State: Hashable, Sendable {
        /// The log is approved: qualified, usable or read-only.
        case approved
        /// The log was approved until this time; its earlier timestamps still count beside those of other logs.
        case retired(Timestamp)
        /// The log is pending or was rejected: its timestamps never count.
        case unapproved
    }

    /// The SHA-256 of the key.
    package let id: [UInt8]
    /// The SubjectPublicKeyInfo.
    package let key: [UInt8]
    /// The description of the log.
    package let title: String
    /// The organization that runs the log.
    package let `operator`: String
    /// The standing of the log.
    package var state: State

    /// Describes a log.
    package init(id: [UInt8], key: [UInt8], title: String, operator: String, state: State) {
        self.id = id
        self.key = key
        self.title = title
        self.operator = `operator`
        self.state = state
    }
}

/// The logs that a device knows.
package struct LogList: Hashable, Sendable {
    /// The time at which the list was made; `nil` if it is unknown.
    package let date: Timestamp?
    /// The logs by the SHA-256 of their keys.
    private let logs: [[UInt8]: TransparencyLog]

    /// Creates a list; of two logs with the same key, the first one counts.
    package init(_ logs: [TransparencyLog], date: Timestamp?) {
        self.date = date
        self.logs = Dictionary(logs.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The log whose key has this SHA-256; `nil` if the list does not have it.
    package subscript(id: [UInt8]) -> TransparencyLog? { logs[id] }
}
