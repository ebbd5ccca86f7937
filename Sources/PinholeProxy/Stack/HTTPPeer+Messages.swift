import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The messages of one side, in the version of HTTP that it speaks.
///
/// The stream of a message means nothing to a side that speaks HTTP/1, whose connection carries one message at a time.
extension HTTPPeer {
    /// The reason why the end of a message cannot be sent.
    struct MessageFailure: Error {
        /// The error code for the sender of the message.
        let code: HTTP2ErrorCode
        /// A sentence that is safe to print.
        let detail: String
    }

    /// Whether many messages pass at a time, each in a stream of its own.
    var isMultiplexed: Bool { session != nil }

    // MARK: Sending

    /// Returns the number of body bytes that the side has room for now.
    func room(on stream: HTTP2StreamID?, _ limits: Limits) -> Int {
        guard let session, let stream else { return limits.outputHighWater - pendingOutput }
        return session.room(on: stream)
    }

    /// Sends the first `count` bytes of `source` as a part of a body; the bytes are consumed.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - source: The queue that begins with the bytes.
    ///   - stream: The stream of the message.
    ///   - isChunked: Whether HTTP/1 sends the bytes as a chunk.
    /// - Throws: ``TLSFailure`` if the bytes cannot be encrypted.
    mutating func sendBody(
        _ count: Int,
        from source: inout ByteQueue,
        on stream: HTTP2StreamID?,
        isChunked: Bool
    ) throws(TLSFailure) {
        if let session {
            guard let stream else { return source.consume(count) }
            session.send(count, from: &source, on: stream)
            return
        }
        guard count > 0 else { return }
        if isChunked { send(Array("\(String(count, radix: 16))\r\n".utf8)) }
        try send(count, from: &source)
        if isChunked { send([0x0d, 0x0a]) }
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
                throw MessageFailure(code: error.code, detail: error.detail)
            }
        } else if isChunked {
            do throws(HTTP1Failure) {
                try send { (output: inout ByteQueue) throws(HTTP1Failure) in
                    try HTTP1Writer.lastChunk(trailers: trailers ?? HeaderFields(), into: &output)
                }
            } catch {
                throw MessageFailure(code: .protocolError, detail: error.detail)
            }
        }
    }

    /// Resets the stream of a message at once, so that its waiting bytes are dropped.
    func reset(_ stream: HTTP2StreamID?, _ code: HTTP2ErrorCode) {
        if let stream { session?.reset(stream, code) }
    }

    /// Resets the stream of a message behind its waiting bytes.
    func breakOff(_ stream: HTTP2StreamID?, _ code: HTTP2ErrorCode) {
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

    /// Returns the number of body bytes that wait in a stream; a body of HTTP/1 is read piece by piece, and waits in none.
    func pendingBody(_ stream: HTTP2StreamID) -> Int { session?.pendingInput(stream) ?? 0 }

    /// Removes up to `count` bytes from a stream; the sender gets credit for them by ``credit(_:on:)``.
    func takeBody(upTo count: Int, from stream: HTTP2StreamID) -> ByteQueue {
        var piece = ByteQueue()
        session?.take(upTo: count, from: stream, into: &piece)
        return piece
    }

    /// Allows the sender of a stream `count` further bytes.
    func credit(_ count: Int, on stream: HTTP2StreamID) { session?.release(count, on: stream) }
}
