import PinholeModel
import PinholeRuntime

/// A message that is held at a breakpoint, as the API describes it.
struct BreakpointJSON: Encodable {
    let id: Int64
    let exchange: Int64?
    let at: String
    let rule: String
    let method: String
    let url: String
    let path: String
    let status: Int?
    let length: Int
    let since: String
    let until: String
    /// The seconds until the deadline, since the client's clock may differ from the proxy's.
    let secondsLeft: Double
    let fields: [[String]]?
    let bodyBase64: String?
    let trouble: String?

    /// Describes a held message.
    ///
    /// - Parameters:
    ///   - held: The message.
    ///   - isWhole: Whether its fields and its content are included.
    ///   - now: The current time.
    init(_ held: HeldAtBreakpoint, isWhole: Bool, now: Timestamp) {
        id = held.id
        exchange = held.exchange
        at = held.status == nil ? "request" : "response"
        rule = held.rule
        method = held.method
        url = held.url
        path = held.path
        status = held.status
        length = held.body.count
        since = held.since.iso8601
        until = held.until.iso8601
        secondsLeft = max(0, (Double((held.until - now).milliseconds) / 1000))
        fields = isWhole ? held.fields.map { [$0.name, $0.value] } : nil
        bodyBase64 = isWhole ? Base64.encode(held.body) : nil
        trouble = isWhole ? held.trouble : nil
    }
}
