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
        // The head of a response to HEAD may announce chunks that do not follow.
        let hasBody = message.body.length > 0 || (record.method != "HEAD" && message.body.isComplete)
        try append(message.body.inline, isChunked, to: &output)
        if message.body.capturedLength > message.body.inline.count {
            try reader.bodyParts(record.id, owner) { part throws(CaptureFailure) in
                try append(part, isChunked, to: &output)
                return true
            }
        }
        if isChunked, hasBody, message.body.isComplete, !message.body.isTruncated {
            try output.append(Array("0\r\n".utf8) + message.trailers + [0x0d, 0x0a])
        }
        try output.flush()
    }

    private func append(
        _ bytes: [UInt8],
        _ isChunked: Bool,
        to output: inout FileOutput
    ) throws(CaptureFailure) {
        guard isChunked else { return try output.append(bytes) }
        guard !bytes.isEmpty else { return }
        try output.append(Array("\(String(bytes.count, radix: 16))\r\n".utf8))
        try output.append(bytes)
        try output.append([0x0d, 0x0a])
    }
}
