package import PinholeModel

/// A span of OpenTelemetry: one operation with its times, its attributes and its place in a trace.
///
/// Source: opentelemetry-proto, `trace/v1/trace.proto`.
package struct Span: Sendable, Equatable {
    /// The side of the operation that the span describes; raw values are those of the protocol.
    package enum Kind: Int, Sendable {
        /// An operation inside of a program.
        case `internal` = 1
        /// The side that answers a request.
        case server = 2
        /// The side that sends a request.
        case client = 3
    }

    /// The content of an attribute.
    package enum Value: Sendable, Equatable {
        /// Any text.
        case text(String)
        /// A list of texts.
        case texts([String])
        /// A number without a fraction.
        case integer(Int64)
        /// A number with a fraction.
        case number(Double)
        /// True or false.
        case boolean(Bool)
    }

    /// A name and a value that describe an operation or its source.
    package struct Attribute: Sendable, Equatable {
        /// The attribute's name, by the semantic conventions 1.44 or with `pinhole.` at its beginning.
        package let name: String
        /// The text, the number or the list.
        package let value: Value

        /// Creates an attribute.
        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The number of the trace, 16 bytes.
    package var trace: [UInt8]
    /// The number of the span, 8 bytes.
    package var id: [UInt8]
    /// The number of the span around it; empty for the first of a trace.
    package var parent: [UInt8] = []
    /// The name, which few spans have for themselves.
    package var name: String
    /// The side of the operation.
    package var kind: Kind
    /// The beginning.
    package var started: Timestamp
    /// The end.
    package var ended: Timestamp
    /// The attributes, each name once.
    package private(set) var attributes: [Attribute] = []
    /// The reason why the operation failed, which may be empty; `nil` if it did not fail.
    package var failure: String?

    /// Creates a span without attributes.
    package init(
        trace: [UInt8],
        id: [UInt8],
        name: String,
        kind: Kind,
        started: Timestamp,
        ended: Timestamp
    ) {
        self.trace = trace
        self.id = id
        self.name = name
        self.kind = kind
        self.started = started
        // A clock that was set back must not make a negative duration.
        self.ended = max(started, ended)
    }

    /// Adds a text, if there is one.
    package mutating func add(_ name: String, _ text: String?) {
        if let text, !text.isEmpty { add(name, .text(text)) }
    }

    /// Adds an integer, if there is one.
    package mutating func add(_ name: String, _ number: Int64?) {
        if let number { add(name, .integer(number)) }
    }

    /// Adds a duration in seconds, if there is one.
    package mutating func add(_ name: String, seconds duration: Duration?) {
        if let duration { add(name, .number(Double(duration.microseconds) / 1e6)) }
    }

    /// Adds a list, unless it is empty.
    package mutating func add(_ name: String, _ texts: [String]) {
        if !texts.isEmpty { add(name, .texts(texts)) }
    }

    /// Adds an attribute.
    package mutating func add(_ name: String, _ value: Value) {
        attributes.append(Attribute(name: name, value: value))
    }

    /// Adds the address and the port of one side, such as `client.address` and `client.port`.
    package mutating func add(_ side: String, address: String?) {
        guard let address, let authority = try? Authority(address) else { return }
        add(side, authority.host, port: Int64(authority.port))
    }

    /// Adds a host and a port.
    package mutating func add(_ side: String, _ host: Host, port: Int64) {
        add("\(side).address", host.description)
        add("\(side).port", port)
    }
}
