package import PinholeModel

/// The head of a response as HTTP/2 carries it: `:status`, then fields (RFC 9113 §8.3.2).
///
/// It does not change, as ``StreamRequestHead`` does not.
package final class StreamResponseHead: Sendable {
    /// All fields as they came, `:status` included, in their order.
    package let fields: HeaderFields
    /// The status, 100 to 999.
    package let status: Int
    /// The status that was received, where a rule has changed it.
    package let receivedStatus: Int
    /// The length that Content-Length states.
    package let contentLength: Int64?
    /// What is recorded for a head that came in HTTP/1; `nil` for one of HTTP/2.
    private let raw: [UInt8]?

    /// Reads a head that came from a peer.
    ///
    /// - Parameter fields: The fields, `:status` included.
    /// - Throws: ``StreamHeadFailure`` where there is no status.
    package convenience init(_ fields: HeaderFields) throws(StreamHeadFailure) {
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
        self.init(fields: fields, status: status, raw: nil)
    }

    /// Translates a response of HTTP/1 (RFC 9113 §8.3.2, §8.2.2).
    package convenience init(_ head: ResponseHead) {
        let length: Int64? = if case .length(let length) = head.framing { length } else { nil }
        let hopByHop = HopByHop(
            head.fields,
            in: .response,
            keepsUpgrade: false,
            mergesContentLength: length != nil
        )
        var fields = HeaderFields()
        fields.reserveCapacity(head.raw.count + 16)
        fields.append(":status", String(head.status))
        for index in head.fields.indices
        where hopByHop.forwards(index) && !head.fields.isNamed("transfer-encoding", at: index) {
            fields.appendLowercased(head.fields, index)
        }
        if let length { fields.append("content-length", String(length)) }
        self.init(fields: fields, status: head.status, raw: head.raw)
    }

    private init(fields: HeaderFields, status: Int, received: Int? = nil, raw: [UInt8]?) {
        self.fields = fields
        self.status = status
        receivedStatus = received ?? status
        self.raw = raw
        contentLength = fields.indices.first { fields.isNamed("content-length", at: $0) }
            .flatMap { Grammar.decimal(fields.value(at: $0)) }
    }

    /// Whether this is an interim response, after which another one follows.
    package var isInformational: Bool { status < 200 }

    /// The bytes that are recorded: a status line as HTTP/1 would have it, then every field as it came.
    package var recorded: [UInt8] {
        raw ?? Array("HTTP/2 \(status)\r\n".utf8) + fields.section + [0x0d, 0x0a]
    }

    /// The same head without Alt-Svc, which would lead the client past the proxy (RFC 7838 §3).
    ///
    /// - Returns: The head; `nil` when there is no such field. What is recorded does not change.
    package func withoutAltSvc() -> StreamResponseHead? {
        guard fields.contains("alt-svc") else { return nil }
        var fields = fields
        fields.removeAll(named: "alt-svc")
        return StreamResponseHead(fields: fields, status: status, received: receivedStatus, raw: recorded)
    }

    /// The same response as a rule changed it.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields; those that frame the body, and `:status`, as they came.
    /// - Returns: The head that is sent on. What is recorded does not change.
    package func changed(status: Int, fields: HeaderFields) -> StreamResponseHead {
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount)
        lines.append(":status", String(status))
        for index in fields.indices where !fields.isPseudo(at: index) {
            lines.appendField(of: fields, at: index)
        }
        return StreamResponseHead(fields: lines, status: status, received: receivedStatus, raw: recorded)
    }

    /// The same response for a client that speaks HTTP/1.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - version: The version of the client; HTTP/1.0 knows no chunks.
    ///   - isComplete: Whether no body follows.
    /// - Returns: The head, ready to be written.
    package func http1(to method: String, version: HTTPVersion, isComplete: Bool) -> ResponseHead {
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
}

extension StreamResponseHead: Equatable {
    /// Whether both say the same in the same bytes.
    package static func == (left: StreamResponseHead, right: StreamResponseHead) -> Bool {
        left === right || left.fields == right.fields
    }
}
