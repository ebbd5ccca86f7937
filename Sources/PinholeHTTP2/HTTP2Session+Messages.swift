import CNghttp2
package import PinholeModel

/// The verbs that send messages. They fill queues; ``write(into:limit:)`` makes frames of them.
///
/// A peer may end a stream at any time, so a verb on a stream that is gone does nothing and says `false`.
extension HTTP2Session {
    /// Sends the head of a request.
    ///
    /// It waits while the server has as many streams open as it takes.
    ///
    /// - Parameters:
    ///   - fields: All fields, the pseudo-fields first. Upper case in names becomes lower case.
    ///   - tag: A number of the caller's, for ``tag(of:)``.
    ///   - endsStream: Whether no body and no trailers follow.
    /// - Returns: The new stream.
    /// - Throws: ``HTTP2Failure`` when the fields must not be sent, or no stream can be opened any more.
    package func request(
        _ fields: HeaderFields,
        tag: Int = 0,
        endsStream: Bool
    ) throws(HTTP2Failure) -> HTTP2StreamID {
        guard role == .client else { throw .misuse("a server sends no requests") }
        guard failure == nil, nghttp2_session_check_request_allowed(session) != 0 else {
            throw .misuse(
                "expected a connection that takes requests, but it is shutting down",
                .refusedStream
            )
        }
        try fields.checkSendable(as: .request)
        let id = fields.withNameValues {
            nghttp2_submit_request(session, nil, $0.baseAddress, $0.count, endsStream ? nil : provider, nil)
        }
        guard id > 0 else { throw .library(id) }
        channel.pointee.open(id, tag: tag)
        opened(id, endsStream)
        return HTTP2StreamID(rawValue: id)
    }

    /// Sends an interim response (1xx) on a client's stream.
    ///
    /// - Parameters:
    ///   - fields: All fields, `:status` first.
    ///   - stream: The stream of the request.
    /// - Returns: Whether the stream is still there.
    /// - Throws: ``HTTP2Failure`` when the fields must not be sent, or the final response was.
    @discardableResult
    package func inform(_ fields: HeaderFields, on stream: HTTP2StreamID) throws(HTTP2Failure) -> Bool {
        guard try isAwaitingHead(stream) else { return false }
        try fields.checkSendable(as: .response)
        let result = fields.withNameValues {
            nghttp2_submit_headers(session, 0, stream.rawValue, nil, $0.baseAddress, $0.count, nil)
        }
        guard result == 0 else { throw .library(result) }
        noteHead(of: stream.rawValue)
        return true
    }

    /// Sends the head of the final response on a client's stream.
    ///
    /// - Parameters:
    ///   - fields: All fields, `:status` first.
    ///   - stream: The stream of the request.
    ///   - endsStream: Whether no body and no trailers follow.
    /// - Returns: Whether the stream is still there.
    /// - Throws: ``HTTP2Failure`` when the fields must not be sent, or a final response was.
    @discardableResult
    package func respond(
        _ fields: HeaderFields,
        on stream: HTTP2StreamID,
        endsStream: Bool
    ) throws(HTTP2Failure) -> Bool {
        guard try isAwaitingHead(stream) else { return false }
        try fields.checkSendable(as: .response)
        let result = fields.withNameValues {
            nghttp2_submit_response(
                session,
                stream.rawValue,
                $0.baseAddress,
                $0.count,
                endsStream ? nil : provider
            )
        }
        guard result == 0 else { throw .library(result) }
        opened(stream.rawValue, endsStream)
        return true
    }

    /// Moves bytes of a body to the stream's outbound queue.
    ///
    /// Where that queue is empty and all of `source` goes, the two change places, and nothing is copied.
    ///
    /// - Parameters:
    ///   - count: How many bytes.
    ///   - source: At least `count` bytes, which are consumed whatever happens.
    ///   - stream: A stream whose head was sent.
    /// - Returns: Whether the stream is still there.
    @discardableResult
    package func send(_ count: Int, from source: inout ByteQueue, on stream: HTTP2StreamID) -> Bool {
        guard let index = sendable(stream), !channel.pointee.streams[index].state.contains(.finishing) else {
            source.consume(count)
            return false
        }
        channel.pointee.outboundBytes += count
        if count == source.count, channel.pointee.streams[index].outbound.isEmpty {
            swap(&channel.pointee.streams[index].outbound, &source)
        } else {
            source.move(count, to: &channel.pointee.streams[index].outbound)
        }
        if channel.pointee.streams[index].outbound.count >= channel.pointee.outboundMark {
            channel.pointee.streams[index].state.insert(.isAboveHighWater)
        }
        channel.pointee.resume(index, session)
        return true
    }

    /// Ends our half of a stream, once what lies in its outbound queue was sent.
    ///
    /// - Parameters:
    ///   - stream: A stream whose head was sent without ending it.
    ///   - trailers: The trailer fields, if there are some.
    /// - Returns: Whether the stream is still there.
    /// - Throws: ``HTTP2Failure`` when the trailers must not be sent.
    @discardableResult
    package func finish(
        _ stream: HTTP2StreamID,
        trailers: HeaderFields? = nil
    ) throws(HTTP2Failure) -> Bool {
        try trailers?.checkSendable(as: .trailers)
        guard let index = sendable(stream), !channel.pointee.streams[index].state.contains(.finishing) else {
            return false
        }
        channel.pointee.streams[index].state.insert(.finishing)
        channel.pointee.streams[index].trailers = trailers.flatMap { $0.isEmpty ? nil : $0 }
        channel.pointee.resume(index, session)
        return true
    }

    /// Resets a stream: what waits on it is dropped, and only ``HTTP2Event/closed(_:)`` follows.
    ///
    /// - Parameters:
    ///   - stream: Any stream; one that is gone is let be.
    ///   - code: What the peer is told.
    package func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        discard(stream)
        channel.pointee.outboundBytes -= channel.pointee.streams[index].outbound.count
        channel.pointee.streams[index].outbound = ByteQueue()
        guard channel.pointee.streams[index].state.isDisjoint(with: [.closed, .resetByCaller]) else { return }
        channel.pointee.streams[index].state.insert(.resetByCaller)
        nghttp2_submit_rst_stream(session, 0, stream.rawValue, code.rawValue)
    }

    /// Refuses a client's request, which may be sent again (RFC 9113 §8.7).
    ///
    /// It takes from ``HTTP2Limits/resets``, so that nobody can ask for ever in vain.
    ///
    /// - Parameter stream: The stream; one that is gone is let be.
    package func refuse(_ stream: HTTP2StreamID) {
        channel.pointee.floods.spend(.reset)
        reset(stream, .refusedStream)
    }

    /// Resets a stream behind what waits on it: a message broke off, and the peer gets what there is of it.
    ///
    /// A server is not waited for: what its window does not let through now is dropped, and a request that has not
    /// left never does. Like ``reset(_:_:)``, it
    /// drops what was received and is followed by ``HTTP2Event/closed(_:)`` alone.
    ///
    /// - Parameters:
    ///   - stream: Any stream; one that is gone is let be.
    ///   - code: What the peer is told.
    package func breakOff(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        guard let index = sendable(stream), channel.pointee.streams[index].state.contains(.headSent),
            !channel.pointee.streams[index].state.contains(.finishing),
            nghttp2_session_find_stream(session, stream.rawValue) != nil
        else { return reset(stream, code) }
        discard(stream)
        if role == .client { keepOutbound(index, upTo: room(toSendOn: stream)) }
        channel.pointee.streams[index].state.insert(.resetByCaller)
        channel.pointee.streams[index].state.remove(.isAboveHighWater)
        channel.pointee.streams[index].breakCode = code
        channel.pointee.resetIfDue(index, session)
    }

    /// Wants no more of a client's request: what came of it is dropped, and what comes.
    ///
    /// A client that goes on is told to stop behind the end of the response, by RST_STREAM with NO_ERROR
    /// (RFC 9113 §8.1). Until then it gets its credit back, since it may take nothing before it has sent all.
    ///
    /// - Parameters:
    ///   - stream: A client's stream, whose response is on its way or there.
    ///   - tolerance: How many bytes may come still before it is told, 0 to tell it at once; `nil` takes all of them, and
    ///     what has not gone out of the response's body waits for the end of the request.
    package func declineRest(of stream: HTTP2StreamID, tolerance: Int?) {
        guard role == .server, let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        discard(stream)
        channel.pointee.streams[index].tolerance = tolerance ?? .max
        channel.pointee.streams[index].state.insert(.declinesRest)
        if tolerance == nil, !channel.pointee.streams[index].state.contains(.ended) {
            channel.pointee.streams[index].state.insert(.bodyWaits)
        }
        channel.pointee.declineIfDue(index, session)
    }

    /// How many bytes of bodies the peer takes on a stream now.
    private func room(toSendOn stream: HTTP2StreamID) -> Int {
        let ofStream = nghttp2_session_get_stream_remote_window_size(session, stream.rawValue)
        return max(0, Int(min(ofStream, nghttp2_session_get_remote_window_size(session))))
    }

    private func keepOutbound(_ index: Int, upTo limit: Int) {
        guard channel.pointee.streams[index].outbound.count > limit else { return }
        var kept = ByteQueue()
        channel.pointee.outboundBytes -= channel.pointee.streams[index].outbound.count - limit
        channel.pointee.streams[index].outbound.move(limit, to: &kept)
        channel.pointee.streams[index].outbound = kept
    }

    /// Tells a server how urgent a response is (PRIORITY_UPDATE, RFC 9218 §7.1).
    ///
    /// The frame follows the head of the request, which may wait for room: frames for streams that are not open
    /// count toward the server's limit. A server whose SETTINGS say that it takes no part in that scheme gets none.
    ///
    /// - Parameters:
    ///   - value: The priority field value, as `u=1, i`; at most ``HTTP2Limits/priorityBytes``.
    ///   - stream: A stream of our own.
    /// - Returns: Whether the stream is still there.
    @discardableResult
    package func prioritize(_ value: [UInt8], on stream: HTTP2StreamID) -> Bool {
        guard role == .client, value.count <= limits.priorityBytes, let index = sendable(stream) else {
            return false
        }
        if nghttp2_session_find_stream(session, stream.rawValue) == nil {
            channel.pointee.streams[index].priority = value
        } else {
            nghttp2_submit_priority_update(session, 0, stream.rawValue, value, value.count)
        }
        return true
    }

    /// How many bytes lie in the stream's outbound queue.
    package func pendingOutput(_ stream: HTTP2StreamID) -> Int {
        channel.pointee.streams.index(of: stream.rawValue).map {
            channel.pointee.streams[$0].outbound.count
        } ?? 0
    }

    /// The caller's number of a stream; `nil` for one that is gone.
    package func tag(of stream: HTTP2StreamID) -> Int? {
        channel.pointee.streams.index(of: stream.rawValue).map { channel.pointee.streams[$0].tag }
    }

    /// Gives a stream the caller's number; 0 before.
    package func setTag(_ tag: Int, of stream: HTTP2StreamID) {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        channel.pointee.streams[index].tag = tag
    }

    private func noteHead(of id: Int32) {
        guard let index = channel.pointee.streams.index(of: id) else { return }
        channel.pointee.streams[index].unsentHeads += 1
    }

    private func opened(_ id: Int32, _ endsStream: Bool) {
        noteHead(of: id)
        guard let index = channel.pointee.streams.index(of: id) else { return }
        channel.pointee.streams[index].state.insert(endsStream ? [.headSent, .finishing] : .headSent)
    }

    /// Where a stream lies that can still be written to.
    private func sendable(_ stream: HTTP2StreamID) -> Int? {
        guard failure == nil, let index = channel.pointee.streams.index(of: stream.rawValue),
            channel.pointee.streams[index].state.isDisjoint(with: [.closed, .resetByPeer, .resetByCaller])
        else { return nil }
        return index
    }

    private func isAwaitingHead(_ stream: HTTP2StreamID) throws(HTTP2Failure) -> Bool {
        guard role == .server else { throw .misuse("a client sends no responses") }
        guard let index = sendable(stream) else { return false }
        guard !channel.pointee.streams[index].state.contains(.headSent) else {
            throw .misuse("expected one final response on stream \(stream), but a second head was to be sent")
        }
        return true
    }
}

extension HTTP2Failure {
    /// A verb that must not be used like this.
    static func misuse(_ detail: String, _ code: HTTP2ErrorCode = .internalError) -> HTTP2Failure {
        HTTP2Failure(.misuse, code, detail)
    }

    /// The library's refusal.
    fileprivate static func library(_ code: Int32) -> HTTP2Failure {
        .misuse(String(cString: nghttp2_strerror(code)))
    }
}
