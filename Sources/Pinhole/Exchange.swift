import PinholeModel

/// One request and what came of it.
public struct Exchange: Sendable, Hashable {
    /// Its number in the capture.
    public let id: Int64
    /// The method.
    public let method: String
    /// The URL that the client asked for.
    public let url: String
    /// The status of the response; `nil` where there was none.
    public let status: Int?
    /// How it ended, in a sentence: `completed`, or what went wrong.
    public let outcome: String
    /// What interceptors did, in their order, such as `Marker: continued with changed fields`.
    public let effects: [String]

    /// Takes what is told; `nil` while it goes on.
    init?(_ record: ExchangeRecord) {
        guard let outcome = record.outcome else { return nil }
        id = record.id.rawValue
        method = record.method
        url = record.url
        status = record.status
        self.outcome =
            switch outcome {
            case .completed: "completed"
            case .answeredByProxy(let reason): "answered by the proxy: \(reason)"
            case .aborted(let side, let reason): "broken off by the \(side.rawValue): \(reason)"
            case .closedByClient(let reason): "closed by the client: \(reason)"
            case .abortedByUser: ExchangeOutcome.userDetail
            case .failed(let reason): "failed: \(reason)"
            }
        effects = record.rules.map { "\($0.rule): \($0.effect)" }
    }
}
