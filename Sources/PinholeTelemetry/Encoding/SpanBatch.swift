import PinholeModel
import PinholeWire

/// Spans of one source, as a collector takes them (OTLP 1.x, `ExportTraceServiceRequest`).
package struct SpanBatch: Sendable {
    /// The encoding of a batch.
    package enum Encoding: String, CaseIterable, Sendable {
        /// Protocol Buffers.
        case protobuf
        /// JSON, by the rules of OTLP: numbers of spans in hexadecimal, integers of 64 bits as texts.
        case json

        /// The media type.
        package var type: String { self == .protobuf ? "application/x-protobuf" : "application/json" }
    }

    /// The conventions by which attributes are named.
    private static let schema = "https://opentelemetry.io/schemas/1.44.0"
    private static let scope = "pinhole"

    /// The proxy or run that the spans come from.
    package let resource: SpanResource
    /// The operations, in any order.
    package var spans: [Span]

    /// Creates a batch.
    package init(_ resource: SpanResource, _ spans: [Span]) {
        self.resource = resource
        self.spans = spans
    }

    /// Returns the batch in an encoding.
    package func encoded(_ encoding: Encoding) -> [UInt8] {
        encoding == .protobuf ? protobuf : json
    }

    // MARK: Protocol Buffers

    private var protobuf: [UInt8] {
        var request = ProtobufWriter()
        request.message(1) { sources in
            sources.message(1) { Self.write(resource.attributes, 1, to: &$0) }
            sources.message(2) { scopes in
                scopes.message(1) { scope in
                    scope.text(1, Self.scope)
                    scope.text(2, resource.version)
                }
                for span in spans { scopes.message(2) { Self.write(span, to: &$0) } }
                scopes.text(3, Self.schema)
            }
            sources.text(3, Self.schema)
        }
        return request.bytes
    }

    private static func write(_ span: Span, to message: inout ProtobufWriter) {
        message.bytes(1, span.trace)
        message.bytes(2, span.id)
        message.bytes(4, span.parent)
        message.text(5, span.name)
        message.varint(6, Int64(span.kind.rawValue))
        message.fixed64(7, span.started.nanoseconds)
        message.fixed64(8, span.ended.nanoseconds)
        write(span.attributes, 9, to: &message)
        if let failure = span.failure {
            message.message(15) { status in
                status.text(2, failure)
                status.varint(3, 2)
            }
        }
    }

    private static func write(
        _ attributes: [Span.Attribute],
        _ number: Int,
        to message: inout ProtobufWriter
    ) {
        for attribute in attributes {
            message.message(number) { pair in
                pair.text(1, attribute.name)
                pair.message(2) { write(attribute.value, to: &$0) }
            }
        }
    }

    private static func write(_ value: Span.Value, to message: inout ProtobufWriter) {
        switch value {
        case .text(let text): message.present(1, text.utf8)
        case .boolean(let flag): message.present(2, varint: flag ? 1 : 0)
        case .integer(let number): message.present(3, varint: number)
        case .number(let number): message.present(4, double: number)
        case .texts(let texts):
            message.message(5) { list in
                for text in texts { list.message(1) { $0.present(1, text.utf8) } }
            }
        }
    }

    // MARK: JSON

    private var json: [UInt8] {
        var text = JSONText()
        text.object { request in
            request.list("resourceSpans") { sources in
                sources.object { source in
                    source.name("resource")
                    source.object { Self.write(resource.attributes, to: &$0) }
                    source.list("scopeSpans") { scopes in
                        scopes.object { scope in
                            scope.name("scope")
                            scope.object { text in
                                text.member("name", Self.scope)
                                text.member("version", resource.version)
                            }
                            scope.list("spans") { list in
                                for span in spans { list.object { Self.write(span, to: &$0) } }
                            }
                            scope.member("schemaUrl", Self.schema)
                        }
                    }
                    source.member("schemaUrl", Self.schema)
                }
            }
        }
        return text.bytes
    }

    private static func write(_ span: Span, to text: inout JSONText) {
        text.member("traceId", Hexadecimal.encode(span.trace))
        text.member("spanId", Hexadecimal.encode(span.id))
        if !span.parent.isEmpty { text.member("parentSpanId", Hexadecimal.encode(span.parent)) }
        text.member("name", span.name)
        text.member("kind", span.kind.rawValue)
        text.member("startTimeUnixNano", String(span.started.nanoseconds))
        text.member("endTimeUnixNano", String(span.ended.nanoseconds))
        write(span.attributes, to: &text)
        if let failure = span.failure {
            text.name("status")
            text.object { status in
                status.member("code", 2)
                if !failure.isEmpty { status.member("message", failure) }
            }
        }
    }

    private static func write(_ attributes: [Span.Attribute], to text: inout JSONText) {
        text.list("attributes") { list in
            for attribute in attributes {
                list.object { pair in
                    pair.member("key", attribute.name)
                    pair.name("value")
                    write(attribute.value, to: &pair)
                }
            }
        }
    }

    private static func write(_ value: Span.Value, to text: inout JSONText) {
        text.object { text in
            switch value {
            case .text(let value): text.member("stringValue", value)
            case .boolean(let flag): text.member("boolValue", flag)
            case .integer(let number): text.member("intValue", String(number))
            case .number(let number):
                text.name("doubleValue")
                text.value(.number(number))
            case .texts(let texts):
                text.name("arrayValue")
                text.object { array in
                    array.list("values") { list in
                        for value in texts { write(.text(value), to: &list) }
                    }
                }
            }
        }
    }
}

extension JSONText {
    /// Writes a member that is a list.
    fileprivate mutating func list(_ name: String, _ elements: (inout JSONText) -> Void) {
        self.name(name)
        array(elements)
    }
}

extension Timestamp {
    /// Nanoseconds since 1970; 0 for an earlier moment.
    fileprivate var nanoseconds: UInt64 {
        let (product, isTooLarge) = UInt64(max(microseconds, 0)).multipliedReportingOverflow(by: 1000)
        return isTooLarge ? .max : product
    }
}
