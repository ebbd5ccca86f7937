import ArgumentParser
import PinholeModel
import PinholeRules
import PinholeSession
import PinholeTelemetry

/// The option `--otlp`: the collector of OpenTelemetry that gets spans.
struct TelemetryOptions: ParsableArguments {
    @Option(
        help: .value(
            "url",
            "Send spans to this collector of OpenTelemetry (OTLP over HTTP), without bodies and values (docs/FLEET.md)."
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

extension CollectorSettings {
    /// Takes the settings of the environment, which all programs with OpenTelemetry share.
    ///
    /// - Parameter variables: The variables; what is no field or no attribute is left out.
    mutating func apply(_ variables: [String: String]) {
        if let list = variables["OTEL_EXPORTER_OTLP_HEADERS"] {
            fields += Self.pairs(list).compactMap(FieldLine.init).map(HeaderLine.init)
        }
        if let list = variables["OTEL_RESOURCE_ATTRIBUTES"] {
            attributes += Self.pairs(list).map { Span.Attribute(name: $0, value: .text($1)) }
        }
        switch variables["OTEL_EXPORTER_OTLP_PROTOCOL"] {
        case "http/json": encoding = .json
        case "http/protobuf": encoding = .protobuf
        default: break
        }
        // The variable of traces wins over that of all signals.
        switch variables["OTEL_EXPORTER_OTLP_TRACES_COMPRESSION"]
            ?? variables["OTEL_EXPORTER_OTLP_COMPRESSION"]
        {
        case "gzip": compresses = true
        case "none": compresses = false
        default: break
        }
    }

    /// Reads `name=value,name=value`, in which values are percent-encoded (W3C Baggage).
    private static func pairs(_ list: String) -> [(String, String)] {
        list.split(separator: ",").compactMap { pair in
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            let name = pair[..<equals].trimmed
            let value = PercentCoding.decode(pair[pair.index(after: equals)...].trimmed.utf8)
            return name.isEmpty ? nil : (name, String(decoding: value, as: UTF8.self))
        }
    }
}

extension HeaderLine {
    /// Takes a line whose name and value were checked.
    init(_ line: FieldLine) { self.init(line.name, line.value) }
}
