import PinholeModel

/// How slow a `throttle` rule makes an exchange or a tunnel.
package struct Throttling: Sendable, Equatable {
    /// Bits per second toward the client; `nil` for no limit.
    package var down: Int64?
    /// Bits per second toward the server; `nil` for no limit.
    package var up: Int64?
    /// How long a request waits before it is sent on.
    package var latency = Duration.zero
    /// How much that varies, up and down.
    package var jitter = Duration.zero
    /// The part of all segments, from 0 to 1, that come late, as those do that TCP has to send again.
    package var loss = 0.0

    /// Slows nothing.
    package init() {}

    /// What a lost segment costs: a round trip, and the least time that TCP waits for it on Linux.
    package var retransmission: Duration { latency + .milliseconds(200) }

    /// How long one request waits.
    ///
    /// - Parameter seed: Whatever differs from request to request.
    /// - Returns: The latency, with its jitter.
    package func delay(seed: UInt64) -> Duration {
        guard jitter > .zero else { return latency }
        var random = SplitMix(seed: seed)
        let spread = jitter.microseconds
        return max(.zero, latency + .microseconds(Int64.random(in: -spread...spread, using: &random)))
    }

    /// What it does, in a few words.
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
