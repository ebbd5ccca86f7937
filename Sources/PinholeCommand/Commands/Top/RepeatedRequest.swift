import PinholeModel

/// A recorded request that is sent again, for the control API.
struct RepeatedRequest {
    /// The method as it was recorded.
    let method: String
    /// The document for `POST /api/send`.
    let body: String

    /// Fields that the client writes itself.
    private static let own: Set = [
        "content-length", "transfer-encoding", "connection", "proxy-connection", "keep-alive", "expect", "te",
        "host",
    ]

    /// Creates the request from an exchange in full; `nil` if that has no request with a URL.
    ///
    /// - Parameters:
    ///   - document: The exchange, as the control API tells it.
    ///   - id: Its number.
    ///   - throughProxy: Whether it goes through the proxy, so that it is recorded; otherwise it goes to the server.
    init?(_ document: JSONValue, id: Int64, throughProxy: Bool) {
        guard let method = document["exchange"]?["method"]?.text,
            let url = document["exchange"]?["url"]?.text,
            let head = document["request"]?["head"]?.text
        else { return nil }
        let fields = head.split(separator: "\r\n").dropFirst().compactMap { line -> JSONValue? in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            let name = String(line[..<colon])
            guard !Self.own.contains(name.lowercased()) else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return .array([.string(name), .string(String(value))])
        }
        var members: [String: JSONValue] = [
            "method": .string(method), "url": .string(url), "fields": .array(fields),
            "through": .string(throughProxy ? "proxy" : "direct"), "wantsID": .boolean(false),
        ]
        if document["request"]?["bodyBytes"]?.integer ?? 0 > 0 { members["bodyOf"] = .integer(id) }
        var json = JSONText()
        json.value(.object(members))
        self.method = method
        body = String(decoding: json.bytes, as: UTF8.self)
    }

    /// Whether the request asks for nothing to be changed (RFC 9110 §9.2.1).
    var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}
