import CNghttp2

/// A frame of an extension of HTTP/2 (RFC 9113 §5.5) that the engine reads; it ignores all others.
package enum HTTP2ExtensionFrame: Sendable, Equatable {
    /// A client changed the priority of a stream (RFC 9218 §7); the bytes are its priority field value.
    case priorityUpdate(HTTP2StreamID, [UInt8])
    /// A server named other servers for the origin of a request (ALTSVC, RFC 7838 §4).
    case alternativeService(HTTP2StreamID)
}

extension HTTP2ExtensionFrame {
    /// The types of these frames, which the library ignores unless it is told to read them.
    static var types: [nghttp2_frame_type] { [NGHTTP2_PRIORITY_UPDATE, NGHTTP2_ALTSVC] }

    /// Reads a frame that the library has accepted; `nil` for other frames, and for values beyond the limits.
    init?(_ frame: nghttp2_frame, _ limits: HTTP2Limits) {
        let payload = frame.ext.payload
        switch nghttp2_frame_type(UInt32(frame.hd.type)) {
        case NGHTTP2_PRIORITY_UPDATE:
            guard let update = payload?.assumingMemoryBound(to: nghttp2_ext_priority_update.self).pointee,
                update.field_value_len <= limits.priorityBytes
            else { return nil }
            let value = UnsafeBufferPointer(start: update.field_value, count: update.field_value_len)
            self = .priorityUpdate(HTTP2StreamID(rawValue: update.stream_id), Array(value))
        case NGHTTP2_ALTSVC: self = .alternativeService(HTTP2StreamID(rawValue: frame.hd.stream_id))
        default: return nil
        }
    }

    /// The number of bytes of the peer that the value holds.
    var size: Int {
        switch self {
        case .priorityUpdate(_, let value): value.count
        case .alternativeService: 0
        }
    }
}
