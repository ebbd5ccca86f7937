import CLinux
import Glibc
package import Logging
import PinholeModel

/// Receives the connections that a listener accepts.
package protocol ListenerOwner: AnyObject {
    /// Whether there is room for one more connection.
    var mayAccept: Bool { get }
    /// Takes over an accepted, non-blocking descriptor.
    func accepted(_ descriptor: Int32, at address: SocketAddress, on loop: isolated EventLoop)
}

/// Accepts connections on one loop.
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
    private var token: EventLoop.Token?
    private var isBackingOff = false

    /// Listens on `address`.
    ///
    /// - Parameters:
    ///   - address: The address to listen on; with port 0 the kernel chooses a port.
    ///   - logger: Receives messages for the user.
    ///   - owner: Receives the connections.
    ///   - isExclusive: Whether no other process may listen on the address, not even one of the same user.
    ///   - takesForeign: Whether the system may deliver connections to other addresses (TPROXY).
    /// - Throws: ``SystemFailure`` when the address cannot be used.
    package init(
        _ address: SocketAddress,
        logger: Logger,
        owner: any ListenerOwner,
        isExclusive: Bool = false,
        takesForeign: Bool = false
    ) throws(SystemFailure) {
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
    ///   - logger: Receives messages for the user.
    ///   - owner: Receives the connections.
    /// - Throws: ``SystemFailure`` when the socket has no IP address.
    init(
        taking socket: consuming Socket,
        logger: Logger,
        owner: any ListenerOwner
    ) throws(SystemFailure) {
        guard let address = socket.localAddress else {
            throw SystemFailure("could not accept connections", errno)
        }
        self.address = address
        self.socket = socket
        self.logger = logger
        self.owner = owner
    }

    /// Listens on `address` without logging, for an embedded server.
    ///
    /// - Parameters:
    ///   - address: The address to listen on; with port 0 the kernel chooses a port.
    ///   - owner: Receives the connections.
    ///   - isExclusive: Whether no other process may listen on the address, not even one of the same user.
    /// - Throws: ``SystemFailure`` when the address cannot be used.
    package convenience init(
        _ address: SocketAddress,
        owner: any ListenerOwner,
        isExclusive: Bool = false
    ) throws(SystemFailure) {
        let silent = Logger(label: "pinhole.listener") { _ in SwiftLogNoOpLogHandler() }
        try self.init(address, logger: silent, owner: owner, isExclusive: isExclusive)
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
        guard let token = token.take() else { return }
        loop.unregister(token, descriptor: socket.descriptor)
    }

    /// Accepts waiting connections.
    package func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        // The number is bounded, so that a flood of new connections does not starve the open ones.
        for _ in 0..<64 {
            guard let owner else { return stop(on: loop) }
            guard owner.mayAccept else { return pause("the connection limit is reached", on: loop) }
            let descriptor = accept4(
                socket.descriptor,
                nil,
                nil,
                Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            )
            if descriptor >= 0 {
                owner.accepted(descriptor, at: address, on: loop)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                return pause(String(cString: strerror(errno)), on: loop)
            } else if errno != ECONNABORTED, errno != EINTR {
                return
            }
        }
    }

    /// Resumes after a pause.
    package func timerFired(tag: Int, on loop: isolated EventLoop) {
        guard isBackingOff else { return }
        isBackingOff = false
        token = try? loop.register(socket.descriptor, self, tag: 0, edgeTriggered: false)
    }

    /// Stops listening for a moment, since a level-triggered listener that cannot accept would spin.
    private func pause(_ reason: String, on loop: isolated EventLoop) {
        logger.warning("accepting no connections for \(Self.backOff.milliseconds) ms: \(reason)")
        stop(on: loop)
        isBackingOff = true
        loop.schedule(at: loop.now + Self.backOff, self)
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
