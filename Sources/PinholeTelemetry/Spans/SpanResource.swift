/// The source of spans: a proxy, a run of the lab, or an audit.
package struct SpanResource: Sendable {
    /// The version of Pinhole.
    package let version: String
    /// The attributes, by the semantic conventions for resources.
    package let attributes: [Span.Attribute]

    /// Describes a source.
    ///
    /// - Parameters:
    ///   - version: The version of Pinhole.
    ///   - machine: The name of the machine.
    ///   - instance: The number of the proxy or run, which no other has.
    ///   - more: Attributes that the user named; they win over those of the same names.
    package init(version: String, machine: String, instance: String, more: [Span.Attribute] = []) {
        self.version = version
        let own = [
            ("service.name", "pinhole"), ("service.version", version), ("service.instance.id", instance),
            ("host.name", machine), ("telemetry.sdk.name", "pinhole"), ("telemetry.sdk.language", "swift"),
            ("telemetry.sdk.version", version),
        ].filter { !$0.1.isEmpty }.map { Span.Attribute(name: $0.0, value: .text($0.1)) }
        var values: [Span.Attribute] = []
        for attribute in own + more {
            values.removeAll { $0.name == attribute.name }
            values.append(attribute)
        }
        attributes = values
    }
}
