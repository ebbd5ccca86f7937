import PinholeModel

/// The fields that must not stand in a trailer section (RFC 9110 §6.5.1).
enum TrailerRules {
    /// The fields that frame or route a message, authenticate, or describe the body.
    ///
    /// If a recipient merged one of them into the head, it would see another message than its neighbour.
    private static let forbidden: Set<String> = [
        "authorization", "connection", "content-encoding", "content-length", "content-range", "content-type",
        "cookie", "expect", "host", "keep-alive", "max-forwards", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade", "www-authenticate",
    ]

    /// Throws a failure if the trailers contain a forbidden field.
    static func check(
        _ fields: HeaderFields,
        in kind: HTTP1Failure.Kind,
        _ fault: HTTP1Failure.Fault
    ) throws(HTTP1Failure) {
        for index in fields.indices {
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            guard forbidden.contains(name.lowercased()) else { continue }
            throw HTTP1Failure(
                fault,
                .forbiddenTrailer,
                in: kind,
                "The trailer field “\(name)” is refused: it belongs into the head (RFC 9110 §6.5.1)."
            )
        }
    }
}
