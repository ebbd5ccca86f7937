package import PinholeModel

/// A host of a policy file, with the row that judges it or the reason why none does.
package struct JudgedHost: Sendable, Hashable {
    /// The standing of a host, or of a question that the file does not decide.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// The file has pins for the host, and a row of the matrix judges it.
        case pinned
        /// The client refuses every server of the host.
        case refused
        /// Certificates are validated, and nothing is pinned.
        case notPinned
        /// A valid certificate for any other host passes.
        case anyName
        /// Every certificate passes.
        case acceptsEverything
        /// The file does not decide the question.
        case notProven
    }

    /// The row of the file, ``LabPolicy/id``.
    package var policy: String
    /// The hosts as the file writes them; empty for a question about the whole file.
    package var title: String
    /// The standing.
    package var state: State
    /// The line of the file; `nil` if it is unknown.
    package var line: Int?
    /// The row that judges the host; `nil` if no row does.
    package var row: String?
    /// The standing in a sentence, or the question.
    package var sentence: String
    /// Whether it is a fault that the host is not pinned.
    package var isFault: Bool

    /// Creates a host.
    package init(
        _ policy: String,
        _ title: String,
        _ state: State,
        line: Int? = nil,
        row: String? = nil,
        sentence: String = "",
        isFault: Bool = false
    ) {
        self.policy = policy
        self.title = title
        self.state = state
        self.line = line
        self.row = row
        self.sentence = sentence
        self.isFault = isFault
    }
}

/// The demands of a user on the hosts of a policy file.
package struct HostDemands: Sendable {
    /// Hosts that must be pinned.
    package var required: [Host] = []
    /// Whether every host must be pinned or refused, named by the file or not.
    package var isStrict = false

    /// Creates the demands of the file alone.
    package init() {}
}
