import PinholeModel

/// Decides which fields of a message are only for this connection and are not forwarded (RFC 9110 §7.6.1).
struct HopByHop {
    private let kind: HTTP1Failure.Kind
    private let keepsUpgrade: Bool
    private let mergesContentLength: Bool
    private let nominated: [String]
    /// Whether `TE: trailers` is forwarded, also if the client has not nominated TE in Connection.
    ///
    /// The proxy forwards trailers, so it can make the same promise as the client (RFC 9110 §10.1.4). Other
    /// codings in TE concern only the client and the proxy.
    let sendsTE: Bool

    /// The fields that Connection cannot remove.
    ///
    /// They frame, route or describe the message for every recipient, and RFC 9110 §7.6.1 forbids senders to
    /// nominate them. A peer could forge messages if its Connection removed them.
    private static let endToEnd: Set<String> = [
        "authorization", "content-encoding", "content-length", "content-range", "content-type", "cookie",
        "expect", "host", "location", "set-cookie", "trailer", "transfer-encoding",
    ]

    /// Reads the Connection of a message.
    ///
    /// - Parameters:
    ///   - fields: The fields of the message.
    ///   - kind: The kind of message.
    ///   - keepsUpgrade: Whether Upgrade is forwarded.
    ///   - mergesContentLength: Whether the writer replaces Content-Length.
    init(_ fields: HeaderFields, in kind: HTTP1Failure.Kind, keepsUpgrade: Bool, mergesContentLength: Bool) {
        self.kind = kind
        self.keepsUpgrade = keepsUpgrade
        self.mergesContentLength = mergesContentLength
        var hasTE = false
        var nominated: [String] = []
        for index in fields.indices {
            switch fields.role(at: index) {
            case .te: hasTE = true
            case .connection:
                let options = ConnectionOptions(fields, at: index)
                guard !options.others.isEmpty else { continue }
                nominated += options.others.filter { !Self.endToEnd.contains($0) }
            default: break
            }
        }
        sendsTE = kind == .request && hasTE && fields.list("te", contains: "trailers")
        self.nominated = nominated
    }

    /// Whether the field at `index` of the message is forwarded unchanged.
    func forwards(_ index: Int, of fields: HeaderFields) -> Bool {
        switch fields.role(at: index) {
        case .te, .connection, .keepAlive, .proxyConnection: false
        case .upgrade: keepsUpgrade
        case .contentLength where mergesContentLength: false
        // Proxy-Authorization is not removed from a response: it comes from the server and contains no secret of ours.
        case .proxyAuthorization: kind == .response
        default: nominated.isEmpty || !nominated.contains { fields.isNamed($0, at: index) }
        }
    }
}
