package import PinholeModel

extension ExchangeOutcome {
    /// The word for it.
    package var name: String {
        switch self {
        case .completed: "completed"
        case .answeredByProxy: "answeredByProxy"
        case .aborted(let side, _): side == .client ? "abortedByClient" : "abortedByServer"
        case .failed: "failed"
        }
    }

    /// The reason; `nil` when all is well.
    package var detail: String? {
        switch self {
        case .completed: nil
        case .answeredByProxy(let reason), .aborted(_, let reason), .failed(let reason): reason
        }
    }
}
