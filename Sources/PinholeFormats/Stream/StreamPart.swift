import PinholeContent
import PinholeModel
import PinholeWire

/// A body of a streamed exchange, which is divided into messages.
struct StreamPart {
    private let owner: BodyOwner
    private let body: StreamBody
    private let format: StreamFormat?
    private let decoder: ProtobufDecoder
    /// The full name of the messages' type; `nil` if no descriptor has it.
    private let type: String?
    /// The encoding of messages in frames: `proto`, `json` or another one.
    private let codec: String
    /// The coding of compressed frames.
    private let encoding: String
    /// The bytes that all further compressed frames together may decompress to.
    private var room = ContentDecoder.limit

    init(
        _ record: ExchangeRecord,
        _ owner: BodyOwner,
        _ body: StreamBody,
        _ format: StreamFormat?,
        _ schema: ProtobufSchema?
    ) {
        self.owner = owner
        self.body = body
        self.format = format
        decoder = ProtobufDecoder(schema)
        let method = schema?.method(path: record.path)
        type = owner == .request ? method?.request : method?.response
        let fields = (owner == .request ? record.request : record.response)?.fields ?? HeaderFields()
        let essence = fields.first("content-type")?.lowercased().prefix { $0 != ";" && $0 != " " } ?? ""
        codec = essence.split(separator: "+").dropFirst().first.map(String.init) ?? "proto"
        encoding =
            (fields.first(format == .connect ? "connect-content-encoding" : "grpc-encoding") ?? "identity")
            .lowercased()
    }

    /// Divides the body into messages.
    ///
    /// - Parameter limit: The maximum count of messages that are decoded; further ones are only counted.
    /// - Returns: The decoded messages, and the count of all messages.
    mutating func read(_ limit: Int) -> (entries: [StreamEntry], count: Int) {
        guard let format, var cutter = StreamCutter(body.content, format) else {
            let pieces = body.pieces
            return (pieces.prefix(limit).map(piece), pieces.count)
        }
        var entries: [StreamEntry] = []
        var count = 0
        while let message = cutter.next() {
            count += 1
            if entries.count < limit { entries.append(entry(message, cutter.payload(of: message))) }
        }
        return (entries, count)
    }

    private func piece(_ range: Range<Int>) -> StreamEntry {
        StreamEntry(
            owner: owner,
            kind: "piece",
            offset: range.lowerBound,
            length: range.count,
            time: body.time(at: range.lowerBound),
            content: StreamEntry.plain(body.content[range])
        )
    }

    private mutating func entry(_ message: StreamMessage, _ payload: ArraySlice<UInt8>) -> StreamEntry {
        var entry = StreamEntry(
            owner: owner,
            kind: message.kind,
            offset: message.offset,
            length: message.length,
            time: body.time(at: message.offset + message.length - 1),
            content: .bytes([])
        )
        entry.isComplete = message.isComplete
        entry.trouble = message.trouble
        switch message.content {
        case .event(let event): entry.content = .event(event)
        case .record: readJSON(payload, into: &entry)
        case .frame(let frame) where message.isComplete: read(frame, payload, into: &entry)
        case .frame, .unread: entry.content = StreamEntry.plain(payload)
        }
        return entry
    }

    private mutating func read(
        _ frame: StreamFrame,
        _ payload: ArraySlice<UInt8>,
        into entry: inout StreamEntry
    ) {
        var payload = payload
        if frame.isCompressed {
            entry.compression = encoding
            guard let decoded = decompress(payload, into: &entry) else {
                entry.content = .bytes(Array(payload))
                return
            }
            payload = decoded[...]
        }
        switch frame.role {
        case .trailers: entry.content = .trailers(HeaderFields(section: payload))
        case .endOfStream: readJSON(payload, into: &entry)
        case .message where codec == "proto":
            do throws(ProtobufFailure) {
                entry.content = .protobuf(try decoder.members(payload, type: type))
            } catch {
                entry.content = StreamEntry.plain(payload)
                entry.trouble = entry.trouble ?? "it is not a message of Protocol Buffers: \(error)"
            }
        case .message where codec == "json": readJSON(payload, into: &entry)
        case .message: entry.content = StreamEntry.plain(payload)
        }
    }

    private mutating func decompress(
        _ payload: ArraySlice<UInt8>,
        into entry: inout StreamEntry
    ) -> [UInt8]? {
        guard encoding != "identity" else {
            entry.trouble = "it is flagged as compressed, and no header names the coding"
            return nil
        }
        do throws(ContentDecoder.Failure) {
            let content = try ContentDecoder.decode(Array(payload), codings: [encoding], limit: room)
            room -= content.count
            return content
        } catch {
            if case .tooLong = error { room = 0 }
            entry.trouble = "it is not decompressed: \(error)"
            return nil
        }
    }

    private func readJSON(_ bytes: ArraySlice<UInt8>, into entry: inout StreamEntry) {
        do throws(DocumentFailure) {
            _ = try JSONValue(parsing: Array(bytes))
            entry.content = .json(String(decoding: bytes, as: UTF8.self))
        } catch {
            entry.content = StreamEntry.plain(bytes)
            entry.trouble = entry.trouble ?? "it is not JSON: \(error)"
        }
    }
}

extension StreamMessage {
    fileprivate var kind: String {
        switch content {
        case .event: "event"
        case .record: "record"
        case .frame(let frame):
            switch frame.role {
            case .message: "message"
            case .trailers: "trailers"
            case .endOfStream: "endOfStream"
            }
        case .unread: "unread"
        }
    }
}
