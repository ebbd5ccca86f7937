package import PinholeClient
package import PinholeModel

/// The collector that gets spans, and what is sent along.
package struct CollectorSettings: Sendable, Equatable {
    /// A name and a value that go with each request.
    package struct Field: Sendable, Equatable {
        /// The field's name.
        package let name: String
        /// The text after the colon.
        package let value: String

        /// Creates a field.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The URL as the user wrote it; `nil` if no spans are sent.
    package var url: String?
    /// The encoding of the spans.
    package var encoding = SpanBatch.Encoding.protobuf
    /// The fields of each request, such as Authorization.
    package var fields: [Field] = []
    /// The attributes of the source of all spans, such as `deployment.environment.name`.
    package var attributes: [Span.Attribute] = []

    /// Creates settings without a collector.
    package init() {}

    /// Returns the URL to which traces are sent.
    ///
    /// - Parameter text: A URL; one without a path names a collector, which takes traces at `/v1/traces`.
    /// - Returns: The URL.
    /// - Throws: `AddressFailure` for a text that is no such URL.
    package static func traces(_ text: String) throws(AddressFailure) -> ClientURL {
        do throws(ClientFailure) {
            let url = try ClientURL(text)
            return url.target == "/" ? try url.resolving("/v1/traces") : url
        } catch {
            throw AddressFailure(
                UserInfo.hidden(in: text),
                expected: "the URL of a collector, such as http://127.0.0.1:4318"
            )
        }
    }

    /// Takes the settings of the environment, which all programs with OpenTelemetry share.
    ///
    /// - Parameter variables: The variables.
    package mutating func apply(_ variables: [String: String]) {
        if let list = variables["OTEL_EXPORTER_OTLP_HEADERS"] {
            fields += Self.pairs(list).map { Field($0, $1) }
        }
        if let list = variables["OTEL_RESOURCE_ATTRIBUTES"] {
            attributes += Self.pairs(list).map { Span.Attribute(name: $0, value: .text($1)) }
        }
        switch variables["OTEL_EXPORTER_OTLP_PROTOCOL"] {
        case "http/json": encoding = .json
        case "http/protobuf": encoding = .protobuf
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

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
