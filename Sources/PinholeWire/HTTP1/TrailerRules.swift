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
        guard let index = fields.indices.first(where: { isForbidden(fields, $0) }) else { return }
        let name = String(decoding: fields.name(at: index), as: UTF8.self)
        throw HTTP1Failure(
            fault,
            .forbiddenTrailer,
            in: kind,
            "The trailer “\(name)” is refused: it belongs before the body (RFC 9110 §6.5.1)."
        )
    }

    /// Removes the forbidden fields, as RFC 9110 §6.5.1 lets a recipient ignore them.
    ///
    /// - Returns: Whether there was one.
    static func removeForbidden(from fields: inout HeaderFields) -> Bool {
        let positions = fields.indices.filter { isForbidden(fields, $0) }
        fields.remove(at: positions)
        return !positions.isEmpty
    }

    private static func isForbidden(_ fields: HeaderFields, _ index: Int) -> Bool {
        forbidden.contains(String(decoding: fields.name(at: index), as: UTF8.self).lowercased())
    }
}
