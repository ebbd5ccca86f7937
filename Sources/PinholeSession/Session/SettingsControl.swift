import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeTrust

/// The actions on the settings of a proxy and its recording.
package protocol SettingsControl: Sendable {
    /// Starts or stops recording.
    func setRecording(_ isOn: Bool) async throws(Problem)

    /// Returns the settings of the proxy.
    func settings() async throws(Problem) -> ProxySettings

    /// Changes settings for new connections and exchanges: either all that the order has, or none.
    func change(_ order: SettingsOrder) async throws(Problem)

    /// Returns the configuration file as it is, and as it would be written.
    func settingsFile() async throws(Problem) -> SettingsFile

    /// Writes the configuration file if its preview still has the fingerprint.
    func writeSettings(over fingerprint: String) async throws(Problem) -> SettingsFile
}

extension SessionControl {
    func setRecording(_ isOn: Bool) { proxy.sink.setRecording(isOn) }

    func change(_ order: SettingsOrder) throws(Problem) {
        let before = scope.filter
        do throws(CommandFailure) {
            if let filter = order.captureFilter { try proxy.record(only: filter) }
        } catch {
            throw Problem(422, "settings cannot be used", "captureFilter: \(error.message)")
        }
        do throws(CommandFailure) {
            if let hosts = order.passthrough { try proxy.passOn(hosts) }
        } catch {
            if order.captureFilter != nil { try? proxy.record(only: before) }
            throw Problem(422, "settings cannot be used", error.description)
        }
        if let filter = order.captureFilter {
            let meant = scope.filter.isEmpty ? "everything" : "what \(filter) means"
            journal.note(.notice, "recorded from now on: \(meant) (set in the console)")
        }
        if let hosts = order.passthrough {
            let text = hosts.isEmpty ? "none" : hosts.joined(separator: ", ")
            journal.note(.notice, "passed through from now on (set in the console): \(text)")
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

    func settings() async throws(Problem) -> ProxySettings { try await api.answer("GET", "/api/settings") }

    func change(_ order: SettingsOrder) async throws(Problem) {
        try await api.ask("PUT", "/api/settings", order)
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
