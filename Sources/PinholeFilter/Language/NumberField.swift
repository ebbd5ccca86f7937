/// A number of an exchange or a flow; ``meaning`` explains each.
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

    case status
    case port
    case id
    case flow
    case pid
    case messages
    case size
    case requestSize = "request.size"
    case responseSize = "response.size"
    case duration
    case firstByte = "firstbyte"
    case blocked
    case resolve
    case connect
    case tlsTime = "tls.time"
    case time

    /// The meaning of the number, for listings and docs/FILTERS.md.
    package var meaning: String {
        switch self {
        case .status: "the status of the response; also `status == 400-499`"
        case .port: "the port that the client asked for"
        case .id: "the number of the exchange in lists"
        case .flow: "the number of its flow"
        case .pid: "the number of the client's process"
        case .messages: "the number of messages of a WebSocket"
        case .size: "both bodies, as they were sent; B, kB, MB, GB, KiB, MiB, GiB"
        case .requestSize: "the body of the request, as it was sent"
        case .responseSize: "the body of the response, as it was sent"
        case .duration: "from the first byte of the request to the end; us, ms, s, min, h"
        case .firstByte: "from the first byte of the request to the first byte of the response"
        case .blocked: "the time in the queue; unknown if there was none"
        case .resolve: "the look-up of the name; unknown if there was none"
        case .connect: "until the TCP connection was open; unknown if there was none"
        case .tlsTime: "the TLS handshake with the server; unknown if there was none"
        case .time:
            "when the exchange began: a moment of RFC 3339, or a day in UTC, `2026-01-31`"
        }
    }

    /// A filter that compares the number.
    package var example: String {
        switch self {
        case .status: "status == 4xx"
        case .port: "port == 8443"
        case .id: "id < 1000"
        case .flow: "flow == 12"
        case .pid: "pid == 4711"
        case .messages: "messages > 10"
        case .size: "size > 1MB"
        case .requestSize: "request.size > 10kB"
        case .responseSize: "response.size > 1MiB"
        case .duration: "duration > 500ms"
        case .firstByte: "firstbyte > 1s"
        case .blocked: "blocked > 10ms"
        case .resolve: "resolve > 1s"
        case .connect: "connect > 100ms"
        case .tlsTime: "tls.time > 100ms"
        case .time: "time >= 2026-01-31T12:00:00Z"
        }
    }

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
