import CNghttp2
import PinholeModel

/// The frames that come from the peer.
extension HTTP2Channel {
    /// Counts a frame when its head has been read, and checks rules that the library does not check.
    mutating func begin(_ header: nghttp2_frame_hd, _ session: OpaquePointer) {
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS:
            continuations = 0
            judgeHead(header, session)
        case NGHTTP2_CONTINUATION: countContinuation(session)
        case NGHTTP2_RST_STREAM: floods.spend(.reset)
        case NGHTTP2_SETTINGS:
            floods.spend(.settings)
            windowsBefore = (widestWindow(session), Int(initialWindow(ofPeer: session)))
        case NGHTTP2_PING: floods.spend(.ping)
        case NGHTTP2_PRIORITY:
            floods.spend(.priority)
            // The library ignores all PRIORITY frames, since we announce NO_RFC7540_PRIORITIES.
            if header.stream_id == 0 { breach(.protocolError, "PRIORITY: stream_id == 0", session) }
        case NGHTTP2_WINDOW_UPDATE: floods.spend(.windowUpdate)
        default: break
        }
    }

    /// Adds a new stream.
    mutating func open(_ id: Int32, tag: Int) {
        floods.streamOpened()
        if !awaited.isEmpty { awaited = awaited.filter { $0 > id } }
        streams.insert(HTTP2Stream(id: id, tag: tag, window: initialWindow, now: now))
    }

    /// Handles a frame that the library has accepted.
    mutating func receive(_ frame: UnsafePointer<nghttp2_frame>, _ session: OpaquePointer) {
        let header = frame.pointee.hd
        switch nghttp2_frame_type(UInt32(header.type)) {
        case NGHTTP2_HEADERS: receiveHead(header, session)
        case NGHTTP2_DATA where header.endsStream: end(header.stream_id, session)
        case NGHTTP2_RST_STREAM:
            if closed[header.stream_id] == .dropped { closed.note(.resetByPeer, of: header.stream_id) }
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
        default:
            guard let known = HTTP2ExtensionFrame(frame.pointee, limits) else { return }
            floods.spend(.extensionFrame)
            events.append(.extensionFrame(known), bytes: known.size)
        }
    }

    /// Takes received bytes of a body.
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
        // One slow stream must not hold back the others, so credit of the connection is given back at once.
        if unreleased <= waitingLimit {
            nghttp2_session_consume_connection(session, bytes.count)
        } else {
            withheld += bytes.count
        }
        events.appendData(HTTP2StreamID(rawValue: id), bytes.count)
    }

    /// Counts bytes of a request whose rest is declined.
    private mutating func decline(_ count: Int, on id: Int32, _ session: OpaquePointer) {
        guard let index = streams.index(of: id), streams[index].state.contains(.declinesRest) else { return }
        streams[index].tolerance -= count
        declineIfDue(index, session)
    }

    /// Notes why the library refuses a frame.
    ///
    /// The library then resets the stream or ends the connection.
    mutating func refuse(_ header: nghttp2_frame_hd, _ code: Int32) {
        defer { complaint = nil }
        guard nghttp2_error(code) != NGHTTP2_ERR_REFUSED_STREAM else {
            floods.spend(.reset)
            closed.note(header.endsStream ? .ended : .dropped, of: header.stream_id)
            return events.append(.streamDeclined(HTTP2StreamID(rawValue: header.stream_id)))
        }
        if header.type == UInt8(NGHTTP2_HEADERS.rawValue) { keepRefusedHead(of: header.stream_id) }
        guard header.stream_id != 0, complaints[header.stream_id] == nil else { return }
        complaints[header.stream_id] = complaint ?? String(cString: nghttp2_strerror(code))
    }

    /// Keeps the first fields of the head of a refused request, for the record.
    mutating func keepRefusedHead(of id: Int32) {
        guard isServer, refusedHeads[id] == nil, let index = streams.index(of: id),
            !streams[index].state.contains(.headReceived)
        else { return }
        head.cut()
        refusedHeads[id] = head.fields()
    }

    /// Handles the end of a stream in the library.
    ///
    /// The engine forgets the stream when the event `closed` is taken.
    mutating func close(_ id: Int32, _ code: HTTP2ErrorCode) {
        let complaint = complaints.isEmpty ? nil : complaints.removeValue(forKey: id)
        let refused = refusedHeads.isEmpty ? nil : refusedHeads.removeValue(forKey: id)
        guard let index = streams.index(of: id) else { return }
        let stream = HTTP2StreamID(rawValue: id)
        let state = streams[index].state
        streams[index].state.insert(.closed)
        closed.note(state.end, of: id)
        let code = state.contains(.headRefused) && code == .noError ? .enhanceYourCalm : code
        if state.contains(.resetByCaller) {
            // The caller reset the stream and needs no event about it.
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
            case .bytes: "expected headers of at most \(limits.headBytes) bytes, but more came"
            case .fields: "expected at most \(limits.fieldCount) headers, but more came"
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

    /// Counts the frames, while the library counts the pieces of input, which depend on how the bytes are cut.
    private mutating func countContinuation(_ session: OpaquePointer) {
        continuations += 1
        guard continuations > limits.continuations else { return }
        breach(
            .enhanceYourCalm,
            "expected at most \(limits.continuations) CONTINUATION frames in a head, but more came",
            session
        )
    }

    /// Ends the connection if SETTINGS take a window beyond its maximum (RFC 9113 §6.9.2).
    ///
    /// The library would only reset the stream.
    private mutating func checkWindows(_ session: OpaquePointer) {
        let change = Int(initialWindow(ofPeer: session)) - windowsBefore.initial
        guard windowsBefore.widest + change > Int(Int32.max) else { return }
        breach(.flowControlError, "SETTINGS: a window beyond 2^31 - 1", session)
    }

    private func initialWindow(ofPeer session: OpaquePointer) -> UInt32 {
        HTTP2SessionQuestions(session).setting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE)
    }

    private func widestWindow(_ session: OpaquePointer) -> Int {
        streams.ids.compactMap { HTTP2SessionQuestions(session).window(ofPeerOn: $0) }.max() ?? 0
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
    /// Whether the frame has the END_STREAM flag.
    var endsStream: Bool { flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 }
}

extension HTTP2Stream.State {
    /// The way in which a stream in this state was closed, from the peer's point of view.
    fileprivate var end: ClosedStreams.End {
        contains(.endedByPeer) ? .ended : contains(.resetByPeer) ? .resetByPeer : .dropped
    }
}

extension HeaderFields {
    /// Whether the status is 1xx; the library has checked that `:status` is the first field.
    fileprivate var isInterim: Bool {
        !isEmpty && isNamed(":status", at: 0) && storage[valueRange(at: 0).lowerBound] == 0x31
    }
}
