import PinholeHTTP2
package import PinholeModel
package import PinholeWire

/// Tunnels in streams of HTTP/2: the functions by which a tunnel's driver uses a stream like a socket.
///
/// Each stream has its own flow control. Bytes that a tunnel does not read get no credit, and hold up no other stream.
extension ConversationStack {
    /// The result of reading from a stream.
    package enum StreamRead: Equatable, Sendable {
        /// This number of bytes was read.
        case bytes(Int)
        /// No bytes are there now.
        case wouldBlock
        /// The client will send nothing more.
        case end
        /// The client cancelled the stream: it neither sends nor reads any more.
        case cancelled
        /// The stream was reset, or its connection has ended.
        case broken
    }

    /// The client's address.
    package var clientAddress: IPAddress { seed.value.clientAddress }

    /// Whether the client will send nothing more.
    package mutating func hasEnded(_ lane: Lane) -> Bool { ports[lane]?.hasEnded == true }

    /// Takes bytes that the client sent to a tunnel.
    ///
    /// - Parameters:
    ///   - lane: The tunnel.
    ///   - inbox: The queue that receives the bytes.
    ///   - limit: The largest number of bytes.
    /// - Returns: The result.
    package mutating func read(_ lane: Lane, into inbox: inout ByteQueue, limit: Int) -> StreamRead {
        guard let port = ports[lane], !port.isBroken else { return .broken }
        let count = client.takeBody(upTo: limit, from: lane.stream, into: &inbox)
        if count > 0 {
            client.credit(count, on: lane.stream)
            return .bytes(count)
        }
        guard port.hasEnded else { return .wouldBlock }
        return port.isCancelled ? .cancelled : .end
    }

    /// Sends bytes of a tunnel to the client, as far as its stream has room.
    ///
    /// - Parameters:
    ///   - lane: The tunnel.
    ///   - outbox: The bytes to send; those that were sent are consumed.
    /// - Returns: Whether the stream still exists.
    package mutating func write(_ lane: Lane, from outbox: inout ByteQueue) -> Bool {
        guard let port = ports[lane], !port.isGone else { return false }
        guard !outbox.isEmpty, client.unsent(on: lane.stream) <= streamLimits.outboundHighWater else {
            return true
        }
        let isOpen = try? client.sendBody(outbox.count, from: &outbox, on: lane.stream, isChunked: false)
        return isOpen == true
    }

    /// Tells the client that its tunnel is open (RFC 9113 §8.5).
    package mutating func accept(_ lane: Lane) { client.acceptTunnel(on: lane.stream) }

    /// Tells the client why no tunnel was opened.
    package mutating func refuse(_ lane: Lane, _ answer: Answer) {
        ports[lane]?.isFinished = true
        client.send(answer, body: answer.body, on: lane.stream)
    }

    /// Creates the record of a tunnel that begins now.
    package mutating func record(of lane: Lane, at now: Timestamp) -> FlowRecord {
        var inbound = flow.inbound ?? InboundTransport(handshake: nil, applicationProtocol: "h2")
        inbound.connection = flow.id
        inbound.stream = Int32(truncatingIfNeeded: lane.rawValue)
        var record = FlowRecord(
            id: FlowID(rawValue: sink.nextID()),
            opened: now,
            client: flow.client,
            listener: flow.listener
        )
        record.listenerKind = inbound.version == nil ? .http : .https
        record.inbound = inbound
        record.clientProcess = flow.clientProcess
        return record
    }

    /// Refuses a tunnel because too many are open, and records that.
    ///
    /// The refusal counts as a reset. So a client that continues to ask loses its connection before it can fill the
    /// capture.
    package mutating func decline(_ lane: Lane, _ connect: RequestHead, at now: Timestamp) {
        var record = record(of: lane, at: now)
        if case .authority(let authority) = connect.target { record.authority = authority.description }
        record.closed = now
        record.outcome = Outcome(
            .refused,
            detail:
                "the proxy has as many tunnels open as it may (limits.tunnels, \(limits.tunnels)): REFUSED_STREAM"
        )
        records.append(.flow(record))
        client.refuse(lane.stream)
        leave(lane, at: now)
    }

    /// Ends the half of a tunnel toward the client.
    package mutating func finish(_ lane: Lane) {
        guard ports[lane]?.isFinished == false else { return }
        ports[lane]?.isFinished = true
        try? client.finish(lane.stream, isChunked: false, trailers: nil)
    }

    /// Ends a tunnel.
    ///
    /// If the tunnel was not finished, it broke: the stream is reset to tell the client (RFC 9113 §8.5).
    package mutating func leave(_ lane: Lane, at now: Timestamp) {
        guard let port = ports.removeValue(forKey: lane) else { return }
        if port.isFinished {
            client.discard(lane.stream)
        } else {
            client.reset(lane.stream, .connectError)
        }
        handle(.tunnelEnded(lane), at: now)
    }

    /// Handles an event of a stream that carries a tunnel and not an exchange.
    mutating func updateTunnelStream(_ stream: HTTP2StreamID, _ change: (inout StreamPort) -> Void = { _ in })
    {
        let lane = Lane(stream)
        guard var port = ports[lane] else {
            // No tunnel reads these bytes, so the client gets its credit back.
            client.discard(stream)
            return
        }
        change(&port)
        ports[lane] = port
        driverCommands.append(.stirTunnel(lane))
    }

    mutating func openTunnel(_ lane: Lane, _ head: RequestHead) {
        guard let connect = head.connect else { return }
        ports[lane] = StreamPort()
        driverCommands.append(.openTunnel(lane, connect))
    }

    mutating func dropTunnels(isOrderly: Bool) {
        for lane in ports.keys.sorted() {
            ports[lane]?.connectionEnded(isOrderly: isOrderly)
            driverCommands.append(.stirTunnel(lane))
        }
    }
}

extension RequestHead {
    /// The CONNECT in the form of HTTP/1, by which tunnels are decided; `nil` if it names no server.
    fileprivate var connect: RequestHead? {
        guard let authority = authority(for: .https) else { return nil }
        var lines = HeaderFields()
        for index in fields.indices where !fields.isPseudo(at: index) {
            lines.append(String(decoding: fields.name(at: index), as: UTF8.self), fields.value(at: index))
        }
        return RequestHead(method: method, target: .authority(authority), fields: lines)
    }
}
