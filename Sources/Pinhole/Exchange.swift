import PinholeModel

/// A request, its response, and how the exchange of the two ended.
public struct Exchange: Sendable, Hashable {
    /// The number of the exchange in the capture.
    public let id: Int64
    /// The request method, such as `GET`.
    public let method: String
    /// The URL that the client asked for.
    public let url: String
    /// The status of the response; `nil` if there was none.
    public let status: Int?
    /// The end of the exchange in a sentence: `completed`, or what went wrong.
    public let outcome: String
    /// The actions of the interceptors, in the order in which these were asked, such as `Marker: continued with
    /// changed fields`.
    public let effects: [String]

    /// Creates the exchange of a record; `nil` if the exchange has not ended yet.
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
