import CNghttp2
import PinholeModel

/// The frames that go to the peer.
extension HTTP2Channel {
    /// The number of bytes in a stream's outbound queue at which its writer must wait for the event `drained`.
    var outboundMark: Int { isShort ? limits.outboundLowWater : limits.outboundHighWater }

    /// Marks the streams above the outbound mark, which may just have been lowered, so that their writers get
    /// `drained`.
    mutating func noteMarks() {
        for id in streams.ids {
            guard let index = streams.index(of: id), streams[index].outbound.count >= outboundMark else {
                continue
            }
            streams[index].state.insert(.isAboveHighWater)
        }
    }

    /// Notes that bytes of a stream's outbound queue were written.
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

    /// Notes that a frame was written, if it answers the peer or if other frames wait for it.
    mutating func sent(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        if header.endsStream { finished(header, session) }
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_SETTINGS, NGHTTP2_PING, NGHTTP2_RST_STREAM: owed += header.length + 9
        case NGHTTP2_HEADERS:
            headSent(header.stream_id, session)
            if !isServer {
                closed.open(header.stream_id)
                sendPriority(of: header.stream_id, session)
            }
        default: break
        }
    }

    /// Tells the library that a stream has more to send, if the library asked before and got nothing.
    mutating func resume(_ index: Int, _ session: OpaquePointer) {
        guard streams[index].state.remove(.deferred) != nil else { return }
        nghttp2_session_resume_data(session, streams[index].id)
    }

    /// Continues the responses that wait for the end of their requests.
    mutating func releaseBodies(_ session: OpaquePointer) {
        for id in streams.ids {
            guard let index = streams.index(of: id), streams[index].state.remove(.bodyWaits) != nil else {
                continue
            }
            resume(index, session)
        }
    }

    /// Resets a stream whose message broke off, once all of its heads and waiting bytes were written.
    func resetIfDue(_ index: Int, _ session: OpaquePointer) {
        guard let code = streams[index].breakCode, streams[index].unsentHeads == 0,
            streams[index].outbound.isEmpty
        else { return }
        nghttp2_submit_rst_stream(session, 0, streams[index].id, code.rawValue)
    }

    /// Resets a client's stream whose request is no longer wanted, once its response is complete (RFC 9113 §8.1).
    mutating func declineIfDue(_ index: Int, _ session: OpaquePointer) {
        guard streams[index].state.isSuperset(of: [.declinesRest, .finished]), streams[index].tolerance <= 0,
            streams[index].state.isDisjoint(with: [.ended, .resetByPeer, .resetByCaller, .closed])
        else { return }
        streams[index].state.insert(.resetByCaller)
        nghttp2_submit_rst_stream(session, 0, streams[index].id, HTTP2ErrorCode.noError.rawValue)
    }

    /// Notes that we have sent END_STREAM.
    private mutating func finished(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        let type = nghttp2_frame_type(UInt32(header.type))
        guard type == NGHTTP2_DATA || type == NGHTTP2_HEADERS,
            let index = streams.index(of: header.stream_id)
        else { return }
        streams[index].state.insert(.finished)
        declineIfDue(index, session)
    }

    private mutating func headSent(_ id: Int32, _ session: OpaquePointer) {
        // Trailers are not counted, because no stream breaks off behind them.
        guard let index = streams.index(of: id), streams[index].unsentHeads > 0 else { return }
        streams[index].unsentHeads -= 1
        resetIfDue(index, session)
    }

    /// Sends the priority of a stream that the server knows now, because the head of its request was written.
    private mutating func sendPriority(of id: Int32, _ session: OpaquePointer) {
        guard let index = streams.index(of: id), let value = streams[index].priority.take() else { return }
        nghttp2_submit_priority_update(session, 0, id, value, value.count)
    }
}
