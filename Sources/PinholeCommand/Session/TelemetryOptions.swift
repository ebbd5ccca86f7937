import ArgumentParser
import PinholeModel
import PinholeTelemetry

/// The option `--otlp`: the collector of OpenTelemetry that gets spans.
struct TelemetryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Send spans to this collector of OpenTelemetry (OTLP over HTTP), without bodies and secrets (docs/FLEET.md).",
            valueName: "url"
        ),
        transform: { text in
            // A URL may hold a password, so the message does not repeat it.
            WithheldValue(text) { text in
                do throws(AddressFailure) {
                    _ = try CollectorSettings.traces(text)
                    return text
                } catch {
                    throw ValidationError("expected \(error.expected), found “\(error.text)”")
                }
            }
        }
    )
    var otlp: WithheldValue<String>?

    func validate() throws { try otlp?.check("--otlp") }

    /// Applies the flag and the environment, which win over the file.
    func apply(to settings: inout CollectorSettings) {
        if let url = otlp?.value { settings.url = url }
        settings.apply(ProcessEnvironment.variables)
    }

    /// The settings of a command that reads no configuration.
    var settings: CollectorSettings {
        var settings = CollectorSettings()
        apply(to: &settings)
        return settings
    }
}
