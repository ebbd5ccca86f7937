package import PinholeFilter
package import PinholeRuntime

/// The actions on a running proxy.
///
/// The console, the commands and agents call them. One type acts on the proxy of this process, another one asks the
/// control API of another process.
package protocol ProxyControl: Sendable {
    /// Starts or stops recording.
    func setRecording(_ isOn: Bool) async throws(Problem)

    /// Replaces the filter that selects what is recorded from now on; empty for everything.
    func record(only filter: String) async throws(Problem)

    /// Returns the settings of the proxy.
    func settings() async throws(Problem) -> ProxySettings

    /// Replaces the hosts that are not intercepted, for new tunnels.
    func passThrough(_ hosts: [String]) async throws(Problem)

    /// Returns the configuration file as it is, and as it would be written.
    func settingsFile() async throws(Problem) -> SettingsFile

    /// Writes the configuration file if its preview still has the fingerprint.
    func writeSettings(over fingerprint: String) async throws(Problem) -> SettingsFile

    /// Returns the current rules.
    func rules() async throws(Problem) -> RuleListing

    /// Returns the kinds of rules with their keys.
    func ruleForms() async throws(Problem) -> RuleForms

    /// Replaces the rules by these, each as JSON, unless they changed since the revision; `nil` to replace any.
    func replaceRules(with texts: [String], revision: Int?) async throws(Problem)

    /// Reads a rule in the place of the one with an index, or behind all others, without a change of the rules.
    func checkRule(_ text: String, at index: Int?) async throws(Problem) -> Result<RuleReading, RuleMistake>

    /// Saves a filter under a name, or removes it if the text is `nil`.
    func saveFilter(_ name: String, _ text: String?) async throws(Problem)

    /// Returns the TLS settings of single servers.
    func trust() async throws(Problem) -> TrustListing

    /// Begins or ceases to accept a bad certificate of a server, until the proxy ends.
    func acceptCertificate(of host: String, _ isAccepted: Bool) async throws(Problem)

    /// Presents a client certificate with its key to a server, until the proxy ends.
    func presentCertificate(_ content: [UInt8], password: String, to host: String) async throws(Problem)

    /// Ceases to present a client certificate to a server.
    func withdrawCertificate(from host: String) async throws(Problem)

    /// Returns the browsers that can be opened, and the ones that run.
    func browsers() async throws(Problem) -> BrowserListing

    /// Opens a listed browser, or the first one, with a page or without; returns when the browser runs.
    func openBrowser(_ name: String?, page: String?) async throws(Problem) -> BrowserListing.Running

    /// Ends a browser, and returns whether it ran.
    func endBrowser(_ id: Int64) async throws(Problem) -> Bool

    /// Opens a listener for the program that a process runs, which may be in a container.
    func beginRun(of process: Int64, isContainer: Bool) async throws(Problem) -> RunPlace

    /// Closes the listener of a program, and returns the program's traffic; `nil` if there is no such run.
    func endRun(_ id: Int64) async throws(Problem) -> RunOutcome?

    /// Returns the ways in which clients connect, and what came from each kind.
    func connect() async throws(Problem) -> ConnectListing

    /// Sends a message in an open WebSocket.
    func send(_ message: OwnMessage) async throws(Problem) -> OwnMessage.Outcome

    /// Ends the exchange or flow with a number, and returns whether it was running.
    func abort(_ id: Int64) async throws(Problem) -> Bool

    /// Returns the messages that are held at breakpoints, without their content.
    func heldMessages() async throws(Problem) -> [HeldListing]

    /// Returns a held message with its content; `nil` if it is no longer held.
    func heldMessage(_ id: Int64) async throws(Problem) -> HeldListing?

    /// Decides about a held message, and returns whether it was still held.
    func decide(_ id: Int64, _ verdict: MessageDecision) async throws(Problem) -> Bool
}

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
