import PinholeModel

/// Decides which fields of a message are for this connection only and are not forwarded (RFC 9110 §7.6.1).
struct HopByHop {
    private let fields: HeaderFields
    private let kind: HTTP1Failure.Kind
    private let keepsUpgrade: Bool
    private let mergesContentLength: Bool
    private let nominated: [String]
    /// Whether `TE: trailers` goes on.
    ///
    /// Trailers are forwarded, so we can promise what the client does
    /// (RFC 9110 §10.1.4); other codings that it names are between it and us.
    let sendsTE: Bool

    /// What Connection may nominate without effect.
    ///
    /// It frames, routes or describes the message for every recipient, and RFC 9110 §7.6.1 forbids
    /// senders to nominate it. Removing it on a peer's
    /// word would be a way to forge messages.
    private static let endToEnd: Set<String> = [
        "authorization", "content-encoding", "content-length", "content-range", "content-type", "cookie",
        "expect", "host", "location", "set-cookie", "trailer", "transfer-encoding",
    ]

    /// Reads the Connection of a message.
    ///
    /// - Parameters:
    ///   - fields: The fields of the message.
    ///   - kind: What kind of message it is.
    ///   - keepsUpgrade: Whether Upgrade goes on.
    ///   - mergesContentLength: Whether Content-Length is written anew.
    init(_ fields: HeaderFields, in kind: HTTP1Failure.Kind, keepsUpgrade: Bool, mergesContentLength: Bool) {
        self.fields = fields
        self.kind = kind
        self.keepsUpgrade = keepsUpgrade
        self.mergesContentLength = mergesContentLength
        var hasTE = false
        var nominatesTE = false
        var nominated: [String] = []
        for index in fields.indices {
            let length = fields.nameLength(at: index)
            if length == 2, fields.isNamed("te", at: index) { hasTE = true }
            guard length == 10, fields.isNamed("connection", at: index) else { continue }
            for member in fields.members(at: index) {
                // What stands there nearly always: options that are no fields, or are decided on their own.
                if Grammar.matches(member, "keep-alive") || Grammar.matches(member, "close") { continue }
                if Grammar.matches(member, "upgrade") { continue }
                let name = String(decoding: member, as: UTF8.self).lowercased()
                if name == "te" { nominatesTE = true }
                if name != "te", !Self.endToEnd.contains(name) { nominated.append(name) }
            }
        }
        sendsTE = kind == .request && hasTE && nominatesTE && fields.list("te", contains: "trailers")
        self.nominated = nominated
    }

    /// Whether the field at `index` is forwarded as it came.
    func forwards(_ index: Int) -> Bool {
        switch fields.nameLength(at: index) {
        case 2 where fields.isNamed("te", at: index): return false
        case 7 where fields.isNamed("upgrade", at: index): return keepsUpgrade
        case 10 where fields.isNamed("connection", at: index) || fields.isNamed("keep-alive", at: index):
            return false
        case 14 where mergesContentLength && fields.isNamed("content-length", at: index): return false
        case 16 where fields.isNamed("proxy-connection", at: index): return false
        // In a response Proxy-Authenticate stays: it comes from the server, and hides nothing.
        case 19 where fields.isNamed("proxy-authorization", at: index): return kind == .response
        default: return nominated.isEmpty || !nominated.contains { fields.isNamed($0, at: index) }
        }
    }
}
