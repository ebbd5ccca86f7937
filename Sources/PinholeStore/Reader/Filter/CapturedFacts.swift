import PinholeContent
import PinholeFilter
import PinholeModel

/// The facts about an exchange of a capture, read when a filter asks for them.
struct CapturedFacts: FilterFacts {
    private let reader: CaptureReader
    private var light: RecordFacts
    /// The exchange with its heads, without bodies; `nil` until a filter needs it.
    private var heads: ExchangeRecord?
    private var bodies: [TextField.Part: TextFacts] = [:]
    private var hasNote = false
    private let flows: FlowMemory
    private let page: ContentPage

    /// The number of bytes of WebSocket messages that are searched; the limit is that of a body.
    private static let messageLimit = ContentDecoder.limit

    init(_ exchange: ExchangeRecord, _ reader: CaptureReader, _ flows: FlowMemory, _ page: ContentPage) {
        self.reader = reader
        self.page = page
        self.flows = flows
        light = RecordFacts(exchange: exchange, flow: nil)
    }

    mutating func truth(of flag: FilterFlag) throws(CaptureFailure) -> Truth {
        if flag == .marked { try loadNote() }
        try load(flag.source)
        return facts(flag.source).truth(of: flag)
    }

    mutating func texts(of field: TextField) throws(CaptureFailure) -> TextFacts {
        if field == .comment || field == .marker { try loadNote() }
        try load(field.source)
        switch field {
        case .body(let part): return try knownBody(part)
        case .graphQL(let fact): return fact.texts(light.exchange?.path ?? "", try knownBody(.request))
        default: return facts(field.source).texts(of: field)
        }
    }

    private mutating func knownBody(_ part: TextField.Part) throws(CaptureFailure) -> TextFacts {
        if let known = bodies[part] { return known }
        let texts = try body(part)
        bodies[part] = texts
        return texts
    }

    mutating func number(of field: NumberField) throws(CaptureFailure) -> NumberFact {
        try load(field.source)
        return light.number(of: field)
    }

    private func facts(_ source: FactSource) -> RecordFacts {
        source < .heads ? light : RecordFacts(exchange: heads, flow: nil)
    }

    private mutating func loadNote() throws(CaptureFailure) {
        guard let exchange = light.exchange, !hasNote else { return }
        let note = try reader.note(exchange.id.rawValue)
        (light.isMarked, light.comment, hasNote) = (note.isMarked, note.comment, true)
    }

    private mutating func load(_ source: FactSource) throws(CaptureFailure) {
        guard let exchange = light.exchange else { return }
        if source == .flow, light.flow == nil { light.flow = try flows.flow(exchange.flow, reader) }
        // Retention may have removed the exchange since; then it has no heads.
        if source == .heads, heads == nil { heads = try page.record(exchange.id, reader) ?? exchange }
    }

    private func body(_ part: TextField.Part) throws(CaptureFailure) -> TextFacts {
        guard let exchange = light.exchange,
            // The pieces of a stream that is still running are not in its record.
            let record = try exchange.outcome == nil
                ? reader.exchange(exchange.id) : page.whole(exchange.id, reader)
        else { return TextFacts([], isComplete: false) }
        let isOver = record.outcome != nil
        var facts = TextFacts([])
        if part != .response {
            facts.values += try content(record, .request, record.request)
            facts.isComplete = isOver || record.request.body.isComplete
        }
        if part != .request {
            if let response = record.response { facts.values += try content(record, .response, response) }
            facts.isComplete = facts.isComplete && (isOver || record.response?.body.isComplete == true)
        }
        if record.notes.contains(.webSocket) {
            facts.values += try messages(record, part)
            facts.isComplete = isOver
        }
        return facts
    }

    /// Returns the body without its content codings, or as it was sent if it cannot be decoded.
    ///
    /// A text in another encoding than UTF-8 is in both, since a filter may look for characters or for bytes.
    private func content(
        _ record: ExchangeRecord,
        _ owner: BodyOwner,
        _ message: MessageRecord
    ) throws(CaptureFailure) -> [[UInt8]] {
        let bytes = try reader.body(of: record, owner)
        guard !bytes.isEmpty else { return [] }
        let stream = ContentStream(codings: message.fields.list("content-encoding"))
        stream.append(bytes)
        let content = stream.failure != nil && stream.content.isEmpty ? bytes : stream.content
        let text = DeclaredCharset(message.fields.first("content-type"), of: content)?.utf8(of: content)
        return [content] + (text.map { [$0] } ?? [])
    }

    private func messages(
        _ record: ExchangeRecord,
        _ part: TextField.Part
    ) throws(CaptureFailure) -> [[UInt8]] {
        let transcript = WebSocketTranscript(of: record, in: reader)
        var contents: [[UInt8]] = []
        var length = 0
        while length < Self.messageLimit, let entry = try transcript.next() {
            let isSent = entry.message.sender == .client
            guard part == .either || isSent == (part == .request) else { continue }
            contents.append(entry.content)
            length += entry.content.count
        }
        return contents
    }
}
