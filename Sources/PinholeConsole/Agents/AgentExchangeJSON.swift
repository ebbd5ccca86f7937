import PinholeFormats
import PinholeModel
import PinholeStore

/// An exchange as an agent reads it: bodies as text, cut to a length.
struct AgentExchangeJSON: Encodable {
    /// A request or a response.
    struct Message: Encodable {
        let head: String
        let body: String?
        let bodyNote: String?
        let trailers: String?

        init(_ record: MessageRecord, limit: Int) {
            head = String(decoding: record.head, as: UTF8.self)
            trailers = record.trailers.isEmpty ? nil : String(decoding: record.trailers, as: UTF8.self)
            let message = Redactor.Message(head: record.head, body: record.body.inline)
            let length = record.body.length
            guard let content = message.content else {
                body = nil
                bodyNote = "\(length) bytes that cannot be decoded"
                return
            }
            guard String(validating: content.prefix(4096).dropLast(3), as: UTF8.self) != nil else {
                body = nil
                bodyNote = "\(content.count) bytes that are no text"
                return
            }
            body = content.isEmpty ? nil : String(decoding: content.prefix(limit), as: UTF8.self)
            if record.body.isTruncated {
                bodyNote = "captured: \(record.body.capturedLength) of \(length) bytes"
            } else {
                bodyNote = content.count > limit ? "the first \(limit) of \(content.count) bytes" : nil
            }
        }
    }

    /// A message of a WebSocket.
    struct Frame: Encodable {
        let sender: String
        let text: String

        init(_ entry: WebSocketTranscript.Entry, limit: Int) {
            sender = entry.message.sender.rawValue
            text = entry.text.map { String($0.prefix(limit)) } ?? "\(entry.content.count) bytes"
        }
    }

    let exchange: ExchangeJSON
    let request: Message
    let response: Message?
    let messages: [Frame]?
    let advice: String?

    /// Takes the facts of an exchange whose bodies are in its record.
    init(_ record: ExchangeRecord, _ messages: [WebSocketTranscript.Entry], limit: Int) {
        exchange = ExchangeJSON(record)
        request = Message(record.request, limit: limit)
        response = record.response.map { Message($0, limit: limit) }
        self.messages = messages.isEmpty ? nil : messages.map { Frame($0, limit: limit) }
        advice = record.remedy
    }
}
