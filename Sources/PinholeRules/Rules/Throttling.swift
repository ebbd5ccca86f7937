import PinholeModel

/// The limits that a `throttle` rule sets for an exchange or a tunnel.
package struct Throttling: Sendable, Equatable {
    /// The rate toward the client in bits per second; `nil` for no limit.
    package var down: Int64?
    /// The rate toward the server in bits per second; `nil` for no limit.
    package var up: Int64?
    /// The time that a request waits before it is forwarded.
    package var latency = Duration.zero
    /// The variation of the latency, up and down.
    package var jitter = Duration.zero
    /// The share of segments (0 to 1) that come late, as segments do that TCP has to send again.
    package var loss = 0.0

    /// Creates a throttling without limits.
    package init() {}

    /// The delay of a lost segment: a round trip, plus the shortest time after which TCP on Linux sends again.
    package var retransmission: Duration { latency + .milliseconds(200) }

    /// Returns the delay of a request.
    ///
    /// - Parameter seed: A value that differs from request to request.
    /// - Returns: The latency, with its jitter.
    package func delay(seed: UInt64) -> Duration {
        guard jitter > .zero else { return latency }
        var random = SplitMix(seed: seed)
        let spread = jitter.microseconds
        return max(.zero, latency + .microseconds(Int64.random(in: -spread...spread, using: &random)))
    }

    /// The limits in a few words.
    package var summary: String {
        var parts: [String] = []
        if let down { parts.append("\(Self.text(down)) down") }
        if let up { parts.append("\(Self.text(up)) up") }
        if latency > .zero || jitter > .zero {
            let spread = jitter > .zero ? " ± \(jitter.milliseconds)" : ""
            parts.append("\(latency.milliseconds)\(spread) ms latency")
        }
        if loss > 0 { parts.append("\(Self.digits(loss * 100)) % loss") }
        return parts.joined(separator: ", ")
    }

    private static func text(_ bits: Int64) -> String {
        bits % 1_000_000 == 0 ? "\(bits / 1_000_000) Mbit/s" : "\(digits(Double(bits) / 1000)) kbit/s"
    }

    private static func digits(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\((number * 1000).rounded() / 1000)"
    }
}
