package import PinholeModel
package import Synchronization

/// An object whose connections are closed by their numbers.
///
/// A closure cannot name the type of a hub, since types of connections are not Sendable.
private protocol EvictingHub: LoopOwner {
    func evict(_ number: Int, on loop: isolated EventLoop)
}

/// The part of an embedded server that belongs to its loop: listeners and connections.
package final class ConnectionHub<Connection: ServedConnection & ~Copyable>: LoopOwner, EvictingHub,
    ListenerOwner
{
    private let count: ConnectionCount
    private let limiter: ConnectionLimiter
    /// The time in which a peer must read some of the last bytes of a connection that ends.
    let patience: Duration
    private let make: (_ number: Int, _ listener: SocketAddress) -> Connection
    private var listeners: [Listener] = []
    private var drivers: [Int: ConnectionDriver<Connection>] = [:]
    private var nextNumber = 0

    /// Creates a hub that does not listen yet.
    ///
    /// - Parameters:
    ///   - bounds: The places for connections.
    ///   - count: Counts the connections.
    ///   - patience: The time in which a peer must read some of the last bytes of a connection that ends; otherwise
    ///     the connection is reset.
    ///   - make: Creates the server's end of an accepted connection.
    package init(
        _ bounds: AdmissionBounds,
        count: ConnectionCount = ConnectionCount(),
        patience: Duration = .seconds(30),
        make: @escaping (_ number: Int, _ listener: SocketAddress) -> Connection
    ) {
        self.count = count
        limiter = ConnectionLimiter(bounds)
        self.patience = patience
        self.make = make
    }

    /// Starts to listen on an address.
    ///
    /// - Parameters:
    ///   - address: The address; with port 0 the kernel chooses a port.
    ///   - isExclusive: Whether no other process may listen on the address, not even one of the same user.
    ///   - loop: The loop of the hub.
    /// - Returns: The actual address.
    /// - Throws: ``SystemFailure`` when the address cannot be used.
    package func listen(
        on address: SocketAddress,
        isExclusive: Bool = false,
        on loop: isolated EventLoop
    ) throws(SystemFailure) -> SocketAddress {
        let listener = try Listener(address, limiter: limiter, owner: self, isExclusive: isExclusive)
        try listener.start(on: loop)
        listeners.append(listener)
        return listener.address
    }

    /// Takes over an accepted connection.
    package func accepted(
        _ socket: consuming Socket,
        at address: SocketAddress,
        on loop: isolated EventLoop
    ) -> (@Sendable (Eviction) -> Void)? {
        socket.setNoDelay()
        nextNumber += 1
        let number = nextNumber
        let driver = ConnectionDriver(number: number, hub: self, connection: make(number, address))
        // If the registration fails, the driver is released, and the socket with it.
        guard (try? driver.begin(socket, on: loop)) != nil else { return nil }
        drivers[number] = driver
        count.accepted.add(1, ordering: .relaxed)
        count.open.add(1, ordering: .relaxed)
        let home = loop
        return { _ in home.post { loop in (loop.owner as? any EvictingHub)?.evict(number, on: loop) } }
    }

    func evict(_ number: Int, on loop: isolated EventLoop) { drivers[number]?.stop(on: loop) }

    /// Changes a connection from outside, for example with an answer that was made elsewhere, and continues it.
    ///
    /// - Parameters:
    ///   - number: The number of the connection; if it is closed, nothing happens.
    ///   - loop: The loop of the hub.
    ///   - change: The change.
    package func change(
        _ number: Int,
        on loop: isolated EventLoop,
        _ change: (inout Connection) -> Void
    ) {
        drivers[number]?.change(change, on: loop)
    }

    /// Ends every connection, and stops listening.
    package func stop(on loop: isolated EventLoop) {
        for listener in listeners { listener.stop(on: loop) }
        listeners = []
        for driver in Array(drivers.values) { driver.stop(on: loop) }
    }

    func forget(_ number: Int) {
        guard drivers.removeValue(forKey: number) != nil else { return }
        count.open.subtract(1, ordering: .relaxed)
    }
}

/// The number of open and of accepted connections of an embedded server.
///
/// Any thread may read it.
package final class ConnectionCount: Sendable {
    /// The number of open connections.
    package let open = Atomic<Int>(0)
    /// The number of connections that were accepted so far.
    package let accepted = Atomic<Int>(0)

    /// Creates counts of 0.
    package init() {}
}
