import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The messages of one side, in the version of HTTP that it speaks.
///
/// The stream of a message means nothing to a side that speaks HTTP/1, whose connection carries one message at a time.
///
/// Functions that are called for each message and only read are mutating, too: before a call of any other one, Swift 6.3
/// copies the whole peer.
extension HTTPPeer {
    /// The reason why the end of a message cannot be sent.
    struct MessageFailure: Error {
        /// The error code for the sender of the message.
        let code: HTTP2ErrorCode
        /// A sentence that is safe to print.
        let detail: String
    }

    /// Whether many messages pass at a time, each in a stream of its own that can be held up alone.
    package var isMultiplexed: Bool { session != nil }

    /// Begins to speak HTTP/2.
    ///
    /// - Parameters:
    ///   - role: Our end of the connection.
    ///   - limits: The limits of the connection.
    ///   - begins: Whether SETTINGS are sent at once; if not, by ``beginFrames()``.
    mutating func speakHTTP2(_ role: HTTP2Session.Role, _ limits: HTTP2Limits, begins: Bool = true) {
        session = HTTP2Session(role, limits: limits, begins: begins)
    }

    /// Sends SETTINGS if they were not sent yet.
    mutating func beginFrames() { session?.begin() }

    /// Lowers or restores the credit of streams, because the queues of the proxy are full or are not any more.
    func limitCredit(_ isShort: Bool) { session?.isShort = isShort }

    // MARK: Sending

    /// Returns the number of body bytes that the side has room for now.
    ///
    /// - Parameters:
    ///   - stream: The stream of the message.
    ///   - limit: The number of bytes that may wait on a connection of one message.
    /// - Returns: The number of bytes; 0 or less if there is no room.
    mutating func room(on stream: HTTP2StreamID?, limit: Int) -> Int {
        guard let session, let stream else { return limit - pendingOutput }
        return session.room(on: stream)
    }

    /// Sends the first `count` bytes of `source` as a part of a body; the bytes are consumed.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - source: The queue that begins with the bytes.
    ///   - stream: The stream of the message.
    ///   - isChunked: Whether HTTP/1 sends the bytes as a chunk.
    /// - Returns: Whether the side can take more of the message; its stream may have ended.
    /// - Throws: ``TLSFailure`` if the bytes cannot be encrypted.
    @discardableResult
    mutating func sendBody(
        _ count: Int,
        from source: inout ByteQueue,
        on stream: HTTP2StreamID?,
        isChunked: Bool
    ) throws(TLSFailure) -> Bool {
        if let session {
            guard let stream else {
                source.consume(count)
                return false
            }
            return session.send(count, from: &source, on: stream)
        }
        guard count > 0 else { return true }
        if isChunked { send(Array("\(String(count, radix: 16))\r\n".utf8)) }
        try send(count, from: &source)
        if isChunked { send([0x0d, 0x0a]) }
        return true
    }

    /// Ends a body.
    ///
    /// - Parameters:
    ///   - stream: The stream of the message.
    ///   - isChunked: Whether HTTP/1 ends the body by a last chunk, and not by its length or the connection's end.
    ///   - trailers: The trailers; `nil` if there are none.
    /// - Throws: ``MessageFailure`` if the trailers must not be sent.
    mutating func finish(
        _ stream: HTTP2StreamID?,
        isChunked: Bool,
        trailers: HeaderFields?
    ) throws(MessageFailure) {
        if let session {
            guard let stream else { return }
            do throws(HTTP2Failure) {
                try session.finish(stream, trailers: trailers)
            } catch {
                throw MessageFailure(error)
            }
        } else if isChunked {
            do throws(HTTP1Failure) {
                try send { (output: inout ByteQueue) throws(HTTP1Failure) in
                    try HTTP1Writer.lastChunk(trailers: trailers ?? HeaderFields(), into: &output)
                }
            } catch {
                throw MessageFailure(error)
            }
        }
    }

    /// Resets the stream of a message at once, so that its waiting bytes are dropped.
    mutating func reset(_ stream: HTTP2StreamID?, _ code: HTTP2ErrorCode) {
        if let stream { session?.reset(stream, code) }
    }

    /// Resets the stream of a message behind its waiting bytes.
    mutating func breakOff(_ stream: HTTP2StreamID?, _ code: HTTP2ErrorCode) {
        if let stream { session?.breakOff(stream, code) }
    }

    /// Sends 100 (Continue) (RFC 9110 §15.2.1).
    mutating func sendContinue(on stream: HTTP2StreamID) {
        guard let session else { return send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        var fields = HeaderFields()
        fields.append(":status", "100")
        // If this fails, the client sends its body after some time without the 100 (Continue).
        _ = try? session.inform(fields, on: stream)
    }

    /// Tells a server the priority of a response (RFC 9218 §7.1).
    mutating func prioritize(_ value: [UInt8], on stream: HTTP2StreamID?) {
        if let stream { session?.prioritize(value, on: stream) }
    }

    /// Offers extended CONNECT to a client of HTTP/2 (RFC 8441 §3).
    func offerExtendedConnect() {
        guard let session, !session.localSettings.enableConnectProtocol else { return }
        var settings = session.localSettings
        settings.enableConnectProtocol = true
        session.announce(settings)
    }

    /// Drops the rest of a client's request, which is told to stop if more than `tolerance` bytes arrive; `nil` accepts
    /// all of them.
    mutating func declineRest(of stream: HTTP2StreamID, tolerance: Int?) {
        session?.declineRest(of: stream, tolerance: tolerance)
    }

    /// Refuses the request of a stream, which the client may send again (REFUSED_STREAM).
    func refuse(_ stream: HTTP2StreamID) { session?.refuse(stream) }

    /// Drops the bytes of a stream that nobody reads, and gives credit for them.
    mutating func discard(_ stream: HTTP2StreamID) { session?.discard(stream) }

    /// Returns the number of bytes that wait in the queue of a stream to be sent.
    mutating func unsent(on stream: HTTP2StreamID) -> Int { session?.pendingOutput(stream) ?? 0 }

    /// Whether a piece of content may be read to be sent; a stream whose peer does not read holds at most one piece.
    mutating func isReadyForContent(on stream: HTTP2StreamID, _ limits: Limits) -> Bool {
        guard let session else { return pendingOutput < limits.outputHighWater }
        return session.pendingOutput(stream) < session.limits.outboundLowWater
    }

    /// Tells a client of HTTP/2 that no new requests are accepted (GOAWAY).
    func announceShutdown() { session?.announceShutdown() }

    /// Announces that the connection ends, to a side that speaks HTTP/2.
    mutating func goAway(limit: Int) {
        guard let session else { return }
        session.goAway(.noError)
        sendFrames(of: session, limit: limit)
    }

    /// Writes frames into the outbox while it holds less than `limit` bytes.
    ///
    /// - Returns: Whether frames were written.
    mutating func writeFrames(limit: Int) -> Bool {
        guard let session, session.hasOutput, pendingOutput < limit else { return false }
        let before = pendingOutput
        sendFrames(of: session, limit: limit)
        return pendingOutput > before
    }

    // MARK: Receiving

    /// Reads the received frames.
    ///
    /// - Returns: Whether there were any bytes.
    mutating func receiveFrames(at now: Timestamp) -> Bool {
        guard let session, readableCount > 0 else { return false }
        session.receive(&readable, at: now)
        return true
    }

    /// Returns the next event of the frames that were read.
    mutating func nextFrameEvent() -> HTTP2Event? { session?.nextEvent() }

    /// Returns the number of the exchange whose request was sent on a stream; `nil` if the stream no longer exists.
    mutating func tag(of stream: HTTP2StreamID) -> Int? { session?.tag(of: stream) }

    /// Whether all streams of a connection of HTTP/2 have ended, and everything was sent.
    var hasFinishedStreams: Bool { session?.isFinished == true }

    /// The number of body bytes that came in streams.
    var streamBytesReceived: Int { session?.bodyBytesReceived ?? 0 }

    /// Returns the number of body bytes that wait in a stream; a body of HTTP/1 is read piece by piece, and waits in none.
    mutating func pendingBody(_ stream: HTTP2StreamID) -> Int { session?.pendingInput(stream) ?? 0 }

    /// Removes up to `count` bytes from a stream; the sender gets credit for them by ``credit(_:on:)``.
    mutating func takeBody(upTo count: Int, from stream: HTTP2StreamID) -> ByteQueue {
        var piece = ByteQueue()
        takeBody(upTo: count, from: stream, into: &piece)
        return piece
    }

    /// Moves up to `count` bytes from a stream to a queue; the sender gets credit for them by ``credit(_:on:)``.
    ///
    /// - Returns: The number of bytes.
    @discardableResult
    mutating func takeBody(upTo count: Int, from stream: HTTP2StreamID, into queue: inout ByteQueue) -> Int {
        session?.take(upTo: count, from: stream, into: &queue) ?? 0
    }

    /// Allows the sender of a stream `count` further bytes.
    mutating func credit(_ count: Int, on stream: HTTP2StreamID) { session?.release(count, on: stream) }
}
