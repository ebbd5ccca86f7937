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

    /// Notes that a frame went out that the peer has caused.
    mutating func sent(_ header: nghttp2_frame_hd) {
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_SETTINGS, NGHTTP2_PING, NGHTTP2_RST_STREAM: owed += header.length + 9
        default: break
        }
    }
}
