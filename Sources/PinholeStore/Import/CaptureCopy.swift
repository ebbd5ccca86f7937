import Glibc
package import PinholeModel

/// Copies exchanges and flows of captures into another one, with new numbers.
///
/// Everything in the capture about them is copied unchanged: heads, bodies and their times, messages, handshakes with
/// their chains, marks and comments.
package final class CaptureCopy {
    private let target: ImportTarget
    private let now: Timestamp
    private var writer: ImportWriter?
    /// The paths of the copied captures by their identity; a second copy would repeat everything.
    private var known: [CaptureIdentity: String] = [:]
    /// Called after each page with the number of copied rows, and the highest number that was read.
    package var tell: ((Int, Int64) -> Void)?
    /// The changes to what is copied, which leave kept packets out; `nil` to copy everything unchanged.
    package var changes: (any CopyChanges)?
    /// Called while a capture is read; `true` ends the copying.
    package var isCancelled: (@Sendable () -> Bool)?
    /// The number of bytes copied from the current source.
    private var copied: Int64 = 0
    /// The greatest observed size of the current source, in bytes.
    private var stored: Int64 = 0
    /// Whether nothing is open any more.
    private var isDecided = false
    /// The exchanges that are read again at the end, with their numbers in both captures.
    private var open: [(record: ExchangeID, copied: ExchangeID, flow: FlowID)] = []

    /// The numbers in their captures of the exchanges and flows that were copied.
    package private(set) var numbers: [Int64] = []
    /// Warnings about the captures that were copied.
    package private(set) var warnings: [String] = []

    /// A flow that was copied; of many, only those of which more exchanges are expected are remembered.
    private struct CopiedFlow {
        let id: FlowID
        /// The number of exchanges that are expected.
        var exchanges: Int
    }

    /// The number of flows at which those without further exchanges are forgotten.
    private var mostFlows = 1 << 14

    private static let page = 200
    /// The number of bytes that a copy of any capture may reach before it counts as damaged.
    private static let slack: Int64 = 64 << 20
    private static let messagesAtOnce = 32

    /// Creates a copy into the capture at `path`, which is created if it does not exist.
    package convenience init(into path: String, now: Timestamp) { self.init(into: .file(path), now: now) }

    /// Creates a copy into a capture.
    package init(into target: ImportTarget, now: Timestamp) {
        self.target = target
        self.now = now
    }

    /// Checks captures before anything is copied from them.
    ///
    /// - Parameter sources: The captures that will be copied.
    /// - Throws: ``CaptureFailure`` if one cannot be read, or is the same as another or as the target.
    package func check(_ sources: [String]) throws(CaptureFailure) {
        var seen = known
        for source in sources {
            let identity = try CaptureIdentity(CaptureReader(path: source))
            if let same = seen[identity] { throw .repeated(path: source, same: same) }
            if let same = try nameOfTarget(identity) { throw .repeated(path: source, same: same) }
            seen[identity] = source
        }
    }

    /// Copies the exchanges and flows that a filter selects; without a match no capture is created.
    ///
    /// - Parameters:
    ///   - source: The capture that is copied from.
    ///   - filter: The filter that selects exchanges and flows.
    /// - Returns: The number of exchanges, and of flows without exchanges.
    /// - Throws: ``CaptureFailure`` if a file cannot be read or written, or was copied already.
    package func add(_ source: String, _ filter: TrafficFilter) throws(CaptureFailure) -> Int {
        var reader = try CaptureReader(path: source)
        if let isCancelled { reader = reader.until(isCancelled) }
        let identity = try CaptureIdentity(reader)
        if let same = known[identity] { throw .repeated(path: source, same: same) }
        if let same = try nameOfTarget(identity) { throw .repeated(path: source, same: same) }
        known[identity] = source
        (copied, stored) = (0, 0)
        if let warning = reader.warning { warnings.append(warning) }
        var flows: [FlowID: CopiedFlow] = [:]
        var last: Int64 = 0
        var count = 0
        while true {
            let rows = try reader.traffic(filter, after: last, order: .oldestFirst, limit: Self.page)
            guard !rows.isEmpty else { break }
            let writer = try openWriter()
            for row in rows {
                switch row.kind {
                case .exchange(let summary):
                    guard let record = try reader.exchange(summary.id) else { continue }
                    let flow = try flow(record.flow, &flows, reader, writer)
                    try copy(record, to: flow, row.note, reader, writer)
                    numbers.append(row.id)
                case .flow(let record):
                    numbers.append(row.id)
                    guard flows[record.id] == nil else { continue }
                    _ = try flow(record.id, &flows, reader, writer)
                }
                count += 1
            }
            tell?(count, rows.last?.id ?? last)
            if isCancelled?() == true { throw .cancelled }
            guard rows.count == Self.page, let end = rows.last?.id else { break }
            guard end > last else { throw Self.isDamaged(source) }
            last = end
        }
        try copyOpen(reader)
        return count
    }

    /// Copies the exchanges for which something was open when they were read first.
    private func copyOpen(_ reader: CaptureReader) throws(CaptureFailure) {
        guard let changes else { return }
        changes.decide()
        isDecided = true
        let writer = try openWriter()
        for entry in open {
            if isCancelled?() == true { throw .cancelled }
            // Retention may have removed the exchange.
            guard var record = try reader.exchange(entry.record) else { continue }
            let original = record
            record.id = entry.copied
            record.flow = entry.flow
            Self.end(&record)
            copied = 0
            try copy(record, of: original, try reader.note(entry.record.rawValue), changes, reader, writer)
        }
        open = []
    }

    /// Gives an exchange that is still running an end.
    private static func end(_ record: inout ExchangeRecord) {
        guard record.outcome == nil else { return }
        record.outcome = .failed("it went on when it was copied")
        record.timings.ended = record.timings.ended ?? record.timings.started
    }

    /// Counts the copied bytes; a damaged file whose pages belong to many rows would otherwise fill the disk.
    private func count(_ bytes: Int, of reader: CaptureReader) throws(CaptureFailure) {
        copied = copied.addingClamped(Int64(bytes))
        guard copied > Self.slack else { return }
        stored = max(stored, reader.storedBytes)
        // Recording and retention may continue during the copy, so it may exceed the size of the capture.
        if (copied - Self.slack) / 4 > stored { throw Self.isDamaged(reader.path) }
    }

    private static func isDamaged(_ path: String) -> CaptureFailure {
        .notCapture(path: path, "it is damaged: more can be read from it than it holds")
    }

    /// Writes the remaining records, and closes the capture.
    ///
    /// - Throws: ``CaptureFailure`` if the capture cannot be written.
    package func finish() throws(CaptureFailure) {
        try writer?.finish()
        writer = nil
    }

    private func openWriter() throws(CaptureFailure) -> ImportWriter {
        if let writer { return writer }
        let opened = try ImportWriter(target, now: now)
        writer = opened
        return opened
    }

    /// Returns the path of the target if it is the capture that would be copied.
    private func nameOfTarget(_ identity: CaptureIdentity) throws(CaptureFailure) -> String? {
        guard access(target.path, F_OK) == 0 else { return nil }
        return try CaptureIdentity(CaptureReader(path: target.path)) == identity ? target.path : nil
    }

    private func flow(
        _ id: FlowID,
        _ flows: inout [FlowID: CopiedFlow],
        _ reader: CaptureReader,
        _ writer: ImportWriter
    ) throws(CaptureFailure) -> FlowID {
        if let copied = flows[id] {
            flows[id]?.exchanges -= 1
            return copied.id
        }
        // Retention may have removed the flow.
        guard let record = try reader.flow(id) else { return FlowID(rawValue: writer.nextID()) }
        let note = try reader.note(id.rawValue)
        let copied = try writer.write(
            changes?.changed(record) ?? record,
            changes?.changed(note) ?? note
        )
        // The number of exchanges of a flow that is still open is not known.
        flows[id] = CopiedFlow(id: copied, exchanges: record.closed == nil ? Int.max : record.exchanges - 1)
        if flows.count > mostFlows {
            flows = flows.filter { $0.value.exchanges > 0 }
            mostFlows = max(mostFlows, 2 * flows.count)
        }
        if changes == nil { try copyPackets(of: id, to: copied, reader, writer) }
        return copied
    }

    private func copyPackets(
        of flow: FlowID,
        to copied: FlowID,
        _ reader: CaptureReader,
        _ writer: ImportWriter
    ) throws(CaptureFailure) {
        try reader.packets(of: flow) { packet throws(CaptureFailure) in
            try count(packet.bytes.count, of: reader)
            try writer.add(.packet(packet.of(copied)))
        }
        for line in try reader.secrets(of: flow) { try writer.add(.secret(line)) }
    }

    private func copy(
        _ record: ExchangeRecord,
        to flow: FlowID,
        _ note: TrafficNote,
        _ reader: CaptureReader,
        _ writer: ImportWriter
    ) throws(CaptureFailure) {
        var copied = record
        copied.id = ExchangeID(rawValue: writer.nextID())
        copied.flow = flow
        Self.end(&copied)
        let id = copied.id
        if let changes { return try copy(copied, of: record, note, changes, reader, writer) }
        for owner in [BodyOwner.request, .response] {
            try reader.bodyPieces(record.id, owner) { bytes, arrived throws(CaptureFailure) in
                try count(bytes.count, of: reader)
                try writer.add(
                    arrived.map { .bodyPiece(id, owner, bytes, $0) } ?? .bodyPart(id, owner, bytes)
                )
                return true
            }
        }
        try count(record.contentSize, of: reader)
        try writer.add(.exchange(copied))
        writer.note(note, of: id.rawValue)
        guard record.notes.contains(.webSocket) else { return }
        var last: Int64 = 0
        while true {
            let messages = try reader.messages(of: record.id, after: last, limit: Self.messagesAtOnce)
            for message in messages {
                var whole = message
                whole.inline = try reader.payload(of: message)
                try count(whole.inline.count, of: reader)
                try writer.write(whole, of: id)
                last = message.number
            }
            guard messages.count == Self.messagesAtOnce else { return }
        }
    }
}

extension CaptureCopy {
    /// Copies an exchange with changes: its bodies and messages are changed as a whole.
    private func copy(
        _ renumbered: ExchangeRecord,
        of record: ExchangeRecord,
        _ note: TrafficNote,
        _ changes: any CopyChanges,
        _ reader: CaptureReader,
        _ writer: ImportWriter
    ) throws(CaptureFailure) {
        var whole = renumbered
        whole.request.body.inline = try reader.body(of: record, .request)
        whole.response?.body.inline = try reader.body(of: record, .response)
        try count(whole.contentSize, of: reader)
        let changed = changes.changed(whole)
        let hasMessages = record.notes.contains(.webSocket)
        if hasMessages, !isDecided {
            let transcript = WebSocketTranscript(of: record, in: reader)
            while let entry = try transcript.next() { _ = changes.changed(entry) }
        }
        if changes.endOfExchange() {
            open.append((record.id, changed.id, changed.flow))
            return
        }
        try writer.add(.exchange(changed))
        writer.note(changes.changed(note), of: changed.id.rawValue)
        guard hasMessages else { return }
        let transcript = WebSocketTranscript(of: record, in: reader)
        while let entry = try transcript.next() {
            try count(entry.content.count, of: reader)
            var message = changes.changed(entry)
            message.exchange = changed.id
            try writer.add(.webSocketMessage(message))
        }
        _ = changes.endOfExchange()
    }
}

/// The identity of a capture: the time of its creation and its extent; a copy of a capture has the same.
struct CaptureIdentity: Hashable {
    private let created: Int64
    private let last: Int64
    private let exchanges: Int

    /// Reads the identity of a capture.
    init(_ reader: CaptureReader) throws(CaptureFailure) {
        let extent = try reader.extent()
        last = extent.last
        exchanges = extent.exchanges
        created = try reader.read { db in
            try CaptureSchema.meta("created", db) ?? 0
        }
    }
}
