import PinholeModel

/// An exchange or a flow, as a line of the list shows it.
struct TopItem: Equatable, Sendable {
    let id: Int64
    let isFlow: Bool
    let started: Timestamp?
    let method: String
    /// The status, or the outcome in a word.
    let status: String
    let statusColour: Style.Colour?
    let host: String
    /// The path, or the reason why there is no exchange.
    let path: String
    let type: String
    let bytes: Int64
    let duration: Duration?
    let url: String
    /// Whether it still goes on.
    let isRunning: Bool
    var isMarked: Bool
    var comment: String?

    /// Reads an item of the control API; `nil` if it has no number.
    init?(_ value: JSONValue) {
        guard let id = value["id"]?.integer else { return nil }
        self.id = id
        isFlow = value["type"]?.text == "flow"
        started = (value["started"] ?? value["opened"])?.text.flatMap { try? RFC3339.read($0) }
        host = Self.host(value)
        isMarked = value["isMarked"]?.isTrue ?? false
        comment = value["comment"]?.text
        let outcome = value["outcome"]?.text
        isRunning = isFlow ? value["closed"] == nil : outcome == nil
        if isFlow {
            let isFailed = value["handshakeFailure"] != nil || outcome.map(Self.isFailure) == true
            method = value["handshakeFailure"] != nil ? "TLS" : "tunnel"
            status = isFailed ? "FAILED" : outcome == "spare" ? "SPARE" : "RELAYED"
            statusColour = isFailed ? .red : .blue
            path = isFailed ? value["detail"]?.text ?? "" : value["reason"]?.text ?? ""
            bytes = value["bytesFromServer"]?.integer ?? 0
            url = value["authority"]?.text ?? host
            duration = Self.duration(from: started, to: value["closed"]?.text)
        } else {
            method = value["method"]?.text ?? ""
            let number = value["status"]?.integer.map(Int.init(clamping:))
            status = number.map { "\($0)" } ?? Self.word(outcome)
            statusColour = number.map(Style.colour(ofStatus:)) ?? (outcome == nil ? nil : .red)
            path = value["path"]?.text ?? ""
            bytes = value["responseBytes"]?.integer ?? 0
            url = value["url"]?.text ?? ""
            duration = value["milliseconds"]?.milliseconds
        }
        let protocolName = value["protocol"]?.text
        type = protocolName == "ws" ? "ws" : value["typeWord"]?.text ?? ""
    }

    private static func isFailure(_ outcome: String) -> Bool {
        !["completed", "spare", "stopped"].contains(outcome)
    }

    private static func host(_ value: JSONValue) -> String {
        let host = value["host"]?.text ?? ""
        let usual: Int64 = value["scheme"]?.text == "http" ? 80 : 443
        guard let port = value["port"]?.integer, port != usual else { return host }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private static func word(_ outcome: String?) -> String {
        switch outcome {
        case nil: "…"
        case "aborted", "abortedByUser": "ABORTED"
        case "failed": "FAILED"
        default: "-"
        }
    }

    private static func duration(from start: Timestamp?, to end: String?) -> Duration? {
        guard let start, let end = end.flatMap({ try? RFC3339.read($0) }) else { return nil }
        return end - start
    }
}
