import PinholeContent
package import PinholeModel

/// Reads the messages of a WebSocket one after the other, decoded.
///
/// It has to begin with the first: compressed messages may refer to earlier ones.
package final class WebSocketTranscript {
    /// A message as people want to read it.
    package struct Entry: Sendable {
        /// Its record.
        package let message: WebSocketMessage
        /// What was captured of the payload, decoded; as it was sent where that cannot be done.
        package let content: [UInt8]
        /// Why it is not decoded; `nil` where it is, or needs not be.
        package let trouble: String?

        /// The content as text; `nil` for what is no text, or cannot be shown as one.
        package var text: String? {
            guard trouble == nil, message.kind == .text else { return nil }
            if let text = String(validating: content, as: UTF8.self) { return text }
            guard message.isTruncated || !message.isComplete else { return nil }
            // What was cut off may end within a character, of which up to three bytes are there.
            let tail = content.suffix(3)
            guard let start = tail.lastIndex(where: { $0 >= 0xc2 && $0 <= 0xf4 }) else { return nil }
            return String(validating: content[..<start], as: UTF8.self)
        }
    }

    private let reader: CaptureReader
    private let exchange: ExchangeID
    private let inflater: WebSocketInflater
    private var page: ArraySlice<WebSocketMessage> = []
    private var last: Int64 = 0
    private var isOver = false

    /// Rows that are asked for at once; each has up to 64 KiB.
    private static let pageSize = 32

    /// Creates a transcript that stands before the first message.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened the WebSocket.
    ///   - reader: The capture.
    package init(of exchange: ExchangeRecord, in reader: CaptureReader) {
        self.reader = reader
        self.exchange = exchange.id
        inflater = WebSocketInflater(WebSocketAgreement(answer: exchange.response?.fields ?? HeaderFields()))
    }

    /// The next message.
    ///
    /// - Returns: The message; `nil` after the last.
    /// - Throws: ``CaptureFailure`` when the file cannot be read.
    package func next() throws(CaptureFailure) -> Entry? {
        if page.isEmpty, !isOver {
            page = try reader.messages(of: exchange, after: last, limit: Self.pageSize)[...]
            isOver = page.count < Self.pageSize
        }
        guard let message = page.popFirst() else { return nil }
        // Retention has removed what was between them.
        if message.number != last + 1 { inflater.loseContext() }
        last = message.number
        let payload = try reader.payload(of: message)
        do throws(WebSocketInflater.Failure) {
            return Entry(
                message: message,
                content: try inflater.content(payload, of: message),
                trouble: nil
            )
        } catch {
            return Entry(message: message, content: payload, trouble: error.description)
        }
    }
}
