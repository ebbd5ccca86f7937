package import PinholeModel

/// Translates requests for a server that speaks another version than the client.
extension RequestHead {
    /// The same request for a server that speaks HTTP/1.1 (RFC 9113 §8.3.1, §8.2.3).
    ///
    /// Several Cookie fields are joined into one. Nothing is added except the framing: a body of unknown
    /// length is sent in chunks.
    ///
    /// - Returns: The head to be written. An HTTP/1 head is returned unchanged.
    /// - Throws: ``StreamHeadFailure`` for a CONNECT, which is not translated to HTTP/1.1.
    package func http1() throws(StreamHeadFailure) -> RequestHead {
        guard let stream else { return self }
        guard protocolName == nil, method != "CONNECT" else {
            throw StreamHeadFailure(
                "The server speaks HTTP/1.1, which has no CONNECT for the protocol “\(protocolName ?? "")”."
            )
        }
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount + 64)
        if let authority = stream.authority {
            lines.append("Host", authority.text(defaultPort: stream.scheme?.defaultPort ?? 0))
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
        let framing = frame(&lines)
        return RequestHead(
            method: method,
            target: target,
            fields: lines,
            framing: framing,
            exactPath: exactPath
        )
    }

    private func frame(_ lines: inout HeaderFields) -> BodyFraming {
        if let length = fields.contentLength { return .length(length) }
        if framing != .none {
            lines.append("Transfer-Encoding", "chunked")
            return .chunked
        }
        // RFC 9110 §8.6: HTTP/1 servers expect an explicit length of 0 for methods that usually have a body.
        guard ["POST", "PUT", "PATCH"].contains(method) else { return .none }
        lines.append("Content-Length", "0")
        return .length(0)
    }

    /// The same request for a server that speaks HTTP/2 (RFC 9113 §8.3.1, §8.2.2), without the fields that
    /// were only for the client's connection.
    ///
    /// - Returns: The head to be sent. An HTTP/2 head is returned unchanged.
    package func http2(scheme: Scheme, authority: Authority) -> RequestHead {
        guard stream == nil else { return self }
        let path = target.path.isEmpty ? "/" : target.path
        let hopByHop = HopByHop(fields, in: .request, keepsUpgrade: false, mergesContentLength: true)
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount + 64)
        lines.append(":method", method)
        lines.append(":scheme", scheme.rawValue)
        lines.append(":authority", authority.text(defaultPort: scheme.defaultPort))
        if let exact = OriginForm.exactTarget(of: self) {
            lines.append(":path", exact)
        } else {
            lines.append(":path", path)
        }
        for index in fields.indices
        where hopByHop.forwards(index, of: fields) && !fields.isNamed("host", at: index)
            && !fields.isNamed("transfer-encoding", at: index)
            && !fields.isNamed("http2-settings", at: index)
        {
            lines.appendLowercased(fields, index)
        }
        if hopByHop.sendsTE { lines.append("te", "trailers") }
        if case .length(let length) = framing { lines.append("content-length", String(length)) }
        let names = StreamNames(scheme: scheme, authority: authority, path: path)
        return RequestHead(method: method, stream: names, fields: lines, framing: framing)
    }

    /// The bytes to record.
    ///
    /// An HTTP/1 head is recorded byte for byte; an HTTP/2 head as a start line in the form of HTTP/1,
    /// followed by the received fields.
    ///
    /// The credentials for the proxy itself are left out, since a capture may be passed on to others.
    package var recorded: [UInt8] {
        guard stream == nil else {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(fields.byteCount + rawTarget.utf8.count + 64)
            bytes += method.utf8
            bytes.append(0x20)
            bytes += fields.pathBytes ?? Array((stream?.authority?.description ?? "*").utf8)
            bytes += " HTTP/2\r\n".utf8
            recordLines("proxy-authorization: (removed)\r\n", into: &bytes)
            return bytes
        }
        guard fields.contains("proxy-authorization") else { return raw }
        var bytes = Array(raw.prefix(through: raw.firstIndex(of: 0x0a) ?? raw.startIndex))
        recordLines("Proxy-Authorization: (removed)\r\n", into: &bytes)
        return bytes
    }

    private func recordLines(_ removed: String, into bytes: inout [UInt8]) {
        if fields.contains("proxy-authorization") {
            for index in fields.indices {
                if fields.isNamed("proxy-authorization", at: index) {
                    bytes += removed.utf8
                } else {
                    bytes += fields.line(at: index)
                }
            }
        } else {
            fields.appendSection(to: &bytes)
        }
        bytes.append(0x0d)
        bytes.append(0x0a)
    }

    /// The bytes to record for a request that a rule changed.
    package var rebuilt: [UInt8] {
        guard stream == nil else { return recorded }
        let lines = fields.indices.filter { !fields.isNamed("proxy-authorization", at: $0) }
            .map { Array(fields.line(at: $0)) }
        return Array("\(method) \(rawTarget) \(version.text)\r\n".utf8) + lines.joined() + [0x0d, 0x0a]
    }
}
