import CLinux
import Glibc
package import Logging
import PinholeModel

/// Receives the connections that a listener accepts.
package protocol ListenerOwner: AnyObject {
    /// Takes over an accepted connection, which has a place until its socket is closed.
    ///
    /// The owner tells the place when the connection becomes busy or idle.
    ///
    /// - Returns: Closes the connection for the given reason, called on any thread; `nil` if it is closed already.
    func accepted(
        _ socket: consuming Socket,
        at address: SocketAddress,
        on loop: isolated EventLoop
    ) -> (@Sendable (Eviction) -> Void)?
    /// Tells the limiter which connections are idle, since all places are taken; by default, it knows that already.
    func isPressed(on loop: isolated EventLoop)
}

extension ListenerOwner {
    /// Does nothing by default, for an owner that tells the limiter each change.
    package func isPressed(on loop: isolated EventLoop) {}
}

/// Accepts connections on one loop, as many as its ``ConnectionLimiter`` has places for.
///
/// Each loop has its own listener on the same address (`SO_REUSEPORT`). The kernel distributes the
/// connections, so no loop passes one to another.
package final class Listener: ReadinessHandler, TimerHandler {
    /// The pause before the next attempt to accept when the process has no free descriptors.
    private static let backOff = Duration.milliseconds(100)

    private let socket: Socket
    /// The address of the listener.
    package let address: SocketAddress
    private let logger: Logger
    private weak var owner: (any ListenerOwner)?
    private let limiter: ConnectionLimiter
    private var token: EventLoop.Token?
    private var backOffTimer: TimerID?
    private var sweepTimer: (id: TimerID, at: Timestamp)?
    /// The time of the last warning.
    private var warned: Timestamp?
    /// Finds the users of connections on loopback; `nil` until it is needed.
    private var diagnosis: SocketDiagnosis?

    /// Listens on `address`.
    ///
    /// - Parameters:
    ///   - address: The address to listen on; with port 0 the kernel chooses a port.
    ///   - limiter: The places of the server.
    ///   - logger: Receives messages for the user.
    ///   - owner: Receives the connections.
    ///   - isExclusive: Whether no other process may listen on the address, not even one of the same user.
    ///   - takesForeign: Whether the system may deliver connections to other addresses (TPROXY).
    /// - Throws: ``SystemFailure`` when the address cannot be used.
    package init(
        _ address: SocketAddress,
        limiter: ConnectionLimiter,
        logger: Logger,
        owner: any ListenerOwner,
        isExclusive: Bool = false,
        takesForeign: Bool = false
    ) throws(SystemFailure) {
        self.limiter = limiter
        self.logger = logger
        self.owner = owner
        socket = try Self.bound(to: address, shared: !isExclusive, takesForeign: takesForeign)
        guard listen(socket.descriptor, SOMAXCONN) == 0 else {
            throw SystemFailure("could not listen on \(address)", errno)
        }
        self.address = socket.localAddress ?? address
    }

    /// Accepts connections on a socket that already listens, for example in another network namespace.
    ///
    /// - Parameters:
    ///   - socket: The non-blocking socket.
    ///   - limiter: The places of the server.
    ///   - logger: Receives messages for the user.
    ///   - owner: Receives the connections.
    /// - Throws: ``SystemFailure`` when the socket has no IP address.
    init(
        taking socket: consuming Socket,
        limiter: ConnectionLimiter,
        logger: Logger,
        owner: any ListenerOwner
    ) throws(SystemFailure) {
        guard let address = socket.localAddress else {
            throw SystemFailure("could not accept connections", errno)
        }
        self.address = address
        self.socket = socket
        self.limiter = limiter
        self.logger = logger
        self.owner = owner
    }

    /// Listens on `address` without logging, for an embedded server.
    ///
    /// - Parameters:
    ///   - address: The address to listen on; with port 0 the kernel chooses a port.
    ///   - limiter: The places of the server.
    ///   - owner: Receives the connections.
    ///   - isExclusive: Whether no other process may listen on the address, not even one of the same user.
    /// - Throws: ``SystemFailure`` when the address cannot be used.
    package convenience init(
        _ address: SocketAddress,
        limiter: ConnectionLimiter,
        owner: any ListenerOwner,
        isExclusive: Bool = false
    ) throws(SystemFailure) {
        let silent = Logger(label: "pinhole.listener") { _ in SwiftLogNoOpLogHandler() }
        try self.init(address, limiter: limiter, logger: silent, owner: owner, isExclusive: isExclusive)
    }

    /// Throws if another process already listens on `address`.
    ///
    /// With `SO_REUSEPORT` alone, the port would be shared with another proxy of the same user, and each
    /// would get half of the connections.
    static func checkIsFree(_ address: SocketAddress) throws(SystemFailure) {
        guard address.port != 0 else { return }
        _ = try bound(to: address, shared: false)
    }

    /// Starts to accept.
    package func start(on loop: isolated EventLoop) throws(SystemFailure) {
        token = try loop.register(socket.descriptor, self, tag: 0, edgeTriggered: false)
    }

    /// Stops accepting.
    ///
    /// The address becomes free when the listener is released.
    package func stop(on loop: isolated EventLoop) {
        // A timer keeps the listener.
        if let backOffTimer = backOffTimer.take() { loop.cancel(backOffTimer) }
        if let sweepTimer = sweepTimer.take() { loop.cancel(sweepTimer.id) }
        unregister(on: loop)
    }

    private func unregister(on loop: isolated EventLoop) {
        guard let token = token.take() else { return }
        loop.unregister(token, descriptor: socket.descriptor)
    }

    /// Accepts waiting connections.
    package func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        // The number is bounded, so that a flood of new connections does not starve the open ones.
        for _ in 0..<64 {
            guard let owner else { return stop(on: loop) }
            guard limiter.mayAccept else { return pause("the connection limit is reached", on: loop) }
            let descriptor = accept4(
                socket.descriptor,
                nil,
                nil,
                Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            )
            if descriptor >= 0 {
                warnIfShort(on: loop)
                let place = arrive(descriptor, at: loop.now)
                let socket = Socket(taking: descriptor, in: place)
                if let eviction = owner.accepted(socket, at: address, on: loop) {
                    place.onEviction(eviction)
                }
                sweepAtLeast(by: loop.now + limiter.period, on: loop)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                let reason = String(cString: strerror(errno))
                ConnectionLimiter.relieve()
                return pause(reason, on: loop)
            } else if errno != ECONNABORTED, errno != EINTR {
                return
            }
        }
    }

    /// Resumes after a pause, or closes the connections whose time is over.
    package func timerFired(tag: Int, on loop: isolated EventLoop) {
        switch Timer(rawValue: tag) {
        case .backOff:
            guard backOffTimer.take() != nil, token == nil else { return }
            token = try? loop.register(socket.descriptor, self, tag: 0, edgeTriggered: false)
        case .sweep, nil:
            sweepTimer = nil
            if let next = limiter.sweep(at: loop.now) { sweepAtLeast(by: next, on: loop) }
        }
    }

    private enum Timer: Int {
        case backOff
        case sweep
    }

    private func sweepAtLeast(by time: Timestamp, on loop: isolated EventLoop) {
        if let sweepTimer {
            guard time < sweepTimer.at else { return }
            loop.cancel(sweepTimer.id)
        }
        sweepTimer = (loop.schedule(at: time, self, tag: Timer.sweep.rawValue), time)
    }

    /// Tells the user, once a second at most, that connections are closed for lack of descriptors.
    private func warnIfShort(on loop: isolated EventLoop) {
        guard Descriptors.isShort(of: 1), warned.map({ $0 + .seconds(1) <= loop.now }) ?? true else { return }
        warned = loop.now
        logger.warning("too few open files are allowed: an unused connection is closed for each new one")
    }

    /// Gives an accepted connection its place, which its peer shares with the peer's other connections.
    ///
    /// All users of this machine have the loopback address. The kernel is asked for the user only when places are
    /// scarce, since that takes as long as accepting the connection. Then it is asked for the users of all connections.
    private func arrive(_ descriptor: Int32, at now: Timestamp) -> Place {
        guard let peer = Socket.peerAddress(of: descriptor) else {
            return limiter.arrive(from: .unknown, at: now)
        }
        let network = Admission.Holder.network(peer.address.network)
        guard peer.address.isLoopback, let local = Socket.localAddress(of: descriptor) else {
            return limiter.arrive(from: network, at: now)
        }
        let ends = ConnectionEnds(local: peer, remote: local)
        guard limiter.isContended else { return limiter.arrive(from: network, unidentified: ends, at: now) }
        limiter.identify(by: user)
        return limiter.arrive(from: user(of: ends) ?? network, at: now)
    }

    private func user(of ends: ConnectionEnds) -> Admission.Holder? {
        if diagnosis == nil { diagnosis = try? SocketDiagnosis() }
        return (diagnosis?.owner(of: ends)?.user).map(Admission.Holder.user)
    }

    /// Stops listening for a moment, since a level-triggered listener that cannot accept would spin.
    private func pause(_ reason: String, on loop: isolated EventLoop) {
        logger.warning("accepting no connections for \(Self.backOff.milliseconds) ms: \(reason)")
        owner?.isPressed(on: loop)
        unregister(on: loop)
        guard backOffTimer == nil else { return }
        backOffTimer = loop.schedule(at: loop.now + Self.backOff, self, tag: Timer.backOff.rawValue)
    }

    /// Creates a socket that is bound to `address` but does not listen yet.
    static func bound(
        to address: SocketAddress,
        shared: Bool,
        takesForeign: Bool = false
    ) throws(SystemFailure) -> Socket {
        let socket = try Socket(family: address.family)
        socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
        if shared { socket.set(SOL_SOCKET, SO_REUSEPORT, 1) }
        if address.address.isVersion6 { socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        if takesForeign { try socket.takeForeign(address) }
        guard address.withSystemAddress({ bind(socket.descriptor, $0, $1) }) == 0 else {
            throw SystemFailure("could not listen on \(address)", errno)
        }
        return socket
    }
}

extension SocketAddress {
    /// Whether this machine can listen on the address: IPv6 may be switched off.
    package var isAvailable: Bool {
        do throws(SystemFailure) {
            _ = try Listener.bound(to: self, shared: false)
            return true
        } catch {
            return false
        }
    }
}

extension IPAddress {
    /// The part of the address that its owner cannot choose: an IPv6 address without its last 64 bits.
    fileprivate var network: IPAddress {
        let plain = unmapped
        guard plain.isVersion6, !plain.isLoopback else { return plain }
        return IPAddress(bytes: plain.bytes.prefix(8) + [UInt8](repeating: 0, count: 8)) ?? plain
    }
}
