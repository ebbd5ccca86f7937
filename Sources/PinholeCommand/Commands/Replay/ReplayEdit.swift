import PinholeClient
import PinholeModel
import PinholeRules

/// Creates requests from recorded exchanges, with the user's changes.
struct ReplayEdit: Sendable {
    private let rules: RuleBook
    private let target: ReplayTarget?
    private let keepsHost: Bool
    private let body: [UInt8]?

    /// Creates an edit.
    ///
    /// - Parameters:
    ///   - rule: A `rewriteRequest` rule; `nil` for none.
    ///   - target: The server; `nil` for the recorded one.
    ///   - keepsHost: Whether the field Host keeps the name of the recorded server.
    ///   - body: Another body; `nil` for the recorded one.
    init(rule: Rule? = nil, target: ReplayTarget? = nil, keepsHost: Bool = false, body: [UInt8]? = nil) {
        rules = RuleBook(RuleSet(rule.map { [$0] } ?? []))
        self.target = target
        self.keepsHost = keepsHost
        self.body = body
    }

    /// Whether requests get another body than the recorded one.
    var replacesBody: Bool { body != nil }

    /// Returns the reason why an exchange cannot be sent again; `nil` if it can.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - allowsIncomplete: Whether a request with an incompletely captured body is sent.
    /// - Returns: The obstacle and the remedy.
    func obstacle(_ record: ExchangeRecord, allowsIncomplete: Bool) -> String? {
        if record.notes.contains(.webSocket) {
            return "it opened a WebSocket, whose messages are not requests"
        }
        if record.notes.contains(.upgraded) || record.status == 101 {
            return "the connection became another protocol, whose messages are not requests"
        }
        if record.method == "CONNECT" || record.path == "*" {
            return "\(record.method) \(record.path) is not a request for a resource"
        }
        let body = record.request.body
        guard !replacesBody, !allowsIncomplete, body.isTruncated || !body.isComplete else { return nil }
        let part =
            body.isTruncated
            ? "\(body.capturedLength) of \(body.length) bytes of its body were captured"
            : "its body was cut off after \(body.length) bytes"
        return "\(part); --incomplete sends what there is, --body-file another one"
    }

    /// Returns the request to send.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - recorded: The captured body of its request.
    /// - Returns: The request, without fields that belong to the recorded connection.
    /// - Throws: ``ClientFailure`` if the request cannot be sent.
    func request(_ record: ExchangeRecord, body recorded: [UInt8]) throws(ClientFailure) -> ClientRequest {
        var wanted = RuleRequest(
            scheme: record.scheme,
            authority: record.authority,
            method: record.method,
            path: record.path,
            fields: fields(of: record)
        )
        if let plan = rules.plan(wanted, flow: { nil }) {
            if let badURL = plan.badURL {
                throw ClientFailure(
                    .badURL,
                    check: "request",
                    "--url-replace makes \(badURL) of \(wanted.url); expected http:// or https://, a host, a path"
                )
            }
            wanted = plan.request
        }
        if let target {
            wanted.scheme = target.scheme ?? wanted.scheme
            wanted.authority = target.authority(for: wanted.scheme) ?? wanted.authority
        }
        var lines: [(name: String, value: String)] = []
        if keepsHost {
            lines.append(("Host", record.authority.text(defaultPort: record.scheme.defaultPort)))
        }
        for index in wanted.fields.indices {
            let name = String(decoding: wanted.fields.name(at: index), as: UTF8.self)
            guard let value = String(validating: wanted.fields.value(at: index), as: UTF8.self) else {
                throw ClientFailure(
                    .badURL,
                    check: "request",
                    "the header \(name) is not UTF-8; expected one, or --remove-header \(name)"
                )
            }
            lines.append((name, value))
        }
        var request = ClientRequest(
            try ClientURL(wanted.url),
            method: wanted.method,
            fields: lines,
            body: body ?? recorded
        )
        request.addsOwnFields = false
        try request.check()
        return request
    }

    /// Returns the recorded fields that are valid on another connection.
    private func fields(of record: ExchangeRecord) -> HeaderFields {
        let recorded = record.request.fields
        let named = Set(recorded.list("connection").map { $0.lowercased() })
        var fields = HeaderFields()
        for index in recorded.indices where !recorded.isPseudo(at: index) {
            let name = String(decoding: recorded.name(at: index), as: UTF8.self).lowercased()
            // The framing fields and the server's name are written anew.
            guard !Self.ofConnection.contains(name), !named.contains(name) else { continue }
            if replacesBody, name == "content-encoding" { continue }
            fields.appendField(of: recorded, at: index)
        }
        return fields
    }

    /// Fields of one connection (RFC 9110 §7.6.1), of the message's framing, and the name of the server.
    private static let ofConnection: Set<String> = [
        "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
        "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
}
