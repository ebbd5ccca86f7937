import PinholeModel

/// A recorded request that is sent again, as the control API reads it.
struct RepeatedRequest: Encodable, Equatable, Sendable {
    let method: String
    let url: String
    let fields: [[String]]
    let through: String
    let wantsID = false
    /// The exchange whose body is sent; `nil` if it has none.
    let bodyOf: Int64?

    /// Fields that the client writes itself.
    private static let own: Set = [
        "content-length", "transfer-encoding", "connection", "proxy-connection", "keep-alive", "expect", "te",
        "host",
    ]

    /// Creates the request of an exchange.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - throughProxy: Whether it goes through the proxy, so that it is recorded; otherwise it goes to the server.
    init(_ record: ExchangeRecord, throughProxy: Bool) {
        let lines = record.request.fields
        fields = lines.indices.filter { !lines.isPseudo(at: $0) }.compactMap { index in
            let name = String(decoding: lines.name(at: index), as: UTF8.self)
            guard !name.isEmpty, !Self.own.contains(name.lowercased()) else { return nil }
            return [name, String(decoding: lines.value(at: index), as: UTF8.self)]
        }
        method = record.method
        url = record.url
        through = throughProxy ? "proxy" : "direct"
        bodyOf = record.request.body.length > 0 ? record.id.rawValue : nil
    }

    /// Whether the request asks for nothing to be changed (RFC 9110 §9.2.1).
    var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}
