import PinholeLock
import PinholeModel

/// Counts traffic since the proxy began, in the form of Prometheus (exposition format 0.0.4).
///
/// No name of a server, program or user is among the labels, because anybody on this machine may read the counts.
final class TrafficMeter: Sendable {
    /// A kind of exchange; the words for it are made when the counts are read.
    private struct Exchanges: Hashable {
        /// The class of the status, 1 to 9; 0 without a response.
        let status: Int
        let outcome: ExchangeOutcome.Kind

        var words: (status: String, outcome: String) {
            (status == 0 ? "none" : "\(status)xx", outcome.rawValue)
        }
    }

    private struct Failures: Hashable {
        let peer: String
        let cause: String
    }

    private struct Counts {
        var exchanges: [Exchanges: Int64] = [:]
        var failures: [Failures: Int64] = [:]
        /// The number of exchanges whose duration is in a bucket; the last one has no bound.
        var buckets = [Int64](repeating: 0, count: TrafficMeter.bounds.count + 1)
        var seconds = 0.0
        var sent: Int64 = 0
        var received: Int64 = 0
        var opened: Int64 = 0
        var closed: Int64 = 0
        /// The flows that are open, so that each is counted once however often it is recorded.
        var open: Set<FlowID> = []
    }

    /// The upper bounds of the buckets of durations, in seconds.
    private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let started: Timestamp
    private let counts = Lock(Counts())

    /// Begins to count.
    init(started: Timestamp) { self.started = started }

    /// Counts events.
    func take(_ events: [FlowEvent]) {
        counts.withLock { counts in
            for event in events { Self.take(event, &counts) }
        }
    }

    private static func take(_ event: FlowEvent, _ counts: inout Counts) {
        switch event {
        case .exchange(let record): take(record, &counts)
        case .flow(let record):
            if record.closed == nil {
                if counts.open.insert(record.id).inserted { counts.opened += 1 }
                return
            }
            // A flow whose opening was not recorded is counted at its end.
            if counts.open.remove(record.id) == nil { counts.opened += 1 }
            counts.closed += 1
            for (peer, handshake) in [("client", record.clientHandshake), ("server", record.serverHandshake)]
            {
                guard let failure = handshake?.failure else { continue }
                counts.failures[Failures(peer: peer, cause: failure.cause.rawValue), default: 0] += 1
            }
        case .clientProcess, .bodyPart, .bodyPiece, .webSocketMessage, .webSocketPart, .leftOut, .packet,
            .secret:
            break
        }
    }

    private static func take(_ record: ExchangeRecord, _ counts: inout Counts) {
        guard let outcome = record.outcome else { return }
        let status = record.status.map { $0 / 100 } ?? 0
        counts.exchanges[Exchanges(status: status, outcome: outcome.kind), default: 0] += 1
        counts.sent = counts.sent.addingClamped(record.request.body.length)
        counts.received = counts.received.addingClamped(record.response?.body.length ?? 0)
        guard let ended = record.timings.ended else { return }
        let seconds = Double(ended.microseconds - record.timings.started.microseconds) / 1e6
        counts.seconds += seconds
        counts.buckets[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
    }

    /// Returns the counts as text.
    ///
    /// - Parameter lostEvents: The number of events that could not be recorded.
    /// - Returns: The lines.
    func text(lostEvents: Int64) -> String {
        let counts = counts.withLock(\.self)
        var text = PrometheusText()
        text.begin(
            "pinhole_start_time_seconds",
            .gauge,
            "The time at which the proxy began, in seconds since 1970."
        )
        text.sample("pinhole_start_time_seconds", "\(started.seconds)")
        text.begin(
            "pinhole_exchanges_total",
            .counter,
            "Exchanges that ended, by class of status and by outcome."
        )
        let exchanges = counts.exchanges.map { ($0.key.words, $0.value) }.sorted { $0.0 < $1.0 }
        for (words, count) in exchanges {
            text.sample(
                "pinhole_exchanges_total",
                "\(count)",
                [("status", words.status), ("outcome", words.outcome)]
            )
        }
        text.begin(
            "pinhole_exchange_duration_seconds",
            .histogram,
            "Times from the first byte of a request to the end."
        )
        var sum: Int64 = 0
        for (bound, count) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], counts.buckets) {
            sum += count
            text.sample("pinhole_exchange_duration_seconds_bucket", "\(sum)", [("le", bound)])
        }
        text.sample("pinhole_exchange_duration_seconds_sum", "\(counts.seconds)")
        text.sample("pinhole_exchange_duration_seconds_count", "\(sum)")
        text.begin("pinhole_request_body_bytes_total", .counter, "Bytes of bodies that clients sent.")
        text.sample("pinhole_request_body_bytes_total", "\(counts.sent)")
        text.begin("pinhole_response_body_bytes_total", .counter, "Bytes of bodies that servers sent.")
        text.sample("pinhole_response_body_bytes_total", "\(counts.received)")
        text.begin("pinhole_connections_total", .counter, "Connections and tunnels of clients.")
        text.sample("pinhole_connections_total", "\(counts.opened)")
        text.begin("pinhole_connections_open", .gauge, "Connections and tunnels of clients that are open.")
        text.sample("pinhole_connections_open", "\(counts.opened - counts.closed)")
        text.begin(
            "pinhole_handshake_failures_total",
            .counter,
            "TLS handshakes that failed, by peer and cause."
        )
        let failures = counts.failures.sorted { ($0.key.peer, $0.key.cause) < ($1.key.peer, $1.key.cause) }
        for (key, count) in failures {
            text.sample(
                "pinhole_handshake_failures_total",
                "\(count)",
                [("peer", key.peer), ("cause", key.cause)]
            )
        }
        text.begin("pinhole_capture_lost_events_total", .counter, "Events that could not be recorded.")
        text.sample("pinhole_capture_lost_events_total", "\(lostEvents)")
        return text.text
    }
}

/// The lines of Prometheus' exposition format.
private struct PrometheusText {
    /// The kind of a metric.
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    private(set) var text = ""

    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a value; labels have no characters that need escapes.
    mutating func sample(_ name: String, _ value: String, _ labels: [(String, String)] = []) {
        let list = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
        text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
    }
}
