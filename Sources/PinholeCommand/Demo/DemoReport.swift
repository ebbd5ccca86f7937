import PinholeModel
import PinholeSession

/// Sentences about the traffic of a step.
enum DemoReport {
    /// Returns the result of curl as a line.
    static func curl(_ run: DemoCurl.Run) -> String {
        var parts: [String] = []
        if let facts = run.facts, facts.status > 0 {
            parts.append("\(facts.status)")
            let decoded = Int64(run.body.count)
            let isCoded = decoded != facts.size
            parts.append(
                Plain.size(facts.size) + (isCoded ? " that became \(Plain.size(decoded))" : "")
            )
            if let type = facts.type, !type.isEmpty { parts.append(type) }
            if facts.redirects > 0 { parts.append("\(facts.redirects) redirect") }
            parts.append("first byte \(Plain.duration(.seconds(facts.firstByte)))")
            parts.append("end \(Plain.duration(.seconds(facts.total)))")
        }
        if run.exit != 0 {
            // curl appends a long advice on disabling the check; the first line is enough.
            let complaint =
                run.complaint.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no message"
            parts.append(
                "exit \(run.exit), \(complaint.split(separator: ") ", maxSplits: 1).last ?? "no message")"
            )
        }
        return parts.joined(separator: ", ")
    }

    /// Returns the records of the proxy as lines.
    static func proxy(_ sighting: DemoWorld.Sighting) -> [String] {
        var lines = sighting.exchanges.map(exchange)
        for flow in sighting.flows {
            lines.append(handshakes(of: flow))
            lines += failures(of: flow)
        }
        return lines.isEmpty ? ["saw nothing"] : lines.filter { !$0.isEmpty }
    }

    /// Returns the reasons why handshakes of `flow` failed.
    static func failures(of flow: FlowRecord) -> [String] {
        [flow.clientHandshake, flow.serverHandshake].compactMap(\.self).compactMap { handshake in
            handshake.failure.map { failure in
                let alert = failure.alert.map { ", alert \($0)" } ?? ""
                return
                    "\(flow.authority ?? "?") [\(failure.cause.rawValue)\(failure.isHint ? ", a hint" : "")\(alert)] "
                    + failure.detail
            }
        }
    }

    /// Returns the causes of the failed handshakes of `flow`.
    static func causes(_ flow: FlowRecord) -> [HandshakeFailure.Cause] {
        [flow.clientHandshake, flow.serverHandshake].compactMap { $0?.failure?.cause }
    }

    private static func exchange(_ exchange: ExchangeRecord) -> String {
        let timings = exchange.timings
        var parts = [
            "#\(exchange.id.rawValue) \(exchange.method) \(exchange.path) → \(exchange.status.map(String.init) ?? "–")"
        ]
        if exchange.request.body.length > 0 {
            parts.append("\(Plain.size(exchange.request.body.length)) sent")
        }
        if let body = exchange.response?.body { parts.append(Plain.size(body.length)) }
        if let connect = timings.connect { parts.append("TCP \(Plain.duration(connect))") }
        if let tls = timings.tls { parts.append("TLS \(Plain.duration(tls))") }
        if let first = timings.responseStarted {
            parts.append("first byte \(Plain.duration(first - timings.started))")
        }
        if let ended = timings.ended { parts.append("end \(Plain.duration(ended - timings.started))") }
        if let trailers = exchange.response?.trailers, !trailers.isEmpty {
            let names = HeaderFields(section: trailers).pairs.map { "\($0.name): \($0.value)" }
            parts.append("trailers \(names.joined(separator: ", "))")
        }
        return parts.joined(separator: ", ")
    }

    private static func handshakes(of flow: FlowRecord) -> String {
        [
            handshake(flow.clientHandshake, with: "curl", of: flow),
            handshake(flow.serverHandshake, with: "the server", of: flow),
        ].compactMap(\.self).joined(separator: ", ")
    }

    private static func handshake(
        _ record: HandshakeRecord?,
        with peer: String,
        of flow: FlowRecord
    ) -> String? {
        guard let record, let version = record.version else { return nil }
        guard record.started >= flow.opened else {
            return "\(version) with \(peer) (the connection was open already)"
        }
        let time = Plain.duration(record.duration)
        return "\(version) with \(peer) (\(record.failure == nil ? time : "refused after \(time)"))"
    }
}
