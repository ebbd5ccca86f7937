package import PinholeModel
import PinholeRuntime

// The bodies of the requests of the control API, as a remote control writes them and the console reads them.

/// A program that joins the proxy.
package struct RunOrder: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON(
            "process",
            "The process that runs the program; a run whose process has ended is forgotten."
        ), FieldJSON("isContainer", "Whether the program runs in a container."),
    ]

    /// The process that runs the program.
    package let process: Int64
    /// Whether the program runs in a container; `nil` for no.
    package let isContainer: Bool?
}

/// Whether the proxy records; also the answer of the console.
package struct RecordingSwitch: Codable {
    /// Whether new exchanges and flows are recorded.
    package let isRecording: Bool

    /// Creates the state of the switch.
    package init(isRecording: Bool) { self.isRecording = isRecording }
}

/// Other settings of the proxy; those that are `nil` stay.
package struct SettingsOrder: Codable {
    /// The filter of what is recorded; empty for everything.
    package var captureFilter: String?
    /// The patterns of hosts that are passed through.
    package var passthrough: [String]?
}

/// The content of the configuration file that is replaced.
package struct SettingsFileOrder: Codable {
    /// The fingerprint of the content, as the file was shown.
    package let fingerprint: String
}

/// Other rules.
package struct RulesOrder: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON("rules", "Each as JSON."),
        FieldJSON("revision", "The revision that was seen; 409 if there is another by now."),
    ]

    /// The rules, each as JSON.
    package let rules: [String]
    /// The revision that was seen; `nil` to replace any rules.
    package let revision: Int?
}

/// A rule that somebody is writing.
package struct RuleOrder: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON("rule", "The rule as JSON."),
        FieldJSON(
            "index",
            "The index of the rule that it replaces; without it the rule stands behind all others."
        ),
    ]

    /// The rule as JSON.
    package let rule: String
    /// The index of the rule that it replaces; `nil` for a new rule.
    package let index: Int?
}

/// The response to a rule with a mistake; a rule without one gets a ``RuleReading``.
package struct MistakenRule: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [FieldJSON("mistake", "The reason why the rule cannot be used.")]

    /// The place and the reason.
    package let mistake: RuleMistake

    /// Creates the answer.
    package init(_ mistake: RuleMistake) { self.mistake = mistake }
}

/// A filter that is saved.
package struct FilterOrder: Codable {
    /// The filter.
    package let text: String
}

/// A client certificate for a server.
package struct CertificateOrder: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON(
            "content",
            "The file in Base64: PEM with certificate and key, or PKCS#12. It is kept in memory alone.",
            format: .base64
        ), FieldJSON("password", "The password of the file."),
    ]

    /// The file in Base64.
    package let content: String
    /// The password of the file; `nil` for none.
    package let password: String?
}

/// A browser to open.
package struct BrowserOrder: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON("browser", "One of those that can be opened; without it, the first."),
        FieldJSON("url", "The page to open, http: or https:; without it, an empty page."),
    ]

    /// The name of the browser; `nil` for the first.
    package let browser: String?
    /// The page to open; `nil` for an empty one.
    package let url: String?
}

/// A message for a WebSocket.
package struct MessageOrder: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON("to", "The receiver.", values: Side.allCases.map(\.rawValue)),
        FieldJSON("text", "A message of text; or base64."),
        FieldJSON("base64", "A message of bytes, in Base64.", format: .base64),
    ]

    /// The receiver: `client` or `server`.
    package let to: String
    /// A message of text; `nil` for bytes.
    package var text: String?
    /// A message of bytes, in Base64; `nil` for text.
    package var base64: String?
}

/// A decision about a held message: the changes with which it goes on, the answer in its place, or its end.
package struct DecisionOrder: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON("fields", "Pairs of a name and a value."), FieldJSON("bodyBase64", format: .base64),
    ]

    private var method: String?
    private var path: String?
    private var status: Int?
    private var fields: [[String]]?
    private var body: String?
    private var bodyBase64: String?
    /// Whether the connection is reset.
    package private(set) var reset: Bool?

    /// Describes a decision.
    init(_ verdict: MessageDecision) {
        (method, path, status) = (verdict.method, verdict.path, verdict.status)
        fields = verdict.fields?.map { [$0.name, $0.value] }
        bodyBase64 = verdict.body.map { Base64.encode($0) }
        if case .drop(let isReset) = verdict.way { reset = isReset }
    }
}
