import PinholeCrypto
import PinholeHTTP2
package import PinholeModel
import PinholeWire

/// The engines and queues toward one side: TLS where it is spoken, and the reader of its messages.
///
/// Without TLS the encrypted and the plain queues are the same: `inbox` is read, `outbox` is written.
package struct PeerStack: ~Copyable {
    /// Body pieces of at least this size are encrypted where they lie; smaller ones are gathered, so
    /// that a head and a small body make one record and not three.
    private static let directSize = 4 << 10

    /// The TLS engine; `nil` where plain bytes pass.
    var tls: TLSEngine?
    /// What came from the socket and was not used yet.
    package var inbox = ByteQueue()
    /// What was decrypted and not used yet; unused without TLS.
    var plainInbox = ByteQueue()
    /// Small pieces that wait to be encrypted together; unused without TLS.
    private var plainOutbox = ByteQueue()
    /// What waits to be written to the socket.
    package var outbox = ByteQueue()
    /// Reads this side's messages.
    var reader: HTTP1Reader
    /// How the socket ended; `nil` while it goes on.
    private(set) var socketEnd: CloseKind?
    /// How the stream of messages ended: the same without TLS, else what TLS says.
    private var streamEnd: CloseKind?
    private var isEndTaken = false
    /// A reset that followed the end: the peer closed, and refuses what is sent to it since.
    private var laterReset: CloseKind?
    /// Bytes that came from the socket.
    package var bytesReceived: Int64 = 0

    /// Creates the stack of a plain connection.
    init(reading kind: HTTP1Reader.Kind, limits: Limits) {
        reader = HTTP1Reader(reading: kind, limits: limits)
    }

    /// What is there to be read: decrypted where TLS is spoken.
    var readable: ByteQueue {
        @inline(__always) _read { if tls == nil { yield inbox } else { yield plainInbox } }
        @inline(__always) _modify { if tls == nil { yield &inbox } else { yield &plainInbox } }
    }

    /// Bytes that came and were not used yet.
    package var pendingInput: Int { inbox.count + plainInbox.count }

    /// Bytes that wait to go out.
    package var pendingOutput: Int { outbox.count + plainOutbox.count }

    /// Decrypts what came.
    ///
    /// - Parameter limit: Stops when that much plaintext waits.
    mutating func decrypt(limit: Int) {
        guard tls != nil, streamEnd == nil,
            !inbox.isEmpty || socketEnd != nil || tls?.hasPending == true
        else { return }
        switch tls?.decrypt(&inbox, into: &plainInbox, limit: limit, output: &outbox) {
        case nil, .wantsInput, .limited: break
        case .closed: streamEnd = .orderly
        case .failed(let failure): streamEnd = closeKind(failure)
        }
    }

    /// Notes that the socket ended.
    mutating func ended(_ kind: CloseKind) {
        guard let known = socketEnd else {
            socketEnd = kind
            tls?.receiveEnd()
            if tls == nil { streamEnd = kind }
            return
        }
        guard case .reset = kind, known.isOrderly else { return }
        socketEnd = kind
        laterReset = kind
    }

    /// Tells once how the stream of messages ended, after everything in it was read; then, once, that
    /// it was reset after that.
    mutating func takeEnd() -> CloseKind? {
        guard let streamEnd else { return nil }
        guard isEndTaken else {
            isEndTaken = true
            return streamEnd
        }
        return laterReset.take()
    }

    /// Whether a reset is still to be told: what was not read yet does not matter any more.
    var isBroken: Bool {
        if laterReset != nil { return streamEnd != nil }
        guard !isEndTaken, case .reset = streamEnd else { return false }
        return true
    }

    /// Whether an idle connection is still good: TLS may have had something to say (tickets), but no
    /// message came and no end.
    package mutating func isStillIdle(limit: Int) -> Bool {
        decrypt(limit: limit)
        return readable.isEmpty && streamEnd == nil && socketEnd == nil
    }

    /// Sends `bytes`.
    mutating func send(_ bytes: [UInt8]) {
        if tls == nil { outbox.append(bytes) } else { plainOutbox.append(bytes) }
    }

    /// Writes a head.
    mutating func send(_ write: (inout ByteQueue) throws(HTTP1Failure) -> Void) throws(HTTP1Failure) {
        if tls == nil { try write(&outbox) } else { try write(&plainOutbox) }
    }

    /// Sends frames of HTTP/2 until `limit` bytes wait to go out.
    mutating func sendFrames(of session: HTTP2Session, limit: Int) {
        if tls == nil {
            session.write(into: &outbox, limit: limit)
        } else {
            session.write(into: &plainOutbox, limit: limit)
        }
    }

    /// Sends the first `count` bytes of `source`, which are consumed.
    mutating func send(_ count: Int, from source: inout ByteQueue) throws(TLSFailure) {
        if tls == nil { return source.move(count, to: &outbox) }
        guard count >= Self.directSize else { return source.move(count, to: &plainOutbox) }
        try flush()
        try tls?.encrypt(&source, count: count, into: &outbox)
    }

    /// Encrypts what was gathered.
    mutating func flush() throws(TLSFailure) {
        guard !plainOutbox.isEmpty else { return }
        try tls?.encrypt(&plainOutbox, count: plainOutbox.count, into: &outbox)
    }

    /// Says that nothing more will be sent.
    mutating func sayGoodbye() {
        try? flush()
        tls?.close(into: &outbox)
    }

    /// Lends memory for what is about to come.
    package mutating func borrow(from pool: inout BufferPool) {
        pool.lend(to: &inbox)
        pool.lend(to: &outbox)
        guard tls != nil else { return }
        pool.lend(to: &plainInbox)
        pool.lend(to: &plainOutbox)
    }

    /// Gives back the memory of what has drained.
    package mutating func giveBack(to pool: inout BufferPool) {
        pool.reclaim(from: &inbox)
        pool.reclaim(from: &plainInbox)
        pool.reclaim(from: &plainOutbox)
        pool.reclaim(from: &outbox)
    }

    private func closeKind(_ failure: TLSFailure) -> CloseKind {
        switch failure.kind {
        case .alertReceived(let alert): .alert(alert)
        case .truncated: if case .reset = socketEnd { socketEnd ?? .truncated } else { .truncated }
        case .refused, .notTLS, .noCommonVersion, .noCommonCipher, .noCommonProtocol, .certificateRefused,
            .protocolError, .system:
            .reset(failure.detail)
        }
    }
}
