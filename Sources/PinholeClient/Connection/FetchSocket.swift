import Glibc
import PinholeCrypto
import PinholeModel
import PinholeRuntime

/// A socket that a fetch waits for; it lives on the client's loop.
///
/// Only one caller reads or writes at a time, since a fetch does one thing after another.
final class FetchSocket: ReadinessHandler, TimerHandler {
    /// The reason why waiting ended.
    enum Event: Equatable {
        /// Bytes, or room for them.
        case ready
        /// The peer sends no more bytes.
        case end
        /// The connection broke.
        case broken(String)
        /// No bytes came in time.
        case silent
        /// The fetch that waited was cancelled.
        case cancelled
    }

    /// The bytes that came from the peer, without the TLS of a proxy.
    var inbox = ByteQueue()
    let clock: LoopClock
    /// TLS with a proxy, which encrypts all other bytes; `nil` without such a proxy.
    private var transport: TLSEngine?
    /// The encrypted bytes that came for the transport.
    private var carried = ByteQueue()
    /// The bytes that the transport has to send for itself, such as alerts.
    private var owed = ByteQueue()
    private var isTransportClosed = false
    private var socket: Socket?
    private var token: EventLoop.Token?
    private var isReadable = false
    private var isCancelled = false
    private var isSilent = false
    private let wakeup = Wakeup()

    private static let readSize = 64 << 10

    /// Takes over a connected socket.
    init(
        taking descriptor: Int32,
        clock: LoopClock,
        on loop: isolated EventLoop
    ) throws(SystemFailure) {
        self.clock = clock
        let socket = Socket(taking: descriptor)
        socket.setNoDelay()
        token = try loop.register(descriptor, self, tag: 0)
        self.socket = consume socket
        // Bytes that came before the registration cause no edge event.
        isReadable = true
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        if readiness.contains(.readable) { isReadable = true }
        wakeup.send(on: loop)
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        isSilent = true
        wakeup.send(on: loop)
    }

    /// Waits for bytes, which go to ``inbox``.
    func receive(patience: Duration, on loop: isolated EventLoop) async -> Event {
        while !isCancelled {
            if let event = unwrap() { return event }
            if isReadable, let event = read() {
                guard let transport, event == .ready || event == .end else { return event }
                if event == .end { transport.receiveEnd() }
                if let event = unwrap() { return event }
                if event == .end { return event }
                continue
            }
            if let event = await wait(patience, on: loop) { return event }
        }
        return .cancelled
    }

    /// Lets all later bytes pass inside of a TLS connection whose handshake is done.
    func carry(inside engine: TLSEngine) {
        transport = engine
        inbox.move(inbox.count, to: &carried)
    }

    /// Sends all of `output`, in TLS if there is a transport.
    func send(_ output: inout ByteQueue, patience: Duration, on loop: isolated EventLoop) async -> Event {
        guard let transport else { return await write(&output, patience: patience, on: loop) }
        var records = ByteQueue()
        owed.move(owed.count, to: &records)
        do throws(TLSFailure) {
            try transport.encrypt(&output, count: output.count, into: &records)
        } catch {
            return .broken(error.detail)
        }
        return await write(&records, patience: patience, on: loop)
    }

    private func write(
        _ output: inout ByteQueue,
        patience: Duration,
        on loop: isolated EventLoop
    ) async -> Event {
        while !isCancelled {
            do throws(SystemFailure) {
                try socket?.write(from: &output)
            } catch {
                return .broken(error.reason)
            }
            if output.isEmpty { return .ready }
            if let event = await wait(patience, on: loop) { return event }
        }
        return .cancelled
    }

    /// Ends the wait of the fetch, which then sees that it is cancelled.
    func cancel(on loop: isolated EventLoop) {
        isCancelled = true
        wakeup.send(on: loop)
    }

    /// Closes the socket.
    func close(on loop: isolated EventLoop) {
        if let transport {
            transport.close(into: &owed)
            // The closing alert is sent only if it fits at once, since no one waits for it.
            try? socket?.write(from: &owed)
        }
        guard let socket = socket.take(), let token = token.take() else { return }
        loop.unregister(token, descriptor: socket.descriptor)
    }

    /// Decrypts the bytes that came for the transport; `nil` if they are not enough.
    private func unwrap() -> Event? {
        guard let transport else { return nil }
        let before = inbox.count
        if !isTransportClosed {
            switch transport.decrypt(&carried, into: &inbox, limit: before + Self.readSize, output: &owed) {
            case .wantsInput, .limited: break
            case .closed: isTransportClosed = true
            // The protocol inside of the transport has an end of its own.
            case .failed(let failure) where failure.kind == .truncated: isTransportClosed = true
            case .failed(let failure): return .broken("TLS with the proxy: \(failure.detail)")
            }
        }
        if inbox.count > before { return .ready }
        return isTransportClosed ? .end : nil
    }

    private func read() -> Event? {
        let event =
            transport == nil
            ? socket?.read(into: &inbox, limit: Self.readSize)
            : socket?.read(into: &carried, limit: Self.readSize)
        switch event {
        case .bytes: return .ready
        case .end: return .end
        case .failed(let code): return .broken(String(cString: strerror(code)))
        case .wouldBlock:
            isReadable = false
            return nil
        case nil: return .end
        }
    }

    /// Waits for a change of the socket; returns an event if the wait ended without one.
    private func wait(_ patience: Duration, on loop: isolated EventLoop) async -> Event? {
        isSilent = false
        let timer = loop.schedule(at: clock.now() + patience, self)
        await wakeup.wait(on: loop)
        loop.cancel(timer)
        if isCancelled { return .cancelled }
        return isSilent ? .silent : nil
    }
}
