package import PinholeModel

/// An exchange in lists and while traffic passes.
package struct ExchangeJSON: Encodable {
    let type = "exchange"
    let id: Int64
    let flow: Int64
    let started: String
    let method: String
    let url: String
    let proxyUser: String?
    let status: Int?
    let requestBytes: Int64
    let responseBytes: Int64?
    let milliseconds: Double?
    let outcome: String?
    let detail: String?
    let notes: [String]
    /// The rules that acted; only where the whole record was read.
    let rules: [RuleHit]?
    let messages: Int64?

    private enum CodingKeys: CodingKey {
        case type, id, flow, started, method, url, proxyUser, status, requestBytes, responseBytes,
            milliseconds
        case outcome, detail, notes, rules, messages
    }

    /// Takes the facts of an exchange.
    package init(_ record: ExchangeRecord) {
        id = record.id.rawValue
        flow = record.flow.rawValue
        started = record.timings.started.iso8601Milliseconds
        method = record.method
        url = record.url
        proxyUser = record.proxyUser
        status = record.status
        requestBytes = record.request.body.length
        responseBytes = record.response?.body.length
        milliseconds = record.timings.ended.map { Double(($0 - record.timings.started).microseconds) / 1000 }
        outcome = record.outcome?.kind.rawValue
        detail = record.outcome?.detail
        notes = record.notes.map(\.rawValue)
        rules = record.rules.isEmpty ? nil : record.rules
        messages = record.notes.contains(.webSocket) ? record.messages : nil
    }
}
