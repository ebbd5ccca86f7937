import PinholeCrypto
import PinholeModel
import PinholeStore
import PinholeWire

/// A file of packets that is being written, connection by connection.
final class PacketFile {
    let reader: CaptureReader
    private let raw: RawExport
    private let ends: TLSConversation.Ends
    private var output: FileOutput
    /// The number of connections so far, from which their first sequence numbers are made.
    private var connections: UInt32 = 0

    /// Begins the file.
    ///
    /// - Parameters:
    ///   - reader: The capture.
    ///   - descriptor: The descriptor to write to; it stays open.
    /// - Throws: ``CaptureFailure`` if the output cannot be written.
    init(_ reader: CaptureReader, to descriptor: Int32) throws(CaptureFailure) {
        self.reader = reader
        raw = RawExport(reader)
        output = FileOutput(descriptor)
        do throws(CryptoFailure) {
            ends = try TLSConversation.Ends(at: Timestamp(seconds: 0))
        } catch {
            throw Self.failure(error)
        }
        try output.append(PacketBlock.section + KeptPackets.interfaces.flatMap(PacketBlock.interface))
    }

    func append(_ blocks: [UInt8]) throws(CaptureFailure) { try output.append(blocks) }

    /// Returns the first sequence number of the next connection.
    func nextStart() -> UInt32 {
        connections &+= 1
        return TCPConversation.start(of: connections)
    }

    /// Writes what is left in memory.
    func finish() throws(CaptureFailure) { try output.flush() }

    /// Writes the exchanges of one connection.
    func write(_ items: [PacketExport.Item], of flow: FlowID) throws(CaptureFailure) {
        guard let first = items.first, let record = try reader.exchange(first.id) else { return }
        let flow = try reader.flow(flow)
        if record.requestVersion == "HTTP/2" {
            try writeStreams(items, record, flow)
        } else {
            try writeInTurn(items, flow)
        }
    }

    private func connect(
        _ record: ExchangeRecord,
        _ flow: FlowRecord?,
        _ applicationProtocol: String
    ) throws(CaptureFailure) -> SyntheticConnection {
        // The address is that of another proxy if the server was reached through one.
        let named = "\(record.authority.host):\(record.authority.port)"
        let server = flow?.nextHop == nil ? flow?.server ?? named : named
        let start = record.timings.started
        let tcp = TCPConversation(
            Self.end(flow?.client, otherwise: 1, 49_152),
            Self.end(server, otherwise: 2, record.authority.port),
            start: nextStart(),
            at: start
        )
        var tls: TLSConversation?
        if record.scheme == .https {
            do throws(CryptoFailure) {
                tls = try TLSConversation(
                    ends,
                    to: record.authority.host,
                    applicationProtocol: applicationProtocol
                )
            } catch {
                throw Self.failure(error)
            }
        }
        return try SyntheticConnection(tcp, tls, at: start, to: &output)
    }

    /// Returns the end at an address; one in the block for documentation if the text is no address.
    static func end(_ text: String?, otherwise last: UInt8, _ port: UInt16) -> TCPConversation.End {
        guard let text, let authority = try? Authority(text), case .address(let address) = authority.host
        else { return TCPConversation.End(address: [192, 0, 2, last], port: port) }
        return TCPConversation.End(address: address.bytes, port: authority.port)
    }

    private static func failure(_ failure: CryptoFailure) -> CaptureFailure {
        .output("could not make encrypted packets: \(failure)")
    }

    // MARK: HTTP/1

    /// Writes exchanges one after the other.
    private func writeInTurn(_ items: [PacketExport.Item], _ flow: FlowRecord?) throws(CaptureFailure) {
        var current: SyntheticConnection?
        for item in items {
            guard let record = try reader.exchange(item.id) else { continue }
            var connection: SyntheticConnection
            if let current {
                connection = current
            } else {
                connection = try connect(record, flow, "http/1.1")
            }
            let isReusable = try write(record, item, on: &connection)
            // What follows an unfinished message, or a switch of protocols, begins a connection of its own.
            current = isReusable ? connection : nil
            if !isReusable { try connection.close(at: record.timings.ended ?? item.answered, to: &output) }
        }
        guard let last = items.last else { return }
        try current?.close(at: last.answered, to: &output)
    }

    /// Writes an exchange, and returns whether the connection can be used for another one.
    private func write(
        _ record: ExchangeRecord,
        _ item: PacketExport.Item,
        on connection: inout SyntheticConnection
    ) throws(CaptureFailure) -> Bool {
        let request = WireHead(requestOf: record)
        let comment = "exchange \(record.id.rawValue) in Pinhole"
        try connection.send(request.bytes, from: .client, at: item.started, comment: comment, to: &output)
        try sendBody(of: record, .request, request.isChunked, at: item.started, on: &connection)
        for head in record.informational {
            let interim = WireHead(interim: head, to: record.method)
            try connection.send(interim.bytes, from: .server, at: item.answered, to: &output)
        }
        guard let response = record.response, let status = record.status else { return false }
        let head = WireHead(response: response, status: status, to: record.method)
        try connection.send(head.bytes, from: .server, at: item.answered, comment: comment, to: &output)
        try sendBody(of: record, .response, head.isChunked, at: item.answered, on: &connection)
        try sendMessages(of: record) { bytes, side, time, comment throws(CaptureFailure) in
            try connection.send(bytes, from: side, at: time, comment: comment, to: &self.output)
        }
        return record.request.body.isWhole && response.body.isWhole && !head.endsWithConnection
            && status != 101
    }

    private func sendBody(
        of record: ExchangeRecord,
        _ owner: BodyOwner,
        _ isChunked: Bool,
        at time: Timestamp,
        on connection: inout SyntheticConnection
    ) throws(CaptureFailure) {
        let side: Side = owner == .request ? .client : .server
        try raw.body(of: record, owner, isChunked: isChunked) { bytes, arrived throws(CaptureFailure) in
            try connection.send(bytes, from: side, at: arrived ?? time, to: &self.output)
        }
    }

    // MARK: HTTP/2

    /// A half of an exchange, which is sent at a moment of its own.
    private struct Half {
        let item: PacketExport.Item
        let owner: BodyOwner
        let stream: UInt32

        var time: Timestamp { owner == .request ? item.started : item.answered }
    }

    /// Writes exchanges as streams, each half at its time.
    private func writeStreams(
        _ items: [PacketExport.Item],
        _ first: ExchangeRecord,
        _ flow: FlowRecord?
    ) throws(CaptureFailure) {
        var connection = try connect(first, flow, "h2")
        let start = first.timings.started
        for side in [Side.client, .server] {
            try connection.send(HTTP2Frames.opening(of: side), from: side, at: start, to: &output)
        }
        for side in [Side.client, .server] {
            try connection.send(HTTP2Frames.acknowledgement, from: side, at: start, to: &output)
        }
        var halves: [Half] = []
        for (index, item) in items.enumerated() {
            let stream = UInt32(truncatingIfNeeded: index) &* 2 &+ 1
            halves.append(Half(item: item, owner: .request, stream: stream))
            halves.append(Half(item: item, owner: .response, stream: stream))
        }
        // Requests go before answers of the same moment, in the order of their streams.
        halves.sort { left, right in
            if left.time != right.time { return left.time < right.time }
            if left.owner != right.owner { return left.owner == .request }
            return left.stream < right.stream
        }
        for half in halves {
            guard let record = try reader.exchange(half.item.id) else { continue }
            try write(half, of: record, on: &connection)
        }
        try connection.close(at: halves.last?.time ?? start, to: &output)
    }

    private func write(
        _ half: Half,
        of record: ExchangeRecord,
        on connection: inout SyntheticConnection
    ) throws(CaptureFailure) {
        let stream = half.stream
        let comment = "exchange \(record.id.rawValue) in Pinhole"
        let side: Side = half.owner == .request ? .client : .server
        let message = half.owner == .request ? record.request : record.response
        guard let message, half.owner == .request || record.status != nil else {
            let reset = HTTP2Frames.reset(stream: stream)
            return try connection.send(reset, from: .server, at: half.time, comment: comment, to: &output)
        }
        if half.owner == .response {
            for head in record.informational {
                let fields = WireHead(interim: head, to: record.method).fields
                let frames = HTTP2Frames.headers(fields, stream: stream, endsStream: false)
                try connection.send(frames, from: side, at: half.time, to: &output)
            }
        }
        let head =
            half.owner == .request
            ? WireHead(requestOf: record)
            : WireHead(response: message, status: record.status ?? 0, to: record.method)
        let isWebSocket = record.notes.contains(.webSocket)
        let isBare = message.body.length == 0 && message.trailers.isEmpty
        let endsWithHead = isBare && message.body.isComplete && !isWebSocket
        let frames = HTTP2Frames.headers(head.fields, stream: stream, endsStream: endsWithHead)
        try connection.send(frames, from: side, at: half.time, comment: comment, to: &output)
        guard !endsWithHead else { return }
        try raw.body(of: record, half.owner, isChunked: false) { bytes, arrived throws(CaptureFailure) in
            let frames = HTTP2Frames.data(bytes, stream: stream, endsStream: false)
            try connection.send(frames, from: side, at: arrived ?? half.time, to: &self.output)
        }
        if isWebSocket {
            guard half.owner == .response else { return }
            try sendMessages(of: record) { bytes, side, time, comment throws(CaptureFailure) in
                let frames = HTTP2Frames.data(bytes, stream: stream, endsStream: false)
                try connection.send(frames, from: side, at: time, comment: comment, to: &self.output)
            }
        }
        let end =
            if !message.body.isComplete, !isWebSocket {
                HTTP2Frames.reset(stream: stream)
            } else if message.trailers.isEmpty {
                HTTP2Frames.data([], stream: stream, endsStream: true)
            } else {
                HTTP2Frames.headers(
                    HeaderFields(section: message.trailers),
                    stream: stream,
                    endsStream: true
                )
            }
        try connection.send(end, from: side, at: record.timings.ended ?? half.time, to: &output)
    }

    // MARK: WebSocket

    /// Frames the messages of a WebSocket, each in one frame.
    private func sendMessages(
        of record: ExchangeRecord,
        _ send: ([UInt8], Side, Timestamp, String?) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        guard record.notes.contains(.webSocket) else { return }
        var last: Int64 = 0
        while true {
            let page = try reader.messages(of: record.id, after: last, limit: 32)
            for message in page {
                last = message.number
                let payload = try reader.payload(of: message)
                try send(
                    Self.frame(message, payload),
                    message.sender,
                    message.started,
                    message.notes.contains(.dropped) ? "dropped by Pinhole" : nil
                )
            }
            guard page.count == 32 else { return }
        }
    }

    /// Returns the frame of a message; the bytes themselves if they are none, or must not be sent.
    private static func frame(_ message: WebSocketMessage, _ payload: [UInt8]) -> [UInt8] {
        guard let opcode = WebSocketOpcode(rawValue: message.kind.rawValue), opcode != .continuation else {
            return payload
        }
        let frame = try? WebSocketWriter.frame(
            opcode,
            payload,
            isCompressed: message.isCompressed,
            mask: message.sender == .client ? WebSocketMaskKey(0, 0, 0, 0) : nil,
            from: message.sender
        )
        return frame ?? payload
    }
}

extension BodyRecord {
    /// Whether all bytes passed and were captured.
    fileprivate var isWhole: Bool { isComplete && !isTruncated }
}
