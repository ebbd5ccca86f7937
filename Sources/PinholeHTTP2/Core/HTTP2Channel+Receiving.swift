import CNghttp2
import PinholeModel

/// What comes from the peer.
extension HTTP2Channel {
    /// Counts a frame whose head came, and checks what the library does not.
    mutating func begin(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_DATA:
            if header.length > 0 {
                floods.dataReceived()
            } else if !header.endsStream {
                floods.spend(.emptyData)
            }
        case NGHTTP2_HEADERS: continuations = 0
        case NGHTTP2_CONTINUATION: countContinuation()
        case NGHTTP2_RST_STREAM: floods.spend(.reset)
        case NGHTTP2_SETTINGS:
            floods.spend(.settings)
            windowsBefore = (widestWindow(session), Int(initialWindow(ofPeer: session)))
        case NGHTTP2_PING: floods.spend(.ping)
        case NGHTTP2_PRIORITY:
            floods.spend(.priority)
            // The library lets all of them be, since we announce NO_RFC7540_PRIORITIES.
            if header.stream_id == 0 { violation = (.protocolError, "PRIORITY: stream_id == 0") }
        case NGHTTP2_PRIORITY_UPDATE: floods.spend(.priority)
        case NGHTTP2_WINDOW_UPDATE: floods.spend(.windowUpdate)
        default: break
        }
    }

    /// Adds a stream.
    mutating func open(_ id: Int32, tag: Int) {
        floods.streamOpened()
        awaited.after = id
        if !awaited.streams.isEmpty { awaited.streams = awaited.streams.filter { $0 > id } }
        streams.insert(HTTP2Stream(id: id, tag: tag, window: initialWindow, now: now))
    }

    /// Takes a frame that the library has accepted.
    mutating func receive(_ frame: UnsafePointer<nghttp2_frame>, _ session: OpaquePointer) {
        let header = frame.pointee.hd
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS: receiveHead(header, session)
        case NGHTTP2_DATA where header.endsStream: end(header.stream_id, session)
        case NGHTTP2_RST_STREAM:
            guard let index = streams.index(of: header.stream_id) else { return }
            streams[index].state.insert(.resetByPeer)
        case NGHTTP2_SETTINGS where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0:
            checkWindows(session)
            events.append(.settings(HTTP2Settings(remoteOf: session)))
        case NGHTTP2_GOAWAY:
            let goAway = frame.pointee.goaway
            events.append(
                .goAway(
                    last: HTTP2StreamID(rawValue: goAway.last_stream_id),
                    HTTP2ErrorCode(rawValue: goAway.error_code),
                    debugData: Array(
                        UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len)
                    )
                ),
                bytes: goAway.opaque_data_len
            )
        case NGHTTP2_PRIORITY_UPDATE: receivePriority(frame.pointee.ext)
        default: break
        }
    }

    /// Takes bytes of a body.
    mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>, on id: Int32, _ session: OpaquePointer) {
        guard let index = streams.index(of: id),
            streams[index].state.isDisjoint(with: [.resetByCaller, .declinesRest])
        else {
            nghttp2_session_consume(session, id, bytes.count)
            return decline(bytes.count, on: id, session)
        }
        streams[index].inbound.append(bytes)
        streams[index].unreleased += bytes.count
        unreleased += bytes.count
        bodyBytesReceived &+= bytes.count
        // One slow stream must not hold back the others, so the connection's credit goes back at once.
        if unreleased <= waitingLimit {
            nghttp2_session_consume_connection(session, bytes.count)
        } else {
            withheld += bytes.count
        }
        events.appendData(HTTP2StreamID(rawValue: id), bytes.count)
    }

    /// Counts bytes that nobody wants.
    private mutating func decline(_ count: Int, on id: Int32, _ session: OpaquePointer) {
        guard let index = streams.index(of: id), streams[index].state.contains(.declinesRest) else { return }
        streams[index].tolerance -= count
        declineIfDue(index, session)
    }

    /// Notes why the library refuses a frame; it resets the stream or ends the connection.
    mutating func refuse(_ header: nghttp2_frame_hd, _ code: Int32) {
        defer { complaint = nil }
        guard nghttp2_error(code) != NGHTTP2_ERR_REFUSED_STREAM else {
            floods.spend(.reset)
            return events.append(.streamDeclined(HTTP2StreamID(rawValue: header.stream_id)))
        }
        if header.type == UInt8(NGHTTP2_HEADERS.rawValue) { keepRefusedHead(of: header.stream_id) }
        guard header.stream_id != 0, complaints[header.stream_id] == nil else { return }
        complaints[header.stream_id] = complaint ?? String(cString: nghttp2_strerror(code))
    }

    /// Keeps the beginning of a request's head that is refused, for the record.
    mutating func keepRefusedHead(of id: Int32) {
        guard isServer, refusedHeads[id] == nil, let index = streams.index(of: id),
            !streams[index].state.contains(.headReceived)
        else { return }
        head.cut()
        refusedHeads[id] = head.fields()
    }

    /// Takes the end of a stream in the library; the engine's own comes when the event is asked for.
    mutating func close(_ id: Int32, _ code: HTTP2ErrorCode) {
        let complaint = complaints.isEmpty ? nil : complaints.removeValue(forKey: id)
        let refused = refusedHeads.isEmpty ? nil : refusedHeads.removeValue(forKey: id)
        guard let index = streams.index(of: id) else { return }
        let stream = HTTP2StreamID(rawValue: id)
        let state = streams[index].state
        streams[index].state.insert(.closed)
        let code = state.contains(.headRefused) && code == .noError ? .enhanceYourCalm : code
        if state.contains(.resetByCaller) {
            // Who asked for it need not be told.
        } else if code == .refusedStream, !isServer {
            events.append(.refused(stream))
        } else if state.contains(.resetByPeer) {
            events.append(.reset(stream, code, by: .peer, detail: "the peer reset the stream"))
        } else if code != .noError {
            floods.spend(.reset)
            let detail = complaint ?? "the message breaks RFC 9113 §8.1"
            if let refused {
                events.append(
                    .requestRefused(stream, refused, detail: detail),
                    bytes: refused.storage.count
                )
            }
            events.append(.reset(stream, code, by: .engine, detail: detail))
        } else {
            floods.streamCompleted()
        }
        events.append(.closed(stream))
    }

    private mutating func receiveHead(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        guard let index = streams.index(of: header.stream_id),
            !streams[index].state.contains(.resetByCaller)
        else { return }
        if let excess = head.excess {
            refuseHead(header.stream_id, excess, session)
            return
        }
        let stream = HTTP2StreamID(rawValue: header.stream_id)
        let size = head.size
        let fields = head.fields()
        if streams[index].state.contains(.headReceived) {
            events.append(.trailers(stream, fields), bytes: size)
        } else if !isServer, fields.isInterim {
            floods.spend(.interim)
            events.append(.informational(stream, fields), bytes: size)
        } else {
            streams[index].state.insert(.headReceived)
            events.append(
                isServer
                    ? .request(stream, fields, endsStream: header.endsStream)
                    : .response(stream, fields, endsStream: header.endsStream),
                bytes: size
            )
        }
        if header.endsStream { end(header.stream_id, session) }
    }

    private mutating func refuseHead(_ id: Int32, _ excess: HeadBuilder.Excess, _ session: OpaquePointer) {
        complaints[id] =
            switch excess {
            case .bytes: "expected a head of at most \(limits.headBytes) bytes, but more came"
            case .fields: "expected a head of at most \(limits.fieldCount) fields, but more came"
            }
        keepRefusedHead(of: id)
        if let index = streams.index(of: id) { streams[index].state.insert(.headRefused) }
        nghttp2_submit_rst_stream(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            id,
            HTTP2ErrorCode.enhanceYourCalm.rawValue
        )
    }

    private mutating func receivePriority(_ frame: nghttp2_extension) {
        guard
            let update = frame.payload?.assumingMemoryBound(to: nghttp2_ext_priority_update.self).pointee
        else { return }
        // RFC 9218 §7.1; the library lets it be.
        if update.stream_id == 0 { violation = (.protocolError, "PRIORITY_UPDATE: prioritizing stream 0") }
        awaitStream(update.stream_id)
        guard update.field_value_len <= limits.priorityBytes else { return }
        let value = Array(UnsafeBufferPointer(start: update.field_value, count: update.field_value_len))
        events.append(
            .priorityUpdate(HTTP2StreamID(rawValue: update.stream_id), value),
            bytes: value.count
        )
    }

    /// Holds streams that are given a priority before they are opened to the limit of open ones.
    ///
    /// The library does that too, or forgets the oldest of them, which depends on how the bytes are cut.
    private mutating func awaitStream(_ id: Int32) {
        guard id > awaited.after else { return }
        awaited.streams.insert(id)
        guard streams.count + awaited.streams.count > limits.concurrentStreams else { return }
        violation = (.protocolError, "PRIORITY_UPDATE: max concurrent streams exceeded")
    }

    /// Counts by frames; the library counts how often it looks, which depends on how the bytes are cut.
    private mutating func countContinuation() {
        continuations += 1
        guard continuations > limits.continuations else { return }
        violation = (
            .enhanceYourCalm,
            "expected at most \(limits.continuations) CONTINUATION frames in a head, but more came"
        )
    }

    /// A window that SETTINGS take beyond its maximum ends the connection (RFC 9113 §6.9.2); the library
    /// resets the stream.
    private mutating func checkWindows(_ session: OpaquePointer) {
        let change = Int(initialWindow(ofPeer: session)) - windowsBefore.initial
        guard windowsBefore.widest + change > Int(Int32.max) else { return }
        violation = (.flowControlError, "SETTINGS: a window beyond 2^31 - 1")
    }

    private func initialWindow(ofPeer session: OpaquePointer) -> UInt32 {
        nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE)
    }

    private func widestWindow(_ session: OpaquePointer) -> Int {
        streams.ids.map { Int(nghttp2_session_get_stream_remote_window_size(session, $0)) }.max() ?? 0
    }

    private mutating func end(_ id: Int32, _ session: OpaquePointer) {
        guard let index = streams.index(of: id), !streams[index].state.contains(.resetByCaller) else {
            return
        }
        streams[index].state.insert(.ended)
        if streams[index].state.remove(.bodyWaits) != nil { resume(index, session) }
        events.append(.ended(HTTP2StreamID(rawValue: id)))
    }
}

extension nghttp2_frame_hd {
    /// Whether nothing follows on the stream.
    var endsStream: Bool { flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 }
}

extension HeaderFields {
    /// Whether the status is 1xx; the library has checked that it stands first.
    fileprivate var isInterim: Bool {
        !isEmpty && isNamed(":status", at: 0) && storage[valueRange(at: 0).lowerBound] == 0x31
    }
}
