package import PinholeCrypto
package import PinholeModel
package import PinholeProxy

/// A client or a server in memory: plain bytes, or a TLS engine of its own.
package final class TestPeer {
    /// What is to be sent once the handshake is done, decrypted.
    private var unsent = ByteQueue()
    private var plain = ByteQueue()
    /// On the wire toward the proxy.
    package var wire = ByteQueue()
    /// From the wire and not looked at yet.
    package var arrived = ByteQueue()
    /// What this peer read, decrypted.
    package private(set) var received: [UInt8] = []
    /// How the connection ended as this peer sees it: the proxy's close or reset.
    package internal(set) var sawEnd: CloseKind?
    /// Whether TLS said that the end was no accident.
    package private(set) var sawCloseNotify = false
    /// What broke TLS, if anything did.
    package private(set) var failure: TLSFailure?
    /// The end that follows what is on the wire.
    package private(set) var pendingEnd: CloseKind?
    /// Whether it takes bytes off the wire.
    package var isReading = true
    /// Whether it closes as soon as the proxy does.
    package var closesBack = true
    /// Its engine.
    package private(set) var tls: TLSEngine?
    /// TLS with the proxy itself, under everything else.
    private var outer: TLSEngine?
    private var innerArrived = ByteQueue()
    private var innerWire = ByteQueue()
    /// Whether its handshake is done.
    package private(set) var isSecure = false

    /// Creates a peer; one with an engine begins its handshake when it is first asked to.
    package init(tls: TLSEngine? = nil) { self.tls = tls }

    /// What this peer read, as text.
    package var text: String { String(decoding: received, as: UTF8.self) }

    /// Begins TLS on a connection that was plain until now.
    package func secure(with engine: TLSEngine) {
        tls = engine
        isSecure = false
        received = []
        work()
    }

    /// Lets everything that follows pass inside the TLS that is spoken now.
    package func carryInside() {
        outer = tls
        tls = nil
        isSecure = false
        received = []
    }

    /// Sends bytes.
    package func send(_ bytes: some Sequence<UInt8>) {
        unsent.append(Array(bytes))
        work()
    }

    /// Sends text.
    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Closes, with close_notify where TLS is spoken and `notifies` is set.
    package func close(notifies: Bool = true) {
        if notifies, isSecure { tls?.close(into: &wire) }
        if notifies { outer?.close(into: &wire) }
        pendingEnd = .orderly
    }

    /// Says close_notify without closing.
    package func notify() { tls?.close(into: &wire) }

    /// Drops the connection; what is on the wire arrives before.
    package func reset() { pendingEnd = .reset("connection reset by peer") }

    /// Forgets what was read.
    package func clear() { received = [] }

    /// Carries on with what arrived and what is to be sent.
    package func work() {
        guard let outer else { return work(&arrived, &wire) }
        _ = outer.decrypt(&arrived, into: &innerArrived, limit: 1 << 22, output: &wire)
        work(&innerArrived, &innerWire)
        do throws(TLSFailure) {
            try outer.encrypt(&innerWire, count: innerWire.count, into: &wire)
        } catch {
            failure = error
        }
    }

    private func work(_ arrived: inout ByteQueue, _ wire: inout ByteQueue) {
        guard let tls else {
            received += arrived.prefix()
            arrived.removeAll()
            unsent.move(unsent.count, to: &wire)
            return
        }
        guard failure == nil else { return }
        if !isSecure {
            switch tls.handshake(&arrived, &wire) {
            case .wantsInput: return
            case .failed(let failure):
                self.failure = failure
                return
            case .finished: isSecure = true
            }
        }
        switch tls.decrypt(&arrived, into: &plain, limit: 1 << 22, output: &wire) {
        case .closed: sawCloseNotify = true
        case .failed(let failure): self.failure = failure
        case .wantsInput, .limited: break
        }
        received += plain.prefix()
        plain.removeAll()
        do throws(TLSFailure) {
            try tls.encrypt(&unsent, count: unsent.count, into: &wire)
        } catch {
            failure = error
        }
    }

    /// Notes that the proxy closed or dropped the connection.
    func end(_ kind: CloseKind) {
        guard sawEnd == nil else { return }
        sawEnd = kind
        tls?.receiveEnd()
        work()
        if closesBack, pendingEnd == nil { pendingEnd = .orderly }
    }

    func endWasDelivered() { pendingEnd = nil }
}
