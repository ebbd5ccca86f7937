import PinholeModel

extension StreamRequestHead {
    /// The same request for a server that speaks HTTP/1.1 (RFC 9113 §8.3.1, §8.2.3).
    ///
    /// Crumbs of Cookie become one field. What was not there is not made up, but for the framing: a body
    /// of unknown length goes out in chunks.
    ///
    /// - Parameter isComplete: Whether no body follows.
    /// - Returns: The head, ready to be written.
    /// - Throws: ``StreamHeadFailure`` for an extended CONNECT, which HTTP/1.1 does not know.
    package func http1(isComplete: Bool) throws(StreamHeadFailure) -> RequestHead {
        guard protocolName == nil, method != "CONNECT" else {
            throw StreamHeadFailure(
                "The server speaks HTTP/1.1, which has no CONNECT for the protocol “\(protocolName ?? "")”."
            )
        }
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount + 64)
        if let authority {
            let standard = Scheme(rawValue: scheme ?? "")?.defaultPort ?? 0
            lines.append("Host", authority.text(defaultPort: standard))
        }
        var cookie: [UInt8] = []
        for index in fields.indices where !fields.isPseudo(at: index) {
            if fields.isNamed("host", at: index) || fields.isNamed("te", at: index) { continue }
            if fields.isNamed("cookie", at: index) {
                if !cookie.isEmpty { cookie += [0x3b, 0x20] }
                cookie += fields.value(at: index)
            } else {
                lines.append(
                    String(decoding: fields.name(at: index), as: UTF8.self),
                    fields.value(at: index)
                )
            }
        }
        if !cookie.isEmpty { lines.append("cookie", cookie) }
        if fields.list("te", contains: "trailers") {
            lines.append("TE", "trailers")
            lines.append("Connection", "TE")
        }
        let framing = frame(&lines, isComplete: isComplete)
        return RequestHead(
            method: method,
            target: path == "*" ? .asterisk : .origin(path ?? "/"),
            fields: lines,
            framing: framing,
            exactPath: path?.utf8.contains(0xef) == true ? pathBytes : nil
        )
    }

    private func frame(_ lines: inout HeaderFields, isComplete: Bool) -> BodyFraming {
        if let contentLength { return .length(contentLength) }
        if !isComplete {
            lines.append("Transfer-Encoding", "chunked")
            return .chunked
        }
        // RFC 9110 §8.6: servers of HTTP/1 want to be told that there is no body where there could be one.
        guard ["POST", "PUT", "PATCH"].contains(method) else { return .none }
        lines.append("Content-Length", "0")
        return .length(0)
    }
}
