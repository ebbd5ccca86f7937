import PinholeFilter
import PinholeModel
package import PinholeProxy
import PinholeRules
package import PinholeRuntime
import PinholeTrust

/// The control of the proxy of this process.
struct SessionControl: LocalProxyControl {
    let proxy: ProxySession
    let journal: ConsoleJournal
    /// The configuration file; `nil` for none.
    let file: String?
    /// The addresses on which the proxy listens.
    let bound: [ListeningPoint]
    /// The commands for clients of this machine; `nil` if clients get none.
    let lines: [ClientCommands.Line]?
    /// The programs that have joined the proxy.
    let runs: JoinedRuns

    var isRecording: Bool { proxy.sink.isRecording }

    var scope: RecordingScope {
        RecordingScope(filter: proxy.settings.capture.filterInUse, leftOut: proxy.leftOut)
    }

    var savedFilters: SavedFilters { proxy.settings.filters }

    var metrics: String? { proxy.sink.metrics }

    var breakpoints: HeldMessages { proxy.breakpoints }

    /// The address at which clients of this machine reach the proxy; `nil` if it has no listener for them.
    var address: Authority? { ListeningPoint.address(of: bound) }

    /// Whether the proxy requires a user name and a password.
    var asksForPassword: Bool {
        let settings = proxy.settings.proxy
        return settings.credentials != nil || settings.users != nil
    }

    func setRecording(_ isOn: Bool) { proxy.sink.setRecording(isOn) }

    func record(only filter: String) throws(Problem) {
        do throws(CommandFailure) {
            try proxy.record(only: filter)
        } catch {
            throw Problem(422, "settings cannot be used", "captureFilter: \(error.message)")
        }
    }

    func passThrough(_ hosts: [String]) throws(Problem) {
        do throws(CommandFailure) {
            try proxy.passOn(hosts)
        } catch {
            throw Problem(422, "settings cannot be used", error.description)
        }
    }

    func settings() -> ProxySettings {
        let settings = proxy.settings
        return ProxySettings(
            facts: settings.facts,
            passthrough: settings.tls.passthrough,
            captureFilter: settings.capture.filterInUse,
            file: file
        )
    }

    func settingsFile() throws(Problem) -> SettingsFile { try writer.preview(of: proxy.settings) }

    func writeSettings(over fingerprint: String) throws(Problem) -> SettingsFile {
        let written = try writer.write(proxy.settings, over: fingerprint)
        journal.note(.notice, "settings were written to \(written.path)")
        return written
    }

    private var writer: ConfigurationWriter {
        let path = file ?? Places.configurationName
        return ConfigurationWriter(path: path) { before, after in
            ConfigurationConsent().carryOver(path, from: before, to: after)
        }
    }

    func beginRun(of process: Int64, isContainer: Bool) async throws(Problem) -> RunPlace {
        try await runs.begin(process, isContainer: isContainer)
    }

    func endRun(_ id: Int64) async -> RunOutcome? { await runs.end(id) }

    func send(_ message: OwnMessage) async -> OwnMessage.Outcome { await proxy.send(message) }

    func abort(_ id: Int64) async -> Bool { await proxy.abort(id) }
}

extension Configuration {
    /// The facts about the configuration for users, without secrets.
    fileprivate var facts: [ProxySettings.Fact] {
        [
            .init("proxy.listen", proxy.listen.map(\.description).joined(separator: ", ")),
            .init("proxy.clients", proxy.clients.map { "\($0)" }.joined(separator: ", ")),
            .init("proxy.credentials", proxy.credentials == nil ? "none" : "asked for"),
            .init("proxy.users", proxy.users ?? "none"),
            .init("ca.directory", authority.directory),
            .init("tls.client", "\(tls.client.minimum) to \(tls.client.maximum)"),
            .init("tls.server", "\(tls.server.minimum) to \(tls.server.maximum)"),
            .init("tls.upstreamCAs", tls.upstreamCAs.joined(separator: ", ")),
            .init("tls.verifier", tls.verifier.rawValue),
            .init("tls.badCertificate", "\(tls.badCertificate)"),
            .init(
                "tls.exemptions",
                tls.exemptions.map { "\($0.pattern): \($0.reason)" }.joined(separator: "; ")
            ),
            .init(
                "tls.clientCertificates",
                tls.clientCertificates.flatMap { entry in entry.hosts.map { "\($0): \(entry.file)" } }
                    .joined(separator: "; ")
            ),
            .init("upstream.proxy", upstream.proxy?.description ?? "none"),
            .init("upstream.bypass", upstream.bypass.map { "\($0)" }.joined(separator: ", ")),
            .init("upstream.addresses", upstream.addresses.all.isEmpty ? "any" : "\(upstream.addresses)"),
            .init("resolve", resolve.map { "\($0)" }.joined(separator: ", ")),
            .init("programs", programs.map(\.name).joined(separator: ", ")),
            .init("capture.file", capture.file ?? "none"),
            .init("capture.bodies", "\(capture.bodies)"),
            .init("capture.filter", capture.filterInUse.isEmpty ? "everything" : capture.filterInUse),
            .init("capture.maxAgeDays", capture.maxAgeDays.map(String.init) ?? "no limit"),
            .init("capture.maxSizeMB", capture.maxSizeMB.map(String.init) ?? "no limit"),
        ]
    }
}

extension ProxySession {
    /// Returns the control of this proxy, which listens.
    ///
    /// - Parameters:
    ///   - bound: The addresses on which the proxy listens.
    ///   - file: The configuration file, which the control can write; `nil` for none.
    ///   - journal: Receives a line for each change.
    /// - Returns: The control, for a console or any other caller in this process.
    package func control(
        of bound: [ListeningPoint],
        file: String?,
        _ journal: ConsoleJournal
    ) -> any LocalProxyControl {
        SessionControl(
            proxy: self,
            journal: journal,
            file: file,
            bound: bound,
            lines: lines(of: bound),
            runs: JoinedRuns(self, points: bound.filter { $0.mode.isProxy }.map(\.address.description))
        )
    }

    /// Returns the commands for clients of this machine; `nil` if clients get none.
    ///
    /// - Parameter bound: The addresses on which the proxy listens.
    /// - Returns: The commands, one for each kind of client.
    package func lines(of bound: [ListeningPoint]) -> [ClientCommands.Line]? {
        ListeningPoint.address(of: bound).flatMap { address in
            commands?.lines(at: address.description, isPublic: false)
        }
    }
}
