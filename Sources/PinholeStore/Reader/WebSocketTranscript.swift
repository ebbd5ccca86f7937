import PinholeContent
package import PinholeModel

/// Reads the messages of a WebSocket one after the other, decoded.
///
/// A transcript always begins with the first message, because compressed messages may refer to earlier ones.
package final class WebSocketTranscript {
    /// A message in readable form.
    package struct Entry: Sendable {
        /// The record of the message.
        package let message: WebSocketMessage
        /// The captured part of the payload, decoded; as it was sent if it cannot be decoded.
        package let content: [UInt8]
        /// The reason why the payload is not decoded; `nil` if it is, or if it needs no decoding.
        package let trouble: String?

        /// Creates an entry.
        package init(message: WebSocketMessage, content: [UInt8], trouble: String?) {
            self.message = message
            self.content = content
            self.trouble = trouble
        }

        /// The content as text; `nil` if it is not text.
        package var text: String? {
            guard trouble == nil, message.kind == .text else { return nil }
            if let text = String(validating: content, as: UTF8.self) { return text }
            guard message.isTruncated || !message.isComplete else { return nil }
            // A message that was cut off may end within a character, with up to three bytes of it.
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

    /// The number of messages in one read; each row has up to 64 KiB.
    private static let pageSize = 32

    /// Creates a transcript before the first message.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that opened the WebSocket.
    ///   - reader: The capture.
    package init(of exchange: ExchangeRecord, in reader: CaptureReader) {
        self.reader = reader
        self.exchange = exchange.id
        inflater = WebSocketInflater(WebSocketAgreement(answer: exchange.response?.fields ?? HeaderFields()))
    }

    /// Returns the next message.
    ///
    /// - Returns: The message; `nil` after the last.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package func next() throws(CaptureFailure) -> Entry? {
        if page.isEmpty, !isOver {
            page = try reader.messages(of: exchange, after: last, limit: Self.pageSize)[...]
            isOver = page.count < Self.pageSize
        }
        guard let message = page.popFirst() else { return nil }
        // Retention has removed the messages in between.
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
