import PinholeModel

/// Records of exchanges for the tests of replays.
enum ReplayRecords {
    static func exchange(
        _ head: String,
        _ authority: String = "api.test:443",
        scheme: Scheme = .https,
        body: String = ""
    ) throws -> ExchangeRecord {
        let line = head.prefix { $0 != "\r\n" }.split(separator: " ")
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 7),
            flow: FlowID(rawValue: 1),
            scheme: scheme,
            authority: try Authority(authority),
            method: String(line.first ?? ""),
            path: String(line.dropFirst().first ?? ""),
            request: MessageRecord(head: Array(head.utf8)),
            timings: ExchangeTimings(started: Timestamp(seconds: 1_700_000_000))
        )
        record.request.body.inline = Array(body.utf8)
        record.request.body.length = Int64(body.utf8.count)
        record.request.body.capturedLength = Int64(body.utf8.count)
        record.request.body.isComplete = true
        record.status = 200
        record.timings.ended = Timestamp(microseconds: 1_700_000_000_500_000)
        return record
    }
}
