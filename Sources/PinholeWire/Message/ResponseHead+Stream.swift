package import PinholeModel

/// Heads in the form of HTTP/2, and responses for a client that speaks another version than the server.
extension ResponseHead {
    /// Reads a head that a peer sent over HTTP/2.
    ///
    /// - Parameters:
    ///   - fields: The fields, `:status` included.
    ///   - endsStream: Whether no body follows.
    /// - Throws: ``StreamHeadFailure`` when there is no valid status.
    package convenience init(
        stream fields: HeaderFields,
        endsStream: Bool
    ) throws(StreamHeadFailure) {
        var status: Int?
        for index in fields.indices where fields.isPseudo(at: index) {
            let value = fields.value(at: index)
            if fields.isNamed(":status", at: index), value.count == 3 {
                status = Grammar.decimal(value).map(Int.init)
            }
        }
        guard let status, status >= 100, status != 101 else {
            throw StreamHeadFailure("The response is refused: its :status is none of 100 to 999 but 101.")
        }
        let framing = endsStream || status < 200 ? .none : fields.streamFraming
        self.init(status: status, version: .http2, fields: fields, framing: framing)
    }

    /// The same response for a client that speaks HTTP/2 (RFC 9113 §8.3.2, §8.2.2), without the fields that
    /// were only for the server's connection.
    ///
    /// - Returns: The head to be sent. An HTTP/2 head is returned unchanged.
    package func http2() -> ResponseHead {
        guard version != .http2 else { return self }
        let length: Int64? = if case .length(let length) = framing { length } else { nil }
        let hopByHop = HopByHop(
            fields,
            in: .response,
            keepsUpgrade: false,
            mergesContentLength: length != nil
        )
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount + 16)
        lines.append(":status", String(status))
        for index in fields.indices
        where hopByHop.forwards(index, of: fields) && !fields.isNamed("transfer-encoding", at: index) {
            lines.appendLowercased(fields, index)
        }
        if let length { lines.append("content-length", String(length)) }
        return ResponseHead(status: status, version: .http2, raw: raw, fields: lines, framing: framing)
    }

    /// The same response for a client that speaks HTTP/1.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - version: The client's version; HTTP/1.0 has no chunks.
    ///   - isComplete: Whether no body follows.
    /// - Returns: The head to be written. An HTTP/1 head is returned unchanged, except for chunks toward HTTP/1.0.
    package func http1(to method: String, version: HTTPVersion, isComplete: Bool) -> ResponseHead {
        guard self.version == .http2 else {
            return version == .http10 && framing == .chunked ? withoutChunks() : self
        }
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount + 64)
        for index in fields.indices where !fields.isPseudo(at: index) {
            lines.append(String(decoding: fields.name(at: index), as: UTF8.self), fields.value(at: index))
        }
        let framing: BodyFraming
        if status < 200 || status == 204 || status == 304 || method == "HEAD" {
            framing = .none
        } else if let contentLength {
            framing = .length(contentLength)
        } else if isComplete {
            lines.append("Content-Length", "0")
            framing = .length(0)
        } else if version == .http11 {
            lines.append("Transfer-Encoding", "chunked")
            framing = .chunked
        } else {
            framing = .untilClose
        }
        return ResponseHead(
            status: status,
            reason: ReasonPhrase.of(status),
            version: .http11,
            fields: lines,
            framing: framing
        )
    }

    /// The bytes to record.
    ///
    /// An HTTP/1 head is recorded byte for byte; an HTTP/2 head as a status line in the form of HTTP/1,
    /// followed by the received fields.
    package var recorded: [UInt8] {
        guard version == .http2, raw.isEmpty else { return raw }
        return fields.head(ofStatus: status)
    }

    /// The bytes to record for a response that a rule changed.
    package var rebuilt: [UInt8] {
        let startLine = version == .http2 ? "HTTP/2 \(status)\r\n" : "\(version.text) \(status) \(reason)\r\n"
        return Array(startLine.utf8) + fields.section + [0x0d, 0x0a]
    }
}

extension HeaderFields {
    /// The head of an HTTP/2 response with these fields, in the form in which it is recorded.
    package func head(ofStatus status: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + 16)
        bytes += "HTTP/2 ".utf8
        bytes += String(status).utf8
        bytes.append(0x0d)
        bytes.append(0x0a)
        appendSection(to: &bytes)
        bytes.append(0x0d)
        bytes.append(0x0a)
        return bytes
    }

    /// The fields of an HTTP/2 response with `status` as the only pseudo-field.
    func lines(ofStatus status: Int) -> HeaderFields {
        var lines = HeaderFields()
        lines.reserveCapacity(byteCount + 16)
        lines.append(":status", String(status))
        for index in indices where !isPseudo(at: index) { lines.appendField(of: self, at: index) }
        return lines
    }
}
