import PinholeModel
import PinholeRules
import PinholeTelemetry

/// The section `telemetry`: the collector of OpenTelemetry that gets spans of the traffic.
extension CollectorSettings {
    static var section: ConfigurationSection {
        ConfigurationSection("telemetry", "spans of the traffic for a collector of OpenTelemetry", keys)
    }

    private static var keys: [ConfigurationKey] {
        [
            .optional(
                "url",
                \.telemetry.url,
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    _ = try traces(text)
                    return text
                },
                "The collector, such as `\"http://127.0.0.1:4318\"`; a URL without a path gets `/v1/traces`. "
                    + "`null` sends nothing (docs/FLEET.md)",
                harm: .confirmed("hosts, path templates and clients of all traffic go to a collector") {
                    (configuration, key) in
                    configuration.telemetry.url.map {
                        ["sends facts about all traffic to \(UserInfo.hidden(in: $0)) (\(key))"]
                    } ?? []
                }
            ),
            .choice(
                "encoding",
                \.telemetry.encoding,
                "`\"protobuf\"`, or `\"json\"` for a collector without Protocol Buffers",
                harm: .none("both encodings say the same")
            ),
            .list(
                "fields",
                \.telemetry.fields,
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    // A value may be a secret, so the message does not repeat it.
                    guard let line = FieldLine(text) else {
                        throw AddressFailure("…", expected: "“Name: value” without control characters")
                    }
                    return HeaderLine(line.name, line.value)
                },
                "Headers of each request to the collector: `\"Authorization: Bearer …\"`. "
                    + "OTEL_EXPORTER_OTLP_HEADERS in the environment adds to them",
                harm: .confirmed("the collector may count the spans as those of another account") {
                    (configuration, key) in
                    let names = configuration.telemetry.fields.map(\.name).joined(separator: ", ")
                    return names.isEmpty ? [] : ["sends its own \(names) to the collector (\(key))"]
                }
            ),
            .list(
                "attributes",
                \.telemetry.attributes,
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                        throw AddressFailure(text, expected: "“name=value”")
                    }
                    let value = text[text.index(after: equals)...].trimmed
                    return Span.Attribute(name: String(text[..<equals]), value: .text(value))
                },
                "Attributes of this proxy in all its spans: `\"deployment.environment.name=ci\"`. "
                    + "OTEL_RESOURCE_ATTRIBUTES in the environment adds to them",
                harm: .none("they name this proxy and nothing else")
            ),
        ]
    }
}
