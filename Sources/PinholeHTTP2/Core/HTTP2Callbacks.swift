import CNghttp2
import PinholeModel

/// The callback functions of nghttp2.
///
/// They append to the session's ``HTTP2Channel`` and do nothing else.
enum HTTP2Callbacks {
    /// Creates the table of callbacks, which a session copies.
    static func make() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, frameBegan)
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, headBegan)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, fieldReceived)
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, fieldRefused)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frameReceived)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, dataReceived)
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, frameRefused)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClosed)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, frameSent)
        nghttp2_session_callbacks_set_send_data_callback(callbacks, sendData)
        nghttp2_session_callbacks_set_error_callback2(callbacks, complained)
        return callbacks
    }

    /// Tells the library how many bytes of a body can be sent.
    static let readBody: nghttp2_data_source_read_callback = {
        session,
        stream,
        _,
        length,
        flags,
        _,
        channel in
        guard let channel = target(channel), let flags,
            let index = channel.pointee.streams.index(of: stream)
        else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        let waiting = channel.pointee.streams[index].outbound.count
        let state = channel.pointee.streams[index].state
        let isFinishing = state.contains(.finishing)
        guard waiting > 0 || isFinishing, !state.contains(.bodyWaits) else {
            channel.pointee.streams[index].state.insert(.deferred)
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_NO_COPY.rawValue)
        guard isFinishing, waiting <= length else { return min(waiting, length) }
        flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
        if let trailers = channel.pointee.streams[index].trailers.take() {
            flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue)
            _ = trailers.withNameValues { nghttp2_submit_trailer(session, stream, $0.baseAddress, $0.count) }
        }
        return waiting
    }

    private static let frameBegan: nghttp2_on_begin_frame_callback = { session, header, channel in
        guard let channel = target(channel), let header = header?.pointee, let session else { return 0 }
        channel.pointee.begin(header, session)
        return 0
    }

    private static let headBegan: nghttp2_on_begin_headers_callback = { session, frame, channel in
        guard let channel = target(channel), let frame = frame?.pointee, let session else { return 0 }
        let stream = frame.hd.stream_id
        channel.pointee.head.begin()
        if frame.headers.cat == NGHTTP2_HCAT_REQUEST {
            channel.pointee.open(stream, tag: 0)
            if frame.hd.endsStream { channel.pointee.noteEnd(of: stream) }
        } else if frame.headers.pri_spec.stream_id == stream {
            channel.pointee.refuseDependency(of: stream, session)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        return 0
    }

    private static let fieldReceived: nghttp2_on_header_callback = {
        _,
        _,
        name,
        nameCount,
        value,
        valueCount,
        flags,
        channel in
        guard let channel = target(channel) else { return 0 }
        channel.pointee.head.append(
            name: UnsafeBufferPointer(start: name, count: nameCount),
            value: UnsafeBufferPointer(start: value, count: valueCount),
            isNeverIndexed: flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0,
            maximumSize: channel.pointee.limits.headBytes,
            maximumCount: channel.pointee.limits.fieldCount
        )
        return 0
    }

    /// Refuses the message, because a field whose name or value contains forbidden characters makes it malformed (RFC
    /// 9113 §8.2.1).
    ///
    /// The library would only omit the field.
    private static let fieldRefused: nghttp2_on_invalid_header_callback = {
        _,
        frame,
        name,
        nameCount,
        _,
        _,
        _,
        channel in
        guard let channel = target(channel), let frame else { return 0 }
        let name = HTTP2Text.excerpt(UnsafeBufferPointer(start: name, count: nameCount))
        channel.pointee.complaints[frame.pointee.hd.stream_id] =
            "expected a field of plain characters, but the name or the value of \(name) holds others"
        channel.pointee.keepRefusedHead(of: frame.pointee.hd.stream_id)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    private static let frameReceived: nghttp2_on_frame_recv_callback = { session, frame, channel in
        guard let channel = target(channel), let session, let frame else { return 0 }
        channel.pointee.receive(frame, session)
        return 0
    }

    private static let dataReceived: nghttp2_on_data_chunk_recv_callback = {
        session,
        _,
        stream,
        bytes,
        count,
        channel in
        guard let channel = target(channel), let session else { return 0 }
        channel.pointee.receive(UnsafeBufferPointer(start: bytes, count: count), on: stream, session)
        return 0
    }

    private static let frameRefused: nghttp2_on_invalid_frame_recv_callback = { _, frame, code, channel in
        guard let channel = target(channel), let frame = frame?.pointee else { return 0 }
        channel.pointee.refuse(frame.hd, code)
        return 0
    }

    private static let streamClosed: nghttp2_on_stream_close_callback = { _, stream, code, channel in
        target(channel)?.pointee.close(stream, HTTP2ErrorCode(rawValue: code))
        return 0
    }

    private static let frameSent: nghttp2_on_frame_send_callback = { session, frame, channel in
        guard let channel = target(channel), let session, let frame = frame?.pointee else { return 0 }
        channel.pointee.sent(frame.hd, session)
        if frame.hd.type == UInt8(NGHTTP2_GOAWAY.rawValue), frame.goaway.error_code != 0 {
            let reason = UnsafeBufferPointer(
                start: frame.goaway.opaque_data,
                count: frame.goaway.opaque_data_len
            )
            let complaint =
                channel.pointee.violation?.detail ?? channel.pointee.complaint
                ?? "the peer broke the protocol"
            channel.pointee.fail(
                HTTP2ErrorCode(rawValue: frame.goaway.error_code),
                reason.isEmpty ? complaint : String(decoding: reason, as: UTF8.self)
            )
        }
        return 0
    }

    /// Writes a DATA frame: the nine bytes of its head, and the body directly from the stream's queue.
    private static let sendData: nghttp2_send_data_callback = {
        session,
        frame,
        head,
        length,
        _,
        channel in
        guard let channel = target(channel), let session, let frame else { return 0 }
        guard let output = channel.pointee.output, output.pointee.count < channel.pointee.outputLimit else {
            return NGHTTP2_ERR_WOULDBLOCK.rawValue
        }
        guard let index = channel.pointee.streams.index(of: frame.pointee.hd.stream_id) else {
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        output.pointee.append(UnsafeBufferPointer(start: head, count: 9))
        channel.pointee.streams[index].outbound.move(length, to: &output.pointee)
        channel.pointee.outboundBytes -= length
        channel.pointee.sent(at: index, session)
        return 0
    }

    private static let complained: nghttp2_error_callback2 = { _, _, text, count, channel in
        guard let channel = target(channel), let text else { return 0 }
        channel.pointee.complaint = HTTP2Text.complaint(
            UnsafeRawBufferPointer(start: text, count: count)
        )
        return 0
    }

    private static func target(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<HTTP2Channel>? {
        pointer?.assumingMemoryBound(to: HTTP2Channel.self)
    }
}
