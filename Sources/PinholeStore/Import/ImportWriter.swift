import PinholeLock
import PinholeModel

/// Writes what is imported into a capture, with numbers of its own.
final class ImportWriter {
    private let path: String
    private let store: CaptureStore
    /// Whether nobody else records into it, so that it is closed in the end.
    private let isOwn: Bool
    private let lostBefore: Int64
    /// Bytes since somebody waited for them to be written.
    private var unwritten = 0
    private let trouble: Lock<CaptureTrouble?>
    private var flows: [String: FlowRecord] = [:]
    private var notes: [(Int64, TrafficNote)] = []

    /// As much of a body as lies in the record of its exchange.
    private static let inlineBytes = 64 << 10
    private static let partBytes = 256 << 10
    /// What others who record beside an import find before them at most.
    private static let batchBytes = 512 << 10
    /// Connections that more exchanges may be found to belong to; a file tells of them close together.
    private static let openFlows = 512

    /// Opens the capture, creating it where there is none, or writes into one that is open.
    init(_ target: ImportTarget, now: Timestamp) throws(CaptureFailure) {
        path = target.path
        let trouble = Lock<CaptureTrouble?>(nil)
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
    ///   - source: The file that it comes from.
    /// - Throws: ``CaptureFailure`` when the capture cannot be written.
    func write(_ exchange: ImportedExchange, from source: String) throws(CaptureFailure) {
        var record = exchange.record
        record.flow = flow(of: exchange, from: source)
        record.id = ExchangeID(rawValue: store.nextID())
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

    /// Writes a flow as it is, with a number of its own.
    func write(_ record: FlowRecord, _ note: TrafficNote) throws(CaptureFailure) -> FlowID {
        var record = record
        record.id = FlowID(rawValue: store.nextID())
        try add(.flow(record))
        self.note(note, of: record.id.rawValue)
        return record.id
    }

    /// A number that nothing in the capture has.
    func nextID() -> Int64 { store.nextID() }

    /// Notes a remark, which is written at the end.
    func note(_ note: TrafficNote, of id: Int64) {
        if note != TrafficNote() { notes.append((id, note)) }
    }

    /// Writes what waits, and closes the capture.
    ///
    /// - Throws: ``CaptureFailure`` when the capture cannot be written.
    func finish() throws(CaptureFailure) {
        defer { if isOwn { store.close() } }
        try writeFlows()
        store.flush()
        try check()
        guard !notes.isEmpty else { return }
        let editor = try CaptureEditor(path: path)
        for (id, note) in notes { _ = try editor.note(id) { $0 = note } }
    }

    /// Writes a message, whose payload lies in it whole.
    func write(_ message: WebSocketMessage, of id: ExchangeID) throws(CaptureFailure) {
        var message = message
        message.exchange = id
        let rest = message.inline.dropFirst(Self.inlineBytes)
        message.inline = Array(message.inline.prefix(Self.inlineBytes))
        for part in Self.pieces(rest) { try add(.webSocketPart(id, number: message.number, part)) }
        try add(.webSocketMessage(message))
    }

    private static func takeParts(of body: inout BodyRecord) -> [[UInt8]] {
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

    /// The flow of an exchange; it is written when no more can come of it.
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

    /// Writes the flows where there are many of them.
    ///
    /// - Throws: ``CaptureFailure`` when the capture cannot be written.
    func writeManyFlows() throws(CaptureFailure) {
        if flows.count >= Self.openFlows { try writeFlows() }
    }

    private func writeFlows() throws(CaptureFailure) {
        for flow in flows.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) { try add(.flow(flow)) }
        flows.removeAll(keepingCapacity: true)
    }

    /// Records an event, as soon as there is room for it.
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
