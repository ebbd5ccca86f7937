import PinholeSession
import PinholeTelemetry

extension CollectorSettings {
    /// Sends spans that are all known already, such as those of a report.
    ///
    /// - Parameter spans: The spans; they go in requests of at most 1000.
    /// - Throws: ``CommandFailure`` if the collector does not take them.
    func send(_ spans: [Span]) async throws(CommandFailure) {
        guard let collector = try collector(patience: .short) else { return }
        let resource = resource
        var rest = spans[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(1000))
            rest = rest.dropFirst(part.count)
            try Self.check(await collector.send(collector.encode(SpanBatch(resource, part))), collector)
        }
        StandardError.write("sent \(spans.count) spans to \(collector.name)")
    }

    /// Throws if a collector did not take spans, and warns if it rejected some.
    ///
    /// - Parameters:
    ///   - delivery: The end of a delivery.
    ///   - collector: The collector.
    /// - Throws: ``CommandFailure`` if the spans were not delivered.
    static func check(_ delivery: Collector.Delivery, _ collector: Collector) throws(CommandFailure) {
        switch delivery {
        case .delivered(let answer):
            guard answer.rejected > 0 else { return }
            StandardError.write(
                "the collector at \(collector.name) rejected \(answer.rejected) spans: \(answer.reason)"
            )
        case .refused(let reason), .unreached(let reason):
            throw CommandFailure("the collector at \(collector.name) took no spans: \(reason)")
        }
    }
}
