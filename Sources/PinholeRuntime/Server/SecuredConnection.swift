package import PinholeCrypto
package import PinholeModel

/// A served connection inside TLS; without an engine, its bytes pass as they are.
///
/// Bytes are encrypted only while the outbox has room. So the connection inside sees a slow peer, and its own timeouts
/// and bounds hold.
package struct SecuredConnection<Inside: ServedConnection & ~Copyable>: ServedConnection, ~Copyable {
    /// The bytes from the socket.
    package var inbox = ByteQueue()
    /// The bytes for the socket.
    package var outbox = ByteQueue()
    /// The connection inside.
    package var inside: Inside
    private let engine: TLSEngine?
    private let limits = Limits()
    private var isShakingHands: Bool
    private var failure: ConnectionEnding?
    private var hasEnded = false
    private var isCloseSent = false

    /// Creates the server's end of an accepted connection.
    ///
    /// - Parameters:
    ///   - inside: The connection that gets the decrypted bytes.
    ///   - engine: The engine of a server that has not begun its handshake; `nil` for a connection without TLS.
    package init(_ inside: consuming Inside, engine: TLSEngine?) {
        self.inside = inside
        self.engine = engine
        isShakingHands = engine != nil
    }

    /// Creates the end of a connection whose engine could not be made; the connection is closed at once.
    package init(closing inside: consuming Inside) {
        self.init(inside, engine: nil)
        fail()
    }

    /// The way to end the connection, after the last bytes of the connection inside were encrypted.
    package var ending: ConnectionEnding? {
        if let failure { return failure }
        switch inside.ending {
        case .reset: return .reset
        case .close where inside.outbox.isEmpty: return .close
        case .close, nil: return nil
        }
    }

    /// The time at which the connection inside makes its next step.
    package var wake: Timestamp? { failure == nil ? inside.wake : nil }
    /// Whether the handshake or the connection inside wants more bytes.
    package var wantsRead: Bool {
        failure != nil || isShakingHands || inside.wantsRead && inbox.count < limits.readSize
    }
    /// Whether bytes wait to be encrypted, or the connection inside has more to say.
    package var hasMoreToSay: Bool { failure == nil && (!inside.outbox.isEmpty || inside.hasMoreToSay) }
    /// The state of the connection inside.
    package var standing: Admission.Standing { inside.standing }

    /// Shakes hands, decrypts, lets the connection inside make progress, and encrypts.
    package mutating func advance(at now: Timestamp) {
        guard failure == nil else { return inbox.removeAll() }
        shakeHands()
        var before: Int
        repeat {
            before = inbox.count
            if !isShakingHands, inside.wantsRead { decrypt(at: now) }
            inside.advance(at: now)
            encrypt()
            // Bytes that did not fit are decrypted after the earlier ones were used.
        } while failure == nil && inbox.count < before
        if ending == .reset { outbox.removeAll() }
        if ending == .close { sendCloseNotify() }
    }

    /// Handles the end of the peer's bytes.
    package mutating func ended(at now: Timestamp) {
        engine?.receiveEnd()
        advance(at: now)
        end(at: now)
        encrypt()
    }

    /// Refuses the current request of the connection inside.
    package mutating func turnAway(at now: Timestamp) { inside.turnAway(at: now) }

    /// Handles the loss of the socket.
    package mutating func abandoned() { inside.abandoned() }

    private mutating func shakeHands() {
        guard isShakingHands, let engine else { return }
        switch engine.handshake(&inbox, &outbox) {
        case .wantsInput: break
        case .failed: fail()
        case .finished: isShakingHands = false
        }
    }

    private mutating func decrypt(at now: Timestamp) {
        guard let engine else { return inbox.move(inbox.count, to: &inside.inbox) }
        switch engine.decrypt(&inbox, into: &inside.inbox, limit: limits.readSize, output: &outbox) {
        case .wantsInput, .limited: break
        case .closed: end(at: now)
        case .failed: fail()
        }
    }

    private mutating func end(at now: Timestamp) {
        guard failure == nil, !hasEnded else { return }
        hasEnded = true
        inside.ended(at: now)
    }

    private mutating func encrypt() {
        // A connection inside that has ended has no timeout any more, so the socket's end waits for its last bytes.
        let hasRoom = outbox.count < limits.outputHighWater || inside.ending == .close
        guard !isShakingHands, failure == nil, hasRoom else { return }
        guard let engine else { return inside.outbox.move(inside.outbox.count, to: &outbox) }
        do throws(TLSFailure) {
            try engine.encrypt(&inside.outbox, count: inside.outbox.count, into: &outbox)
        } catch {
            fail()
        }
    }

    private mutating func sendCloseNotify() {
        guard !isCloseSent else { return }
        isCloseSent = true
        if !isShakingHands { engine?.close(into: &outbox) }
    }

    private mutating func fail() {
        failure = .close
        inside.abandoned()
    }
}
