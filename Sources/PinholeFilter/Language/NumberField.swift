/// A number of an exchange or a flow.
package enum NumberField: String, Hashable, Sendable, CaseIterable {
    /// What the numbers count, and so how they are written.
    package enum Unit: Sendable {
        /// Things.
        case count
        /// A status.
        case status
        /// Bytes.
        case bytes
        /// Microseconds of time that passed.
        case duration
        /// Microseconds since 1970.
        case moment
    }

    /// The status of the response.
    case status
    /// The port that was asked for.
    case port
    /// The number in the list.
    case id
    /// The number of the flow.
    case flow
    /// The number of the process that made the connection.
    case pid
    /// How many messages of a WebSocket passed.
    case messages
    /// The length of both bodies, as they were sent.
    case size
    /// The length of the request's body, as it was sent.
    case requestSize = "request.size"
    /// The length of the response's body, as it was sent.
    case responseSize = "response.size"
    /// From the first byte of the request to the end.
    case duration
    /// From the first byte of the request to the first of the response.
    case firstByte = "firstbyte"
    /// Time in the queue.
    case blocked
    /// Name resolution.
    case resolve
    /// Until the TCP connection stood.
    case connect
    /// The TLS handshake with the server.
    case tlsTime = "tls.time"
    /// When it began.
    case time

    /// What the numbers count.
    package var unit: Unit {
        switch self {
        case .status: .status
        case .port, .id, .flow, .pid, .messages: .count
        case .size, .requestSize, .responseSize: .bytes
        case .duration, .firstByte, .blocked, .resolve, .connect, .tlsTime: .duration
        case .time: .moment
        }
    }

    /// Where the number is.
    package var source: FactSource { self == .pid ? .flow : .summary }
}
