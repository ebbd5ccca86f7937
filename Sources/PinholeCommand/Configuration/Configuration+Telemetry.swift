import PinholeModel
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
                    + "`null` sends nothing (docs/FLEET.md)"
            ),
            .choice(
                "encoding",
                \.telemetry.encoding,
                "`\"protobuf\"`, or `\"json\"` for a collector without Protocol Buffers"
            ),
            .list(
                "fields",
                \.telemetry.fields,
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    let (name, value) = try pair(text, ":", "Name: value")
                    return Field(name, value)
                },
                "Fields of each request to the collector: `\"Authorization: Bearer …\"`. "
                    + "OTEL_EXPORTER_OTLP_HEADERS in the environment adds to them"
            ),
            .list(
                "attributes",
                \.telemetry.attributes,
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    let (name, value) = try pair(text, "=", "name=value")
                    return Span.Attribute(name: name, value: .text(value))
                },
                "Attributes of this proxy in all its spans: `\"deployment.environment.name=ci\"`. "
                    + "OTEL_RESOURCE_ATTRIBUTES in the environment adds to them"
            ),
        ]
    }

    /// Reads a name and a value; a value may be a secret, so that the message does not repeat it.
    private static func pair(
        _ text: String,
        _ mark: Character,
        _ form: String
    ) throws(AddressFailure) -> (String, String) {
        guard let place = text.firstIndex(of: mark), place > text.startIndex else {
            throw AddressFailure("a text without “\(mark)”", expected: "“\(form)”")
        }
        let value = text[text.index(after: place)...].drop { $0 == " " }
        return (String(text[..<place]), String(value))
    }
}
