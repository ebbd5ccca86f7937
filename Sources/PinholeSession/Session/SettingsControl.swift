import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeTrust

/// The actions on the settings of a proxy and its recording.
package protocol SettingsControl: Sendable {
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
}

extension SessionControl {
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
}

extension RemoteControl {
    func setRecording(_ isOn: Bool) async throws(Problem) {
        try await api.ask("PUT", "/api/recording", RecordingSwitch(isRecording: isOn))
    }

    func record(only filter: String) async throws(Problem) {
        try await api.ask("PUT", "/api/settings", SettingsOrder(captureFilter: filter))
    }

    func settings() async throws(Problem) -> ProxySettings { try await api.answer("GET", "/api/settings") }

    func passThrough(_ hosts: [String]) async throws(Problem) {
        try await api.ask("PUT", "/api/settings", SettingsOrder(passthrough: hosts))
    }

    func settingsFile() async throws(Problem) -> SettingsFile {
        try await api.answer("GET", "/api/settings/file")
    }

    func writeSettings(over fingerprint: String) async throws(Problem) -> SettingsFile {
        try await api.answer("PUT", "/api/settings/file", SettingsFileOrder(fingerprint: fingerprint))
    }
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
