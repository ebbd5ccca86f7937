import Foundation
import PinholeContent
import PinholeModel
import PinholeStore
import Testing

/// A directory with files to be imported and the capture that they go into.
struct ImportStage {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Writes a file.
    func file(_ bytes: some Sequence<UInt8>, _ name: String = "in") throws -> String {
        let path = scratch.path + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// Imports a file.
    ///
    /// - Returns: What became of it, and why it ended early.
    func load(
        _ bytes: some Sequence<UInt8>,
        format: ImportFormat? = nil,
        limits: ImportLimits = ImportLimits()
    ) throws -> (summary: ImportSummary, failure: ImportFailure?) {
        try load(path: try file(bytes), format: format, limits: limits)
    }

    /// Imports the file at `path`.
    func load(
        path: String,
        format: ImportFormat? = nil,
        limits: ImportLimits = ImportLimits()
    ) throws -> (summary: ImportSummary, failure: ImportFailure?) {
        let traffic = TrafficImport(into: .file(scratch.capture), now: epoch, limits: limits)
        var failure: ImportFailure?
        do throws(ImportFailure) {
            try traffic.read(path, format: format)
        } catch {
            failure = error
        }
        let summary = traffic.summary
        try traffic.finish()
        return (summary, failure)
    }

    /// What the capture holds, oldest first.
    func exchanges() throws -> [ExchangeTold] {
        guard FileManager.default.fileExists(atPath: scratch.capture) else { return [] }
        return try ExchangeTold.all(in: scratch.capture)
    }
}

/// An exchange as far as it does not depend on its capture.
struct ExchangeTold: Equatable {
    var url: String
    var path: String
    var method: String
    var requestHead: String
    var requestBody: [UInt8]
    var requestTrailers: String
    var requestLength: Int64
    var status: Int?
    var responseHead: String?
    /// Decoded, where it can be.
    var content: [UInt8]
    var responseTrailers: String?
    var isComplete: [Bool]
    var outcome: ExchangeOutcome?
    var notes: Set<ExchangeNote>
    var timings: ExchangeTimings
    var clientProcess: ClientProcess?
    var proxyUser: String?
    var server: String?
    var tls: String?
    var isMarked: Bool
    var comment: String?
    var messages: [MessageTold]

    struct MessageTold: Equatable {
        var sender: Side
        var kind: WebSocketMessage.Kind
        var content: [UInt8]
        var started: Timestamp
        var notes: [WebSocketMessage.Note]
    }

    static func all(in capture: String) throws -> [ExchangeTold] {
        let reader = try CaptureReader(path: capture)
        return try reader.exchanges(order: .oldestFirst, limit: 10_000).map { summary in
            let record = try #require(try reader.exchange(summary.id))
            return try ExchangeTold(record, reader)
        }
    }

    init(_ record: ExchangeRecord, _ reader: CaptureReader) throws {
        let text = { (bytes: [UInt8]) in String(decoding: bytes, as: UTF8.self) }
        url = record.url
        path = record.path
        method = record.method
        requestHead = text(record.request.head)
        requestBody = try reader.body(of: record, .request)
        requestTrailers = text(record.request.trailers)
        requestLength = record.request.body.length
        status = record.status
        responseHead = record.response.map { text($0.head) }
        let body = try reader.body(of: record, .response)
        let codings = record.response?.fields.list("content-encoding") ?? []
        content = (try? ContentDecoder.decode(body, codings: codings)) ?? body
        responseTrailers = record.response.map { text($0.trailers) }
        isComplete = [record.request.body.isComplete, record.response?.body.isComplete ?? true]
        outcome = record.outcome
        notes = Set(record.notes)
        timings = record.timings
        let flow = try reader.flow(record.flow)
        clientProcess = flow?.clientProcess
        proxyUser = record.proxyUser
        server = flow?.server
        tls = flow?.serverHandshake?.version
        let note = try reader.note(record.id.rawValue)
        isMarked = note.isMarked
        comment = note.comment
        messages = []
        guard record.notes.contains(.webSocket) else { return }
        let transcript = WebSocketTranscript(of: record, in: reader)
        while let entry = try transcript.next() {
            messages.append(
                MessageTold(
                    sender: entry.message.sender,
                    kind: entry.message.kind,
                    content: entry.content,
                    started: entry.message.started,
                    notes: entry.message.notes
                )
            )
        }
    }
}
