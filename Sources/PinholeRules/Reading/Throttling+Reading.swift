import PinholeModel

extension Throttling {
    /// Reads the keys of a rule: a preset, and numbers that override its own.
    init(_ object: inout DocumentObject) throws(DocumentFailure) {
        self.init()
        var preset: ThrottlePreset?
        try object.read("preset", into: &preset) { (value, path) throws(DocumentFailure) in
            try DocumentValue.choice(ThrottlePreset.self)(value, path)
        }
        if let preset { self = preset.throttling }
        down = try Self.number("downKilobits", in: 1...10_000_000, &object).map { Int64($0 * 1000) } ?? down
        up = try Self.number("upKilobits", in: 1...10_000_000, &object).map { Int64($0 * 1000) } ?? up
        latency = try Self.number("latencyMilliseconds", in: 0...60_000, &object).map(Self.time) ?? latency
        jitter = try Self.number("jitterMilliseconds", in: 0...60_000, &object).map(Self.time) ?? jitter
        loss = try Self.number("lossPercent", in: 0...90, &object).map { $0 / 100 } ?? loss
    }

    private static func time(_ milliseconds: Double) -> Duration {
        .microseconds(Int64((milliseconds * 1000).rounded()))
    }

    private static func number(
        _ key: String,
        in range: ClosedRange<Double>,
        _ object: inout DocumentObject
    ) throws(DocumentFailure) -> Double? {
        var found: Double?
        try object.read(key, into: &found) { (value, path) throws(DocumentFailure) in
            let number: Double? =
                switch value {
                case .integer(let number): Double(number)
                case .number(let number): number
                default: nil
                }
            guard let number, range.contains(number) else {
                throw DocumentFailure(
                    path: path,
                    expected: "a number of \(Int(range.lowerBound)) to \(Int(range.upperBound))",
                    found: value.summary
                )
            }
            return number
        }
        return found
    }
}
