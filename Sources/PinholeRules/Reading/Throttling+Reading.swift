import PinholeModel

extension RuleKey {
    /// The keys of `throttle`.
    enum Throttle {
        static let preset = ReadRuleKey<ThrottlePreset>(
            "preset",
            .choice(),
            "one of the presets; the other keys override its numbers"
        )
        static let down = ReadRuleKey<Double>(
            "downKilobits",
            .number(in: 1...10_000_000, unit: "kbit/s"),
            "kilobits per second toward the client; without the key there is no limit"
        )
        static let up = ReadRuleKey<Double>(
            "upKilobits",
            .number(in: 1...10_000_000, unit: "kbit/s"),
            "kilobits per second toward the server; without the key there is no limit"
        )
        static let latency = ReadRuleKey<Double>(
            "latencyMilliseconds",
            .number(in: 0...60_000, unit: "ms"),
            "the wait of a request before it is sent on"
        )
        static let jitter = ReadRuleKey<Double>(
            "jitterMilliseconds",
            .number(in: 0...60_000, unit: "ms"),
            "the variation of the latency, up and down, from request to request"
        )
        static let loss = ReadRuleKey<Double>(
            "lossPercent",
            .number(in: 0...90, unit: "%"),
            "the percentage of segments that arrive late"
        )
    }
}

extension Throttling {
    /// Reads the keys of a rule: a preset, and numbers that override its own.
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        if let preset = try object.read(RuleKey.Throttle.preset) { self = preset.throttling }
        down = try object.read(RuleKey.Throttle.down).map { Int64($0 * 1000) } ?? down
        up = try object.read(RuleKey.Throttle.up).map { Int64($0 * 1000) } ?? up
        latency = try object.read(RuleKey.Throttle.latency).map(Self.time) ?? latency
        jitter = try object.read(RuleKey.Throttle.jitter).map(Self.time) ?? jitter
        loss = try object.read(RuleKey.Throttle.loss).map { $0 / 100 } ?? loss
    }

    private static func time(_ milliseconds: Double) -> Duration {
        .microseconds(Int64((milliseconds * 1000).rounded()))
    }
}
