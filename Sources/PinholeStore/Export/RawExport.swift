package import PinholeModel

/// Writes the bytes of a message as a peer would send them.
///
/// The head and the trailers are the received bytes. The body is the captured part. A chunked body was recorded without
/// its framing, so it is framed again to match the head. Each recorded piece becomes a chunk, and the last chunk is
/// written only if the message was complete.
package struct RawExport: Sendable {
    private let reader: CaptureReader

    /// Creates an export from `reader`.
    package init(_ reader: CaptureReader) { self.reader = reader }

    /// Writes one message of an exchange.
    ///
    /// - Parameters:
    ///   - record: The exchange, as the reader returned it.
    ///   - owner: The request or the response (with interim responses before it).
    ///   - descriptor: The descriptor to write to; it stays open.
    /// - Throws: ``CaptureFailure`` if reading or writing fails.
    package func write(
        _ record: ExchangeRecord,
        _ owner: BodyOwner,
        to descriptor: Int32
    ) throws(CaptureFailure) {
        guard let message = owner == .request ? record.request : record.response else { return }
        var output = FileOutput(descriptor)
        if owner == .response { for head in record.informational { try output.append(head) } }
        try output.append(message.head)
        let isChunked = message.fields.list("transfer-encoding", contains: "chunked")
        try body(of: record, owner, isChunked: isChunked) { bytes, _ throws(CaptureFailure) in
            try output.append(bytes)
        }
        try output.flush()
    }

    /// Reads the captured bytes of a body in the framing of HTTP/1, with the last chunk and the trailers.
    ///
    /// - Parameters:
    ///   - record: The exchange, as the reader returned it.
    ///   - owner: The message of the body.
    ///   - isChunked: Whether each recorded piece becomes a chunk.
    ///   - use: Called with each piece, and with the time of its arrival if the body is a stream.
    /// - Throws: ``CaptureFailure`` if the file cannot be read, or the error of `use`.
    package func body(
        of record: ExchangeRecord,
        _ owner: BodyOwner,
        isChunked: Bool,
        _ use: ([UInt8], Timestamp?) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        guard let message = owner == .request ? record.request : record.response else { return }
        // The head of a response to HEAD may announce chunks that do not follow.
        let hasBody = message.body.length > 0 || (record.method != "HEAD" && message.body.isComplete)
        try use(Self.framed(message.body.inline, isChunked), nil)
        if message.body.capturedLength > message.body.inline.count {
            try reader.bodyPieces(record.id, owner) { part, arrived throws(CaptureFailure) in
                try use(Self.framed(part, isChunked), arrived)
                return true
            }
        }
        if isChunked, hasBody, message.body.isComplete, !message.body.isTruncated {
            try use(Array("0\r\n".utf8) + message.trailers + [0x0d, 0x0a], nil)
        }
    }

    private static func framed(_ bytes: [UInt8], _ isChunked: Bool) -> [UInt8] {
        guard isChunked, !bytes.isEmpty else { return bytes }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a]
    }
}
