import PinholeHTTP2
package import PinholeModel
package import PinholeWire

/// Tunnels in streams: what the driver of one does with its client's end, as with a socket.
///
/// Each stream has its own flow control: what a tunnel does not read is not released, and holds nobody else up.
extension MultiplexStack {
    /// What came of reading from a stream.
    package enum StreamRead: Equatable, Sendable {
        /// That many bytes came.
        case bytes(Int)
        /// Nothing is there now.
        case wouldBlock
        /// The client sends nothing more.
        case end
        /// The client gave the stream up: it takes nothing more, either.
        case cancelled
        /// The stream was reset, or its connection is gone.
        case broken
    }

    /// The flow of the connection.
    package var flow: FlowRecord { mutating get { machine.flow } }

    /// The client's address.
    package var clientAddress: IPAddress { mutating get { machine.clientAddress } }

    /// Whether the client has sent all that it wants to.
    package mutating func hasEnded(_ lane: Lane) -> Bool { ports[lane]?.hasEnded == true }

    /// Takes what the client sent to a tunnel.
    ///
    /// - Parameters:
    ///   - lane: The tunnel.
    ///   - inbox: Receives the bytes.
    ///   - limit: How many at most.
    /// - Returns: What came of it.
    package mutating func read(_ lane: Lane, into inbox: inout ByteQueue, limit: Int) -> StreamRead {
        guard let session, let port = ports[lane], !port.isBroken else { return .broken }
        let count = session.take(upTo: limit, from: lane.stream, into: &inbox)
        if count > 0 {
            session.release(count, on: lane.stream)
            return .bytes(count)
        }
        guard port.hasEnded else { return .wouldBlock }
        return port.isCancelled ? .cancelled : .end
    }

    /// Sends the client what a tunnel has for it, as far as there is room in its stream.
    ///
    /// - Parameters:
    ///   - lane: The tunnel.
    ///   - outbox: What it has; what is sent is consumed.
    /// - Returns: Whether the stream is still there.
    package mutating func write(_ lane: Lane, from outbox: inout ByteQueue) -> Bool {
        guard let session, let port = ports[lane], !port.isGone else { return false }
        guard !outbox.isEmpty, session.pendingOutput(lane.stream) <= streamLimits.outboundHighWater else {
            return true
        }
        return session.send(outbox.count, from: &outbox, on: lane.stream)
    }

    /// Tells the client that its tunnel stands (RFC 9113 §8.5).
    package mutating func accept(_ lane: Lane) {
        var fields = HeaderFields()
        fields.append(":status", "200")
        respond(lane, fields, body: nil)
    }

    /// Tells the client why it gets no tunnel.
    package mutating func refuse(_ lane: Lane, _ answer: Answer) {
        ports[lane]?.isFinished = true
        respond(lane, answer.streamFields, body: answer.body)
    }

    /// The record of a tunnel that begins now.
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

    /// Takes no tunnel that was asked for, since there are too many, and records that.
    ///
    /// That counts as a reset: who goes on asking loses the connection before the capture is full of it.
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
        session?.refuse(lane.stream)
        leave(lane, at: now)
    }

    /// Sends the client nothing more from a tunnel.
    package mutating func finish(_ lane: Lane) {
        guard ports[lane]?.isFinished == false else { return }
        ports[lane]?.isFinished = true
        _ = try? session?.finish(lane.stream)
    }

    /// A tunnel is over.
    ///
    /// One that was not finished broke: the client is told so by a reset (RFC 9113 §8.5).
    package mutating func leave(_ lane: Lane, at now: Timestamp) {
        guard let port = ports.removeValue(forKey: lane) else { return }
        if port.isFinished {
            session?.discard(lane.stream)
        } else {
            session?.reset(lane.stream, .connectError)
        }
        handle(.tunnelEnded(lane), at: now)
    }

    /// Takes note of what came in a stream that is no exchange.
    mutating func tookNote(_ stream: HTTP2StreamID, _ change: (inout StreamPort) -> Void = { _ in }) {
        let lane = Lane(stream)
        guard var port = ports[lane] else {
            // Nobody reads any more: the client gets its credit back.
            session?.discard(stream)
            return
        }
        change(&port)
        ports[lane] = port
        actions.append(.stirTunnel(lane))
    }

    mutating func openTunnel(_ lane: Lane, _ head: RequestHead) {
        guard let connect = head.connect else { return }
        ports[lane] = StreamPort()
        actions.append(.openTunnel(lane, connect))
    }

    mutating func dropTunnels(isOrderly: Bool) {
        for lane in ports.keys.sorted() {
            ports[lane]?.connectionEnded(isOrderly: isOrderly)
            actions.append(.stirTunnel(lane))
        }
    }
}

extension RequestHead {
    /// The CONNECT as HTTP/1 has it, which tunnels are decided by; `nil` where no server is named.
    fileprivate var connect: RequestHead? {
        guard let authority = authority(for: .https) else { return nil }
        var lines = HeaderFields()
        for index in fields.indices where !fields.isPseudo(at: index) {
            lines.append(String(decoding: fields.name(at: index), as: UTF8.self), fields.value(at: index))
        }
        return RequestHead(method: method, target: .authority(authority), fields: lines)
    }
}
