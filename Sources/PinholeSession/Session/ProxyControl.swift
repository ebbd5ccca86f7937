package import PinholeFilter
package import PinholeRuntime

/// The actions on a running proxy.
///
/// The console and the commands call them. One type acts on the proxy of this process, another one asks the
/// control API of another process.
package protocol ProxyControl:
    SettingsControl,
    RuleControl,
    FilterControl,
    TrustControl,
    BrowserControl,
    RunControl,
    ConnectControl,
    MessageControl,
    SendingControl
{}

/// The control of a proxy in this process, with the state that a console reads for every batch of events.
package protocol LocalProxyControl: ProxyControl {
    /// Whether new exchanges and flows are recorded.
    var isRecording: Bool { get }
    /// The part of the traffic that is recorded.
    var scope: RecordingScope { get }
    /// The filters that are saved under names.
    var savedFilters: SavedFilters { get }
    /// The rules that slow traffic.
    var throttling: [RuleListing.Entry] { get }
    /// The messages that are held at breakpoints.
    var breakpoints: HeldMessages { get }
    /// The counts of the traffic, as Prometheus reads them; `nil` if nothing is counted.
    var metrics: String? { get }
}

/// The version of the control API, as `GET /api/state` has it.
package struct ControlVersion: Sendable, Codable {
    /// The version of this program.
    package static let current = "1"

    /// The version of the answering program.
    package let version: String
}
