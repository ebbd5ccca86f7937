import PinholeCrypto
import PinholeHTTP2
package import PinholeModel
import PinholeWire

/// The engines and queues toward one side: TLS, if it is spoken, and the engine of the version of HTTP.
///
/// Without TLS, the encrypted and the plain queues are the same: `inbox` is read, `outbox` is written. A client may
/// also speak TLS to the proxy itself. This transport lies below everything else, between the two queues and the other
/// engines.
package struct HTTPPeer: ~Copyable {
    /// The size from which pieces of a body are encrypted without being copied.
    ///
    /// Smaller pieces are gathered, so that a head and a small body make one TLS record and not three.
    private static let directSize = 4 << 10

    /// The TLS engine; `nil` if plain bytes pass.
    var tls: TLSEngine?
    /// The bytes that came from the socket and were not used yet.
    package var inbox = ByteQueue()
    /// The decrypted bytes that were not used yet; always empty without TLS.
    var plainInbox = ByteQueue()
    /// The small pieces that wait to be encrypted together; always empty without TLS.
    private var plainOutbox = ByteQueue()
    /// The bytes that wait to be written to the socket.
    package var outbox = ByteQueue()
    /// The TLS engine between the client and the proxy itself; `nil` if there is none.
    private(set) var transport: TLSEngine?
    /// The bytes that the transport has decrypted and that were not used yet; always empty without a transport.
    var carriedInbox = ByteQueue()
    /// The bytes that wait to be encrypted by the transport; always empty without a transport.
    private var carriedOutbox = ByteQueue()
    /// The reader of this side's messages, while it speaks HTTP/1.
    var reader: HTTP1Reader
    /// The engine of HTTP/2; `nil` if this side does not speak it.
    var session: HTTP2Session?
    /// The way in which the socket ended, or the transport if there is one; `nil` while it is open.
    private(set) var socketEnd: CloseKind?
    /// The way in which the stream of messages ended: as the TLS engine says, or as the socket without TLS.
    private var streamEnd: CloseKind?
    private var isEndTaken = false
    /// The way in which the socket below a transport ended.
    private var transportEnd: CloseKind?
    /// A reset after the end: the peer has closed, and refuses bytes that were sent to it since then.
    private var laterReset: CloseKind?
    /// The time at which unfinished lines (a head, a chunk-size line, trailers) began; `nil` if there are none.
    private(set) var linesBegan: Timestamp?
    /// The bytes that waited for the peer when a deadline passed, and the time since which they wait.
    private var lingering: (pending: Int, since: Timestamp)?
    /// The number of bytes that TLS itself has made while decrypting, as answers to key updates, since the output was
    /// last empty.
    private var madeByTLS = 0
    /// The number of bytes that came from the socket.
    package var bytesReceived: Int64 = 0

    /// Creates the stack of a plain connection.
    init(reading kind: HTTP1Reader.Kind, limits: Limits) {
        reader = HTTP1Reader(reading: kind, limits: limits)
    }

    /// The queue of bytes to be read, which are decrypted if TLS is spoken.
    var readable: ByteQueue {
        // Yielding from the property below would cost an allocation.
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

    /// The number of bytes to be read.
    ///
    /// The queue is not asked for it, because a call of the accessor above copies the whole peer (Swift 6.3).
    @inline(__always)
    var readableCount: Int {
        if tls != nil { return plainInbox.count }
        return transport == nil ? inbox.count : carriedInbox.count
    }

    /// The queue that TLS with this side reads: bytes from the socket, or from the transport.
    var carried: ByteQueue {
        @inline(__always) _read { if transport == nil { yield inbox } else { yield carriedInbox } }
        @inline(__always) _modify { if transport == nil { yield &inbox } else { yield &carriedInbox } }
    }

    /// The number of bytes that were received and not used yet.
    package var pendingInput: Int { inbox.count + carriedInbox.count + plainInbox.count }

    /// Decrypts received bytes of messages.
    mutating func decryptMessages(_ limits: Limits) {
        // Only TLS needs the limit, and the question for it copies the reader.
        if tls != nil { decrypt(limit: inputLimit(limits)) }
    }

    /// Returns the number of input bytes that may wait: a whole head must fit, up to its limit.
    func inputLimit(_ limits: Limits) -> Int {
        reader.isReadingHead ? limits.headBytes + limits.readSize : limits.readSize
    }

    /// The memory of the bytes that wait in both directions, in bytes.
    var queued: Int {
        inbox.held + outbox.held + plainInbox.held + plainOutbox.held + carriedInbox.held + carriedOutbox.held
            + (session?.queued ?? 0)
    }

    /// Whether bytes wait to be sent, or wait in the queues of streams.
    var hasPendingOutput: Bool { pendingOutput > 0 || session?.queued ?? 0 > 0 }

    /// Whether waiting bytes may be processed once the outbox has room.
    var hasMoreToDo: Bool { pendingInput > 0 || holdsDecrypted || session?.hasOutput == true }

    /// The number of bytes that wait to be sent.
    package var pendingOutput: Int { outbox.count + carriedOutbox.count + plainOutbox.count }

    /// The number of bytes that TLS has to send in reply to key updates.
    ///
    /// A peer that does not read them is not read, either.
    var owed: Int { min(madeByTLS, pendingOutput) }

    /// Whether an engine holds decrypted bytes for which there was no room.
    var holdsDecrypted: Bool { tls?.hasPending == true || transport?.hasPending == true }

    /// Whether all received bytes were used, and no end was received.
    var isQuiet: Bool {
        mutating get { pendingInput == 0 && socketEnd == nil && streamEnd == nil && !holdsDecrypted }
    }

    /// Makes the current TLS connection, whose handshake is done, the transport for everything that follows.
    mutating func carryInside(reading kind: HTTP1Reader.Kind, limits: Limits) {
        var inner = HTTPPeer(reading: kind, limits: limits)
        swap(&inner, &self)
        transport = inner.tls
        inbox = inner.inbox
        outbox = inner.outbox
        carriedInbox = inner.plainInbox
        carriedOutbox = inner.plainOutbox
        bytesReceived = inner.bytesReceived
        if let end = inner.socketEnd { ended(end) }
    }

    /// Decrypts bytes of the transport.
    ///
    /// - Parameter limit: The number of waiting bytes at which decrypting stops.
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

    /// Drops the received bytes that were decrypted by the transport.
    mutating func dropInput() {
        // Bytes that the transport has not decrypted are needed, because otherwise its end would be lost.
        if transport == nil || socketEnd != nil { inbox.removeAll() }
        carriedInbox.removeAll()
        plainInbox.removeAll()
    }

    /// Continues the TLS handshake with this side; returns `nil` if TLS is not spoken.
    mutating func handshake() -> TLSEngine.HandshakeStep? {
        transport == nil
            ? tls?.handshake(&inbox, &outbox) : tls?.handshake(&carriedInbox, &carriedOutbox)
    }

    /// Decrypts received bytes.
    ///
    /// - Parameter limit: The number of waiting plaintext bytes at which decrypting stops.
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
        // A reset may follow the end that TLS has announced.
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

    /// Returns the way in which the stream of messages ended, once, after everything in it was read.
    ///
    /// If a reset follows the end, the next call returns it.
    mutating func takeEnd() -> CloseKind? {
        guard let streamEnd else { return nil }
        guard isEndTaken else {
            isEndTaken = true
            return streamEnd
        }
        return laterReset.take()
    }

    /// Whether the stream of messages has ended, whether or not that was reported.
    var hasEnded: Bool { streamEnd != nil }

    /// Whether a reset still has to be reported; then unread bytes do not matter any more.
    var isBroken: Bool {
        if laterReset != nil { return streamEnd != nil }
        return !isEndTaken && streamEnd?.isBreak == true
    }

    /// Notes whether a head, a chunk-size line or trailers have begun and are not complete.
    ///
    /// - Parameters:
    ///   - hasMoved: Whether something was read since the last call.
    ///   - now: The time.
    mutating func noteLines(hasMoved: Bool, at now: Timestamp) {
        // The queue is asked first, since it is most often empty, and a question to the reader copies it.
        let isAwaited = readableCount > 0 && reader.isReadingLines
        let began = hasMoved ? nil : linesBegan
        linesBegan = isAwaited ? began ?? now : nil
    }

    /// Returns the failure of lines that are not complete in time.
    ///
    /// - Parameters:
    ///   - kind: The kind of message that the side sends.
    ///   - limits: The limits; lines have the same time as a head.
    ///   - now: The time.
    /// - Returns: The failure, or `nil` if there is still time.
    func slowLines(of kind: HTTP1Failure.Kind, _ limits: Limits, at now: Timestamp) -> HTTP1Failure? {
        guard let linesBegan, linesBegan + limits.headTimeout <= now else { return nil }
        return HTTP1Failure(
            .peer,
            .tooSlow,
            in: kind,
            "The headers, a chunk-size line or the trailers were not complete within \(limits.headTimeout.secondsText)."
        )
    }

    /// Whether the peer is still reading the last bytes, so that it is not idle, although it may be slow.
    mutating func isTakingTheRest(_ limits: Limits, at now: Timestamp) -> Bool {
        let pending = pendingOutput
        guard pending > 0 else { return false }
        if let known = lingering, known.pending == pending {
            return now - known.since < limits.idleTimeout
        }
        lingering = (pending, now)
        return true
    }

    /// Whether an idle connection can still be used.
    ///
    /// TLS may have sent something (tickets), but there must be neither bytes of a message nor an end.
    package mutating func isStillIdle(limit: Int) -> Bool {
        unwrap(limit: limit)
        decrypt(limit: limit)
        return readableCount == 0 && streamEnd == nil && socketEnd == nil
    }

    /// Sends `bytes`.
    mutating func send(_ bytes: [UInt8]) {
        if tls != nil { return plainOutbox.append(bytes) }
        if transport == nil { outbox.append(bytes) } else { carriedOutbox.append(bytes) }
    }

    /// Sends what `write` appends, such as a head.
    mutating func send(_ write: (inout ByteQueue) throws(HTTP1Failure) -> Void) throws(HTTP1Failure) {
        if tls != nil { return try write(&plainOutbox) }
        if transport == nil { try write(&outbox) } else { try write(&carriedOutbox) }
    }

    /// Sends frames of HTTP/2 until `limit` bytes wait to be sent.
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

    /// Encrypts the gathered pieces.
    mutating func flush() throws(TLSFailure) {
        if transport == nil {
            guard !plainOutbox.isEmpty else { return }
            try tls?.encrypt(&plainOutbox, count: plainOutbox.count, into: &outbox)
        } else {
            try tls?.encrypt(&plainOutbox, count: plainOutbox.count, into: &carriedOutbox)
            try transport?.encrypt(&carriedOutbox, count: carriedOutbox.count, into: &outbox)
        }
    }

    /// Tells the peer that nothing more will be sent.
    mutating func sendCloseNotify() {
        try? flush()
        guard let transport else {
            tls?.close(into: &outbox)
            return
        }
        tls?.close(into: &carriedOutbox)
        try? flush()
        transport.close(into: &outbox)
    }

    /// Borrows memory for the bytes that are about to arrive.
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

    /// Gives back the memory of queues that are empty.
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

    /// Returns the way in which a stream inside TLS ended; `end` is the end of the stream below it.
    private func closeKind(_ failure: TLSFailure, _ end: CloseKind?) -> CloseKind {
        switch failure.kind {
        case .alertReceived(let alert): .alert(alert)
        case .truncated: end.flatMap { $0.isBreak ? $0 : nil } ?? .truncated
        case .refused, .notTLS, .noCommonVersion, .noCommonCipher, .noCommonGroup, .noCommonProtocol,
            .certificateRefused,
            .protocolError, .system:
            .reset(failure.detail)
        }
    }
}
