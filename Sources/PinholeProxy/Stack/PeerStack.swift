import PinholeCrypto
import PinholeHTTP2
package import PinholeModel
import PinholeWire

/// The engines and queues toward one side: TLS where it is spoken, and the reader of its messages.
///
/// Without TLS the encrypted and the plain queues are the same: `inbox` is read, `outbox` is written. A client
/// may speak TLS to the proxy itself, too: then that lies under everything else, between those two and the rest.
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
    /// TLS between the client and the proxy itself; `nil` where there is none.
    private(set) var transport: TLSEngine?
    /// What came out of the transport and was not used yet; unused without it.
    var carriedInbox = ByteQueue()
    /// What waits to go into the transport; unused without it.
    private var carriedOutbox = ByteQueue()
    /// Reads this side's messages.
    var reader: HTTP1Reader
    /// How the socket ended, or the transport where there is one; `nil` while it goes on.
    private(set) var socketEnd: CloseKind?
    /// How the stream of messages ended: the same without TLS, else what TLS says.
    private var streamEnd: CloseKind?
    private var isEndTaken = false
    /// How the socket under a transport ended.
    private var transportEnd: CloseKind?
    /// A reset that followed the end: the peer closed, and refuses what is sent to it since.
    private var laterReset: CloseKind?
    /// The time at which unfinished lines (a head, a chunk-size line, trailers) began; `nil` for none.
    private(set) var linesBegan: Timestamp?
    /// Bytes that TLS made by itself while it decrypted, as answers to key updates, since the output was last empty.
    private var madeByTLS = 0
    /// Bytes that came from the socket.
    package var bytesReceived: Int64 = 0

    /// Creates the stack of a plain connection.
    init(reading kind: HTTP1Reader.Kind, limits: Limits) {
        reader = HTTP1Reader(reading: kind, limits: limits)
    }

    /// What is there to be read: decrypted where TLS is spoken.
    var readable: ByteQueue {
        // One that yielded from the next one would cost an allocation.
        @inline(__always) _read {
            if tls != nil {
                yield plainInbox
            } else if transport == nil {
                yield inbox
            } else {
                yield carriedInbox
            }
        }
        @inline(__always) _modify {
            if tls != nil {
                yield &plainInbox
            } else if transport == nil {
                yield &inbox
            } else {
                yield &carriedInbox
            }
        }
    }

    /// What is there for TLS with this side to read: what came from the socket, or out of the transport.
    var carried: ByteQueue {
        @inline(__always) _read { if transport == nil { yield inbox } else { yield carriedInbox } }
        @inline(__always) _modify { if transport == nil { yield &inbox } else { yield &carriedInbox } }
    }

    /// Bytes that came and were not used yet.
    package var pendingInput: Int { inbox.count + carriedInbox.count + plainInbox.count }

    /// The memory of the bytes that wait in both directions.
    var queued: Int {
        inbox.held + outbox.held + plainInbox.held + plainOutbox.held + carriedInbox.held + carriedOutbox.held
    }

    /// Bytes that wait to go out.
    package var pendingOutput: Int { outbox.count + carriedOutbox.count + plainOutbox.count }

    /// Bytes that TLS has to send in reply to key updates; a peer that does not read them is not read either.
    var owed: Int { min(madeByTLS, pendingOutput) }

    /// Whether an engine holds decrypted bytes, since there was no room for them.
    var holdsDecrypted: Bool { tls?.hasPending == true || transport?.hasPending == true }

    /// Lets everything that follows pass inside the TLS that is spoken now, whose handshake is done.
    mutating func carryInside(reading kind: HTTP1Reader.Kind, limits: Limits) {
        var inner = PeerStack(reading: kind, limits: limits)
        swap(&inner, &self)
        transport = inner.tls
        inbox = inner.inbox
        outbox = inner.outbox
        carriedInbox = inner.plainInbox
        carriedOutbox = inner.plainOutbox
        bytesReceived = inner.bytesReceived
        if let end = inner.socketEnd { ended(end) }
    }

    /// Takes out of the transport what came in it.
    ///
    /// - Parameter limit: Stops when that much waits.
    mutating func unwrap(limit: Int) {
        guard let transport, socketEnd == nil,
            !inbox.isEmpty || transportEnd != nil || transport.hasPending
        else { return }
        let before = outbox.count
        defer { noteOwed(outbox.count - before) }
        switch transport.decrypt(&inbox, into: &carriedInbox, limit: limit, output: &outbox) {
        case .wantsInput, .limited: break
        case .closed: noteEnd(.orderly)
        case .failed(let failure): noteEnd(closeKind(failure, transportEnd))
        }
    }

    /// Throws away what came, and was unwrapped.
    mutating func dropInput() {
        // What the transport has not decrypted is needed, or its end would be lost.
        if transport == nil || socketEnd != nil { inbox.removeAll() }
        carriedInbox.removeAll()
        plainInbox.removeAll()
    }

    /// Carries the handshake of TLS with this side on; `nil` where none is spoken.
    mutating func handshake() -> TLSEngine.HandshakeStep? {
        transport == nil
            ? tls?.handshake(&inbox, &outbox) : tls?.handshake(&carriedInbox, &carriedOutbox)
    }

    /// Decrypts what came.
    ///
    /// - Parameter limit: Stops when that much plaintext waits.
    mutating func decrypt(limit: Int) {
        guard tls != nil, streamEnd == nil else { return }
        let before = outbox.count + carriedOutbox.count
        defer { noteOwed(outbox.count + carriedOutbox.count - before) }
        if transport == nil {
            guard !inbox.isEmpty || socketEnd != nil || tls?.hasPending == true else { return }
            note(tls?.decrypt(&inbox, into: &plainInbox, limit: limit, output: &outbox))
        } else {
            guard !carriedInbox.isEmpty || socketEnd != nil || tls?.hasPending == true else { return }
            note(tls?.decrypt(&carriedInbox, into: &plainInbox, limit: limit, output: &carriedOutbox))
        }
    }

    private mutating func noteOwed(_ count: Int) {
        madeByTLS = pendingOutput == count ? count : madeByTLS + count
    }

    private mutating func note(_ step: TLSEngine.ReadStep?) {
        switch step {
        case nil, .wantsInput, .limited: break
        case .closed: streamEnd = .orderly
        case .failed(let failure): streamEnd = closeKind(failure, socketEnd)
        }
    }

    /// Notes that the socket ended.
    mutating func ended(_ kind: CloseKind) {
        guard let transport else { return noteEnd(kind) }
        transportEnd = transportEnd ?? kind
        transport.receiveEnd()
        // A reset may follow the end that TLS announced.
        if socketEnd != nil { noteEnd(kind) }
    }

    private mutating func noteEnd(_ kind: CloseKind) {
        guard let known = socketEnd else {
            socketEnd = kind
            tls?.receiveEnd()
            if tls == nil { streamEnd = kind }
            return
        }
        guard kind.isBreak, known.isOrderly else { return }
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

    /// Whether the stream of messages is over, whether that was told or not.
    var hasEnded: Bool { streamEnd != nil }

    /// Whether a reset is still to be told: what was not read yet does not matter any more.
    var isBroken: Bool {
        if laterReset != nil { return streamEnd != nil }
        return !isEndTaken && streamEnd?.isBreak == true
    }

    /// Notes whether a part of a head, a chunk-size line or trailers is there, and its end is not.
    ///
    /// - Parameters:
    ///   - hasMoved: Whether something was read since the last call.
    ///   - now: The time.
    mutating func noteLines(hasMoved: Bool, at now: Timestamp) {
        let isAwaited = reader.isReadingLines && !readable.isEmpty
        let began = hasMoved ? nil : linesBegan
        linesBegan = isAwaited ? began ?? now : nil
    }

    /// The failure of lines that are not complete in time; `nil` while they have time.
    ///
    /// - Parameters:
    ///   - kind: The kind of message that the side sends.
    ///   - limits: The limits; the lines have the time of a head.
    ///   - now: The time.
    /// - Returns: The failure.
    func slowLines(of kind: HTTP1Failure.Kind, _ limits: Limits, at now: Timestamp) -> HTTP1Failure? {
        guard let linesBegan, linesBegan + limits.headTimeout <= now else { return nil }
        return HTTP1Failure(
            .peer,
            .tooSlow,
            in: kind,
            "A head, a chunk-size line or the trailers were not complete within \(limits.headTimeout.secondsText)."
        )
    }

    /// Whether an idle connection is still good: TLS may have had something to say (tickets), but no
    /// message came and no end.
    package mutating func isStillIdle(limit: Int) -> Bool {
        unwrap(limit: limit)
        decrypt(limit: limit)
        return readable.isEmpty && streamEnd == nil && socketEnd == nil
    }

    /// Sends `bytes`.
    mutating func send(_ bytes: [UInt8]) {
        if tls != nil { return plainOutbox.append(bytes) }
        if transport == nil { outbox.append(bytes) } else { carriedOutbox.append(bytes) }
    }

    /// Writes a head.
    mutating func send(_ write: (inout ByteQueue) throws(HTTP1Failure) -> Void) throws(HTTP1Failure) {
        if tls != nil { return try write(&plainOutbox) }
        if transport == nil { try write(&outbox) } else { try write(&carriedOutbox) }
    }

    /// Sends frames of HTTP/2 until `limit` bytes wait to go out.
    mutating func sendFrames(of session: HTTP2Session, limit: Int) {
        if tls != nil { return session.write(into: &plainOutbox, limit: limit) }
        if transport == nil {
            session.write(into: &outbox, limit: limit)
        } else {
            session.write(into: &carriedOutbox, limit: limit)
        }
    }

    /// Sends the first `count` bytes of `source`, which are consumed.
    mutating func send(_ count: Int, from source: inout ByteQueue) throws(TLSFailure) {
        if tls == nil {
            return transport == nil ? source.move(count, to: &outbox) : source.move(count, to: &carriedOutbox)
        }
        guard count >= Self.directSize else { return source.move(count, to: &plainOutbox) }
        try flush()
        if transport == nil {
            try tls?.encrypt(&source, count: count, into: &outbox)
        } else {
            try tls?.encrypt(&source, count: count, into: &carriedOutbox)
        }
    }

    /// Encrypts what was gathered.
    mutating func flush() throws(TLSFailure) {
        if transport == nil {
            guard !plainOutbox.isEmpty else { return }
            try tls?.encrypt(&plainOutbox, count: plainOutbox.count, into: &outbox)
        } else {
            try tls?.encrypt(&plainOutbox, count: plainOutbox.count, into: &carriedOutbox)
            try transport?.encrypt(&carriedOutbox, count: carriedOutbox.count, into: &outbox)
        }
    }

    /// Says that nothing more will be sent.
    mutating func sayGoodbye() {
        try? flush()
        guard let transport else {
            tls?.close(into: &outbox)
            return
        }
        tls?.close(into: &carriedOutbox)
        try? flush()
        transport.close(into: &outbox)
    }

    /// Lends memory for what is about to come.
    package mutating func borrow(from pool: inout BufferPool) {
        pool.lend(to: &inbox)
        pool.lend(to: &outbox)
        if transport != nil {
            pool.lend(to: &carriedInbox)
            pool.lend(to: &carriedOutbox)
        }
        guard tls != nil else { return }
        pool.lend(to: &plainInbox)
        pool.lend(to: &plainOutbox)
    }

    /// Gives back the memory of what has drained.
    package mutating func giveBack(to pool: inout BufferPool) {
        pool.reclaim(from: &inbox)
        pool.reclaim(from: &carriedInbox)
        pool.reclaim(from: &carriedOutbox)
        pool.reclaim(from: &plainInbox)
        pool.reclaim(from: &plainOutbox)
        pool.reclaim(from: &outbox)
        tls?.releaseBuffers()
        transport?.releaseBuffers()
    }

    /// How a stream inside TLS ended; `end` says how that under it did.
    private func closeKind(_ failure: TLSFailure, _ end: CloseKind?) -> CloseKind {
        switch failure.kind {
        case .alertReceived(let alert): .alert(alert)
        case .truncated: end.flatMap { $0.isBreak ? $0 : nil } ?? .truncated
        case .refused, .notTLS, .noCommonVersion, .noCommonCipher, .noCommonProtocol, .certificateRefused,
            .protocolError, .system:
            .reset(failure.detail)
        }
    }
}
