import CNghttp2
import PinholeModel

/// What goes to the peer.
extension HTTP2Channel {
    /// The bytes in a stream's outbound queue at which its writer has to wait for `drained`.
    var outboundMark: Int { isShort ? limits.outboundLowWater : limits.outboundHighWater }

    /// Marks the streams above the lowered mark, so that their writers get `drained` when they may continue.
    mutating func noteMarks() {
        for id in streams.ids {
            guard let index = streams.index(of: id), streams[index].outbound.count >= outboundMark else {
                continue
            }
            streams[index].state.insert(.isAboveHighWater)
        }
    }

    /// Notes that bytes of the outbound queue were written.
    mutating func sent(at index: Int, _ session: OpaquePointer) {
        floods.dataSent()
        resetIfDue(index, session)
        if streams[index].state.contains(.isAboveHighWater),
            streams[index].outbound.count <= limits.outboundLowWater
        {
            streams[index].state.remove(.isAboveHighWater)
            events.append(.drained(HTTP2StreamID(rawValue: streams[index].id)))
        }
    }

    /// Notes that a frame went out: one that the peer has caused, or one that others wait for.
    mutating func sent(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        if header.endsStream { finished(header, session) }
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_SETTINGS, NGHTTP2_PING, NGHTTP2_RST_STREAM: owed += header.length + 9
        case NGHTTP2_HEADERS:
            headSent(header.stream_id, session)
            if !isServer { sendPriority(of: header.stream_id, session) }
        default: break
        }
    }

    /// Tells the library that there is more to send, if it asked in vain before.
    mutating func resume(_ index: Int, _ session: OpaquePointer) {
        guard streams[index].state.remove(.deferred) != nil else { return }
        nghttp2_session_resume_data(session, streams[index].id)
    }

    /// Lets responses go on that wait for the end of their requests.
    mutating func releaseBodies(_ session: OpaquePointer) {
        for id in streams.ids {
            guard let index = streams.index(of: id), streams[index].state.remove(.bodyWaits) != nil else {
                continue
            }
            resume(index, session)
        }
    }

    /// Resets a stream that is to break off, once what there is of its message has gone out.
    func resetIfDue(_ index: Int, _ session: OpaquePointer) {
        guard let code = streams[index].breakCode, streams[index].unsentHeads == 0,
            streams[index].outbound.isEmpty
        else { return }
        nghttp2_submit_rst_stream(session, 0, streams[index].id, code.rawValue)
    }

    /// Tells a client whose response is over that no more of its request is wanted (RFC 9113 §8.1).
    mutating func declineIfDue(_ index: Int, _ session: OpaquePointer) {
        guard streams[index].state.isSuperset(of: [.declinesRest, .finished]), streams[index].tolerance <= 0,
            streams[index].state.isDisjoint(with: [.ended, .resetByPeer, .resetByCaller, .closed])
        else { return }
        streams[index].state.insert(.resetByCaller)
        nghttp2_submit_rst_stream(session, 0, streams[index].id, HTTP2ErrorCode.noError.rawValue)
    }

    /// Takes note of our END_STREAM.
    private mutating func finished(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        let type = nghttp2_frame_type(UInt32(header.type))
        guard type == NGHTTP2_DATA || type == NGHTTP2_HEADERS,
            let index = streams.index(of: header.stream_id)
        else { return }
        streams[index].state.insert(.finished)
        declineIfDue(index, session)
    }

    private mutating func headSent(_ id: Int32, _ session: OpaquePointer) {
        // Trailers are not counted: nothing breaks off behind them.
        guard let index = streams.index(of: id), streams[index].unsentHeads > 0 else { return }
        streams[index].unsentHeads -= 1
        resetIfDue(index, session)
    }

    /// Tells the server of a stream that it knows now how urgent it is.
    private mutating func sendPriority(of id: Int32, _ session: OpaquePointer) {
        guard let index = streams.index(of: id), let value = streams[index].priority.take() else { return }
        nghttp2_submit_priority_update(session, 0, id, value, value.count)
    }
}
