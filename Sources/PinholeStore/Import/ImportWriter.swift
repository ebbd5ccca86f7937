import PinholeContent
import PinholeLock
import PinholeModel

/// Writes imported exchanges into a capture, with new numbers.
final class ImportWriter {
    private let path: String
    private let store: CaptureStore
    /// Whether this object opened the capture, and therefore closes it at the end.
    private let isOwn: Bool
    private let lostBefore: Int64
    /// The number of bytes since the last wait for the writer.
    private var unwritten = 0
    private let trouble: Lock<CaptureProblem?>
    private var flows: [String: FlowRecord] = [:]
    private var notes: [(Int64, TrafficNote)] = []

    /// The number of bytes of a body that are stored in the record of its exchange.
    private static let inlineBytes = 64 << 10
    private static let partBytes = 256 << 10
    /// The largest number of unwritten bytes that an import puts before events of a recording.
    private static let batchBytes = 512 << 10
    /// The number of connections that are kept open for further exchanges; in a file these are close together.
    private static let openFlows = 512

    /// Opens the capture, creating it if it does not exist, or uses one that is open.
    init(_ target: ImportTarget, now: Timestamp) throws(CaptureFailure) {
        path = target.path
        let trouble = Lock<CaptureProblem?>(nil)
        switch target {
        case .file(let path):
            var options = CaptureStore.Options(path: path)
            options.isUnordered = true
            store = try CaptureStore.open(options, now: now) { report in trouble.withLock { $0 = report } }
            isOwn = true
        case .live(let store):
            try store.noteDisorder()
            self.store = store
            isOwn = false
        }
        self.trouble = trouble
        lostBefore = store.lostEvents
    }

    /// Writes an exchange.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - source: The name of the file that contains it.
    /// - Throws: ``CaptureFailure`` if the capture cannot be written.
    func write(_ exchange: ImportedExchange, from source: String) throws(CaptureFailure) {
        var record = exchange.record
        record.flow = flow(of: exchange, from: source)
        record.id = ExchangeID(rawValue: store.nextID())
        if let response = record.response { record.noteResponse(response.fields) }
        record.graphQL = record.operations
        let close = exchange.messages.first { $0.kind == .close }?.closeStatus
        record.protocolStatus = close.map { .webSocket(close: Int64($0)) }
        record.noteProtocolStatus(isOwn: false) { bytes, codings, isBase64 in
            let stream = ContentStream(codings: codings, isBase64: isBase64)
            stream.append(bytes)
            return stream.failure == nil ? stream.content : nil
        }
        for part in Self.takeParts(of: &record.request.body) {
            try add(.bodyPart(record.id, .request, part))
        }
        if var response = record.response {
            for part in Self.takeParts(of: &response.body) { try add(.bodyPart(record.id, .response, part)) }
            record.response = response
        }
        try add(.exchange(record))
        for message in exchange.messages { try write(message, of: record.id) }
        note(exchange.note, of: record.id.rawValue)
    }

    /// Writes a flow with a new number, and returns the number.
    func write(_ record: FlowRecord, _ note: TrafficNote) throws(CaptureFailure) -> FlowID {
        var record = record
        record.id = FlowID(rawValue: store.nextID())
        try add(.flow(record))
        self.note(note, of: record.id.rawValue)
        return record.id
    }

    /// Returns a number that nothing else in the capture has.
    func nextID() -> Int64 { store.nextID() }

    /// Keeps a mark or comment, which is written at the end.
    func note(_ note: TrafficNote, of id: Int64) {
        if note != TrafficNote() { notes.append((id, note)) }
    }

    /// Writes the remaining events, and closes the capture if it was opened here.
    ///
    /// - Throws: ``CaptureFailure`` if the capture cannot be written.
    func finish() throws(CaptureFailure) {
        defer { if isOwn { store.close() } }
        try writeFlows()
        store.flush()
        try check()
        guard !notes.isEmpty else { return }
        let editor = try CaptureEditor(path: path)
        for (id, note) in notes { _ = try editor.note(id) { $0 = note } }
    }

    /// Writes a message that contains its whole payload.
    func write(_ message: WebSocketMessage, of id: ExchangeID) throws(CaptureFailure) {
        var message = message
        message.exchange = id
        let rest = message.inline.dropFirst(Self.inlineBytes)
        message.inline = Array(message.inline.prefix(Self.inlineBytes))
        for part in Self.pieces(rest) { try add(.webSocketPart(id, number: message.number, part)) }
        try add(.webSocketMessage(message))
    }

    /// Removes the bytes of a body that are too many for its record, and returns them in parts.
    static func takeParts(of body: inout BodyRecord) -> [[UInt8]] {
        let rest = body.inline.dropFirst(inlineBytes)
        guard !rest.isEmpty else { return [] }
        body.inline = Array(body.inline.prefix(inlineBytes))
        return pieces(rest)
    }

    private static func pieces(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: partBytes).map { start in
            Array(bytes[start..<min(start + partBytes, bytes.endIndex)])
        }
    }

    /// Returns the flow of an exchange; it is written once no more exchanges are expected.
    private func flow(of exchange: ImportedExchange, from source: String) -> FlowID {
        let record = exchange.record
        let ended = record.timings.ended ?? record.timings.started
        let key = exchange.connection.key ?? "\(record.scheme) \(record.authority) alone \(flows.count)"
        if var flow = flows[key] {
            flow.opened = min(flow.opened, record.timings.started)
            flow.closed = max(flow.closed ?? ended, ended)
            flow.exchanges += 1
            flows[key] = flow
            return flow.id
        }
        var flow = FlowRecord(
            id: FlowID(rawValue: store.nextID()),
            opened: record.timings.started,
            client: exchange.connection.client ?? "unknown",
            listener: "unknown"
        )
        flow.closed = ended
        flow.clientProcess = exchange.connection.clientProcess
        flow.proxyUser = record.proxyUser
        flow.authority = record.authority.description
        flow.treatment = record.scheme == .https ? .intercepted : .plain
        flow.reason = "imported from \(source)"
        flow.server = exchange.connection.server
        flow.clientHandshake = exchange.connection.clientHandshake
        flow.serverHandshake = exchange.connection.serverHandshake
        flow.exchanges = 1
        flow.outcome = Outcome(.completed, detail: "imported")
        flows[key] = flow
        return flow.id
    }

    /// Writes the open flows if there are too many of them.
    ///
    /// - Throws: ``CaptureFailure`` if the capture cannot be written.
    func writeManyFlows() throws(CaptureFailure) {
        if flows.count >= Self.openFlows { try writeFlows() }
    }

    private func writeFlows() throws(CaptureFailure) {
        for flow in flows.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) { try add(.flow(flow)) }
        flows.removeAll(keepingCapacity: true)
    }

    /// Records an event; waits for the writer if too much is unwritten.
    func add(_ event: FlowEvent) throws(CaptureFailure) {
        store.record([event])
        unwritten += event.memorySize
        guard store.isCongested || !isOwn && unwritten >= Self.batchBytes else { return }
        unwritten = 0
        store.flush()
        try check()
    }

    private func check() throws(CaptureFailure) {
        guard store.lostEvents > lostBefore else { return }
        guard isOwn else {
            throw .database(path: path, "recording has stopped, since it could not be written")
        }
        guard case .stopped(let standstill) = trouble.withLock(\.self) else {
            throw .database(path: path, "it was closed")
        }
        throw .database(path: path, standstill.reason)
    }
}
