package import PinholeModel
package import PinholeSession
import PinholeStore

/// The state of a console: its capture, and the proxy that records into it.
package struct ConsoleState: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("scope", "The filter of what is recorded."),
        FieldJSON(
            "commands",
            "Lines for a shell that lead clients through the proxy; empty without a proxy."
        ),
        FieldJSON("throttling", "The rules that slow traffic."),
        FieldJSON(
            "isReadOnly",
            "Whether the API changes nothing but the results of lessons, as for a student of a class."
        ),
    ]

    /// The extent of the capture.
    struct Capture: Sendable, Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON(
                "spares",
                "Flows that are spare connections: clients opened them and did not need them. Lists leave them out unless the filter names them (spare)."
            ),
            FieldJSON("first", "The lowest number of an exchange or flow; 0 in an empty capture."),
            FieldJSON(
                "standstill",
                "The time and the reason since which nothing reaches the capture; missing while writing works."
            ),
        ]

        let path: String
        let bytes: Int64
        let exchanges: Int
        let flows: Int
        let spares: Int
        let first: Int64
        let last: Int64
        /// The reason why nothing is written to the capture; `nil` while writing works.
        let standstill: Standstill?
    }

    /// The time since which nothing is written to the capture, and the reason.
    struct Standstill: Sendable, Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON("isFinal", "Whether traffic continues unrecorded; otherwise it waits.")
        ]

        let since: String
        /// Whether traffic continues unrecorded; otherwise it waits.
        let isFinal: Bool
        let reason: String
        let remedy: String

        init(_ standstill: CaptureStandstill) {
            since = standstill.since.iso8601
            isFinal = standstill.isFinal
            reason = standstill.reason
            remedy = standstill.remedy
        }
    }

    /// A rule that slows traffic.
    struct Throttling: Sendable, Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON("filter", "Empty for all traffic.")
        ]

        let name: String
        /// The filter of the rule; empty for all traffic.
        let filter: String
    }

    /// The version of the API.
    let version: String
    /// The addresses on which the proxy listens; empty without a proxy.
    package let proxy: [String]
    let capture: Capture
    let ca: ConsoleSubject.Authority?
    let started: String
    /// Whether new exchanges and flows are recorded.
    package let isRecording: Bool
    let isReadOnly: Bool
    let scope: RecordingScope?
    let throttling: [Throttling]
    /// The commands that lead clients through the proxy.
    package let commands: [ClientCommand]

    /// The reason why nothing is written to the capture; `nil` while writing works.
    package var standstill: String? { capture.standstill?.reason }
}
