import CNghttp2

/// Checks the rules for frames on streams (RFC 9113 §5.1, §5.1.1) that the library does not check.
extension HTTP2Channel {
    /// Counts a finding toward the limits of floods.
    mutating func count(_ finding: FrameWatch.Finding) {
        switch finding {
        case .data(_, isEmpty: false, endsStream: _): floods.dataReceived()
        case .data(_, isEmpty: true, let endsStream):
            if !endsStream { floods.spend(.emptyData) }
        case .priorityUpdate: floods.spend(.priority)
        // `begin` counts these frames, because the library reports them.
        case .selfDependency, .emptyCredit: break
        }
    }

    /// Whether a frame needs no check because its stream is open, as for most DATA.
    ///
    /// The answer is right only while the watch is settled.
    func isOrdinary(_ finding: FrameWatch.Finding) -> Bool {
        guard case .data(let id, isEmpty: _, endsStream: _) = finding, let index = streams.index(of: id)
        else {
            return false
        }
        return streams[index].state.isDisjoint(with: [.closed, .endedByPeer])
    }

    /// Checks a frame before its head is given to the library, which has already taken everything before it.
    mutating func judge(_ finding: FrameWatch.Finding, _ session: OpaquePointer) {
        switch finding {
        case .data(let id, isEmpty: _, let endsStream):
            judge("DATA", on: id, session)
            if endsStream { noteEnd(of: id) }
        case .selfDependency(let id): refuseDependency(of: id, session)
        // The library checks this frame itself, since the states of streams are right now.
        case .emptyCredit: break
        case .priorityUpdate(of: let id, on: let stream):
            // RFC 9218 §7.1: the frame is on stream 0, and prioritizes another stream.
            if stream != 0 {
                breach(.protocolError, "PRIORITY_UPDATE: stream_id != 0", session)
            } else if id == 0 {
                breach(.protocolError, "PRIORITY_UPDATE: prioritizing stream 0", session)
            } else {
                awaitStream(id, session)
            }
        }
    }

    /// Checks a HEADERS frame before the library takes it.
    mutating func judgeHead(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        let id = header.stream_id
        if isIdle(id) {
            if isServer, id & 1 == 1 { closed.open(id) }
            return
        }
        judge("HEADERS", on: id, session)
        if header.endsStream { noteEnd(of: id) }
    }

    /// Notes that the peer has ended a stream by END_STREAM.
    mutating func noteEnd(of id: Int32) {
        if let index = streams.index(of: id), !streams[index].state.contains(.closed) {
            streams[index].state.insert(.endedByPeer)
        } else if closed[id] == .dropped {
            closed.note(.ended, of: id)
        }
    }

    /// Refuses a PRIORITY or HEADERS frame by which a stream depends on itself (RFC 7540 §5.3.1).
    mutating func refuseDependency(of id: Int32, _ session: OpaquePointer) {
        let detail = "expected a stream that depends on another one, but stream \(id) depends on itself"
        guard !isIdle(id) else { return breach(.protocolError, detail, session) }
        if let index = streams.index(of: id), !streams[index].state.contains(.closed) {
            if complaints[id] == nil { complaints[id] = detail }
            nghttp2_submit_rst_stream(session, 0, id, HTTP2ErrorCode.protocolError.rawValue)
        } else if closed[id] != .dropped, closed[id] != .refused {
            refuse(frameOn: id, .protocolError, session)
        }
    }

    /// Ends the connection at once; no frame behind the one that broke the rule is processed.
    mutating func breach(_ code: HTTP2ErrorCode, _ detail: String, _ session: OpaquePointer) {
        guard violation == nil else { return }
        violation = (code, detail)
        nghttp2_session_terminate_session(session, code.rawValue)
    }

    /// Checks a frame that is allowed only on an open stream.
    private mutating func judge(_ name: String, on id: Int32, _ session: OpaquePointer) {
        let end: ClosedStreams.End?
        if let index = streams.index(of: id), !streams[index].state.contains(.closed) {
            guard streams[index].state.contains(.endedByPeer) else { return }
            end = .ended
        } else {
            // The library itself ends the connection for a frame on an idle stream.
            guard !isIdle(id) else { return }
            end = closed[id]
        }
        switch end {
        case .ended:
            let detail = "expected nothing more on stream \(id), which the peer has ended, but \(name) came"
            breach(.streamClosed, detail, session)
        case .resetByPeer: refuse(frameOn: id, .streamClosed, session)
        case .refused: if name == "HEADERS" { floods.spend(.reset) }
        // The peer may not have seen our RST_STREAM (RFC 9113 §5.1).
        case .dropped: break
        case nil where closed.isSkipped(id):
            let detail = "expected a stream above \(closed.latest), but \(name) came on stream \(id)"
            breach(.protocolError, detail, session)
        case nil: if name == "HEADERS" { floods.spend(.reset) }
        }
    }

    /// Answers a frame on a closed stream with RST_STREAM.
    ///
    /// Later frames on this stream are ignored, because a peer may have written many of them before it reads the
    /// answer.
    private mutating func refuse(frameOn id: Int32, _ code: HTTP2ErrorCode, _ session: OpaquePointer) {
        floods.spend(.reset)
        closed.note(.refused, of: id)
        nghttp2_submit_rst_stream(session, 0, id, code.rawValue)
    }

    /// Counts streams that get a priority before they are opened toward the limit of open streams.
    ///
    /// The library ends the connection, too, or forgets the oldest of them; which of the two depends on how the bytes
    /// are cut.
    private mutating func awaitStream(_ id: Int32, _ session: OpaquePointer) {
        guard id > closed.latest else { return }
        awaited.insert(id)
        guard streams.count + awaited.count > limits.concurrentStreams else { return }
        breach(.protocolError, "PRIORITY_UPDATE: max concurrent streams exceeded", session)
    }

    /// Whether a stream was never opened; clients open all streams, and their numbers are odd.
    private func isIdle(_ id: Int32) -> Bool { id > closed.latest || id & 1 == 0 }
}
