import CNghttp2
import PinholeModel

/// What goes to the peer.
extension HTTP2Channel {
    /// Notes that bytes of the outbound queue were written.
    mutating func sent(at index: Int) {
        floods.dataSent()
        if streams[index].state.contains(.isAboveHighWater),
            streams[index].outbound.count <= limits.outboundLowWater
        {
            streams[index].state.remove(.isAboveHighWater)
            events.append(.drained(HTTP2StreamID(rawValue: streams[index].id)))
        }
    }

    /// Notes that a frame went out: one that the peer has caused, or one that others wait for.
    mutating func sent(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_SETTINGS, NGHTTP2_PING, NGHTTP2_RST_STREAM: owed += header.length + 9
        case NGHTTP2_HEADERS: if !isServer { sendPriority(of: header.stream_id, session) }
        default: break
        }
    }

    /// Tells the server of a stream that it knows now how urgent it is.
    private mutating func sendPriority(of id: Int32, _ session: OpaquePointer) {
        guard let index = streams.index(of: id), let value = streams[index].priority.take() else { return }
        nghttp2_submit_priority_update(session, 0, id, value, value.count)
    }
}
