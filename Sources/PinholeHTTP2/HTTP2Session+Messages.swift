import CNghttp2
package import PinholeModel

/// The functions that send messages. They fill queues, from which ``write(into:limit:)`` makes frames.
///
/// A peer may end a stream at any time. So a function does nothing and returns `false` if the stream no longer exists.
extension HTTP2Session {
    /// Sends the head of a request.
    ///
    /// The request waits while the server has as many streams open as it allows.
    ///
    /// - Parameters:
    ///   - fields: All fields, the pseudo-fields first. Upper case in names becomes lower case.
    ///   - tag: A number of the caller's, for ``tag(of:)``.
    ///   - endsStream: Whether neither a body nor trailers follow.
    /// - Returns: The new stream.
    /// - Throws: ``HTTP2Failure`` if the fields must not be sent, or if no more streams can be opened.
    package func request(
        _ fields: HeaderFields,
        tag: Int = 0,
        endsStream: Bool
    ) throws(HTTP2Failure) -> HTTP2StreamID {
        guard role == .client else { throw .misuse("a server sends no requests") }
        guard failure == nil, questions.allowsRequests else {
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
    /// - Returns: Whether the stream still exists.
    /// - Throws: ``HTTP2Failure`` if the fields must not be sent, or if the final response was already sent.
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
    ///   - endsStream: Whether neither a body nor trailers follow.
    /// - Returns: Whether the stream still exists.
    /// - Throws: ``HTTP2Failure`` if the fields must not be sent, or if a final response was already sent.
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
    /// If that queue is empty and all of `source` is sent, the two queues are swapped, and nothing is copied.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - source: A queue of at least `count` bytes, which are consumed even if they cannot be sent.
    ///   - stream: A stream whose head was sent.
    /// - Returns: Whether the stream still exists.
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

    /// Ends our half of a stream after the bytes in its outbound queue.
    ///
    /// - Parameters:
    ///   - stream: A stream whose head was sent without ending it.
    ///   - trailers: The trailer fields, or `nil` if there are none.
    /// - Returns: Whether the stream still exists.
    /// - Throws: ``HTTP2Failure`` if the trailers must not be sent.
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

    /// Resets a stream: its waiting bytes are dropped, and only ``HTTP2Event/closed(_:)`` follows.
    ///
    /// - Parameters:
    ///   - stream: Any stream; one that no longer exists is ignored.
    ///   - code: The error code that the peer receives.
    package func reset(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        discard(stream)
        channel.pointee.outboundBytes -= channel.pointee.streams[index].outbound.count
        channel.pointee.streams[index].outbound = ByteQueue()
        guard channel.pointee.streams[index].state.isDisjoint(with: [.closed, .resetByCaller]) else { return }
        channel.pointee.streams[index].state.insert(.resetByCaller)
        nghttp2_submit_rst_stream(session, 0, stream.rawValue, code.rawValue)
    }

    /// Refuses a client's request, which the client may then send again (RFC 9113 §8.7).
    ///
    /// Each call takes from ``HTTP2Limits/resets``, so that a client cannot repeat refused requests forever.
    ///
    /// - Parameter stream: The stream; one that no longer exists is ignored.
    package func refuse(_ stream: HTTP2StreamID) {
        channel.pointee.floods.spend(.reset)
        reset(stream, .refusedStream)
    }

    /// Resets a stream after its waiting bytes, because its message broke off.
    ///
    /// So the peer receives the part that exists.
    ///
    /// The reset does not wait for a server: bytes beyond its flow-control window are dropped, and a request whose
    /// head was not sent yet is never sent. Like ``reset(_:_:)``, the call drops received bytes, and only
    /// ``HTTP2Event/closed(_:)`` follows.
    ///
    /// - Parameters:
    ///   - stream: Any stream; one that no longer exists is ignored.
    ///   - code: The error code that the peer receives.
    package func breakOff(_ stream: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        guard let index = sendable(stream), channel.pointee.streams[index].state.contains(.headSent),
            !channel.pointee.streams[index].state.contains(.finishing),
            questions.hasStream(stream.rawValue)
        else { return reset(stream, code) }
        discard(stream)
        if role == .client { keepOutbound(index, upTo: room(toSendOn: stream)) }
        channel.pointee.streams[index].state.insert(.resetByCaller)
        channel.pointee.streams[index].state.remove(.isAboveHighWater)
        channel.pointee.streams[index].breakCode = code
        channel.pointee.resetIfDue(index, session)
    }

    /// Declines the rest of a client's request: received bytes are dropped, and so are those that follow.
    ///
    /// If the client goes on sending, it is told to stop by RST_STREAM with NO_ERROR behind the end of the response
    /// (RFC 9113 §8.1). Until then it gets credit, because some clients read the response only after they have sent
    /// everything.
    ///
    /// - Parameters:
    ///   - stream: The stream of a client whose response has begun.
    ///   - tolerance: The number of bytes that may still arrive before the client is told to stop; 0 tells it at once.
    ///     `nil` accepts all of them; then the part of the response's body that is not sent yet waits for the end of
    ///     the request.
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

    /// Returns the number of body bytes that the peer's windows allow on a stream now.
    private func room(toSendOn stream: HTTP2StreamID) -> Int {
        max(0, min(questions.window(ofPeerOn: stream.rawValue) ?? 0, questions.windowOfPeer))
    }

    private func keepOutbound(_ index: Int, upTo limit: Int) {
        guard channel.pointee.streams[index].outbound.count > limit else { return }
        var kept = ByteQueue()
        channel.pointee.outboundBytes -= channel.pointee.streams[index].outbound.count - limit
        channel.pointee.streams[index].outbound.move(limit, to: &kept)
        channel.pointee.streams[index].outbound = kept
    }

    /// Tells a server the priority of a response (PRIORITY_UPDATE, RFC 9218 §7.1).
    ///
    /// The frame follows the head of the request, which may wait until the server allows another stream: frames for
    /// streams that are not open count toward the server's limit. A server that announced in SETTINGS that it does not
    /// use this scheme gets no frame.
    ///
    /// - Parameters:
    ///   - value: The priority field value, such as `u=1, i`; at most ``HTTP2Limits/priorityBytes``.
    ///   - stream: A stream that we opened.
    /// - Returns: Whether the stream still exists.
    @discardableResult
    package func prioritize(_ value: [UInt8], on stream: HTTP2StreamID) -> Bool {
        guard role == .client, value.count <= limits.priorityBytes, let index = sendable(stream) else {
            return false
        }
        if !questions.hasStream(stream.rawValue) {
            channel.pointee.streams[index].priority = value
        } else {
            nghttp2_submit_priority_update(session, 0, stream.rawValue, value, value.count)
        }
        return true
    }

    /// Returns the number of bytes in the stream's outbound queue.
    package func pendingOutput(_ stream: HTTP2StreamID) -> Int {
        channel.pointee.streams.index(of: stream.rawValue).map {
            channel.pointee.streams[$0].outbound.count
        } ?? 0
    }

    /// Returns the number of bytes that the stream's outbound queue has room for; less than 0 if it holds more.
    package func room(on stream: HTTP2StreamID) -> Int {
        channel.pointee.outboundMark - pendingOutput(stream)
    }

    /// Returns the caller's number of a stream; `nil` if the stream no longer exists.
    package func tag(of stream: HTTP2StreamID) -> Int? {
        channel.pointee.streams.index(of: stream.rawValue).map { channel.pointee.streams[$0].tag }
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

    /// Returns the index of a stream that can still be written to; `nil` if it cannot.
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
    /// Creates the failure for a call that must not be made.
    static func misuse(_ detail: String, _ code: HTTP2ErrorCode = .internalError) -> HTTP2Failure {
        HTTP2Failure(.misuse, code, detail)
    }

    /// Creates the failure for a call that the library refused.
    fileprivate static func library(_ code: Int32) -> HTTP2Failure {
        .misuse(String(cString: nghttp2_strerror(code)))
    }
}
