import PinholeModel

/// Traffic as JSON, one object a line; docs/COMMANDS.md describes the keys.
enum TrafficJSON {
    /// The line for `event`.
    static func text(_ event: TrafficEvent) -> String {
        switch event {
        case .exchange(let record): JSONLine.text(ExchangeJSON(record))
        case .flow(let record): JSONLine.text(FlowJSON(record))
        }
    }
}

/// An exchange in lists and while traffic passes.
struct ExchangeJSON: Encodable {
    let type = "exchange"
    let id: Int64
    let flow: Int64
    let started: String
    let method: String
    let url: String
    let status: Int?
    let requestBytes: Int64
    let responseBytes: Int64?
    let milliseconds: Double?
    let outcome: String?
    let detail: String?
    let notes: [String]

    private enum CodingKeys: CodingKey {
        case type, id, flow, started, method, url, status, requestBytes, responseBytes, milliseconds
        case outcome, detail, notes
    }

    /// Takes the facts of an exchange.
    init(_ record: ExchangeRecord) {
        id = record.id.rawValue
        flow = record.flow.rawValue
        started = record.timings.started.iso8601Milliseconds
        method = record.method
        url = record.url
        status = record.status
        requestBytes = record.request.body.length
        responseBytes = record.response?.body.length
        milliseconds = record.timings.ended.map { Double(($0 - record.timings.started).microseconds) / 1000 }
        outcome = record.outcome?.name
        detail = record.outcome?.detail
        notes = record.notes.map(\.rawValue)
    }
}

/// A flow in lists and while traffic passes.
struct FlowJSON: Encodable {
    let type = "flow"
    let id: Int64
    let opened: String
    let closed: String?
    let client: String
    let authority: String?
    let server: String?
    let treatment: String?
    let reason: String?
    let outcome: String?
    let fault: String?
    let detail: String?
    let handshakeFailure: HandshakeFailureJSON?
    let exchanges: Int
    let bytesFromClient: Int64
    let bytesFromServer: Int64

    private enum CodingKeys: CodingKey {
        case type, id, opened, closed, client, authority, server, treatment, reason, outcome, fault, detail
        case handshakeFailure, exchanges, bytesFromClient, bytesFromServer
    }

    /// Takes the facts of a flow.
    init(_ record: FlowRecord) {
        id = record.id.rawValue
        opened = record.opened.iso8601Milliseconds
        closed = record.closed?.iso8601Milliseconds
        client = record.client
        authority = record.authority
        server = record.server
        treatment = record.treatment?.rawValue
        reason = record.reason
        outcome = record.outcome?.kind.rawValue
        fault = record.outcome?.fault?.rawValue
        detail = record.outcome?.detail
        handshakeFailure = record.failedHandshake.flatMap(HandshakeFailureJSON.init)
        exchanges = record.exchanges
        bytesFromClient = record.bytesFromClient
        bytesFromServer = record.bytesFromServer
    }
}

/// Why a handshake failed.
struct HandshakeFailureJSON: Encodable {
    let peer: String
    let cause: String
    let isHint: Bool
    let endedBy: String?
    let alert: String?
    let alertCode: UInt8?
    let bytesAfterHandshake: Int64
    let milliseconds: Double
    let detail: String

    /// Takes the facts of a failed handshake; `nil` for one that did not fail.
    init?(_ record: HandshakeRecord) {
        guard let failure = record.failure else { return nil }
        peer = record.peer.rawValue
        cause = failure.cause.rawValue
        isHint = failure.isHint
        endedBy = failure.endedBy?.rawValue
        alert = failure.alert?.name
        alertCode = failure.alert?.code
        bytesAfterHandshake = failure.bytesAfterHandshake
        milliseconds = Double(record.duration.microseconds) / 1000
        detail = failure.detail
    }
}

extension ExchangeOutcome {
    /// The word for it.
    var name: String {
        switch self {
        case .completed: "completed"
        case .answeredByProxy: "answeredByProxy"
        case .aborted(let side, _): side == .client ? "abortedByClient" : "abortedByServer"
        case .failed: "failed"
        }
    }

    /// The reason; `nil` when all is well.
    var detail: String? {
        switch self {
        case .completed: nil
        case .answeredByProxy(let reason), .aborted(_, let reason), .failed(let reason): reason
        }
    }
}
