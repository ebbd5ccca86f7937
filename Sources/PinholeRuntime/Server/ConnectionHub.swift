package import Synchronization

/// The part of an embedded server that belongs to its loop: listeners and connections.
package final class ConnectionHub<Connection: ServedConnection & ~Copyable>: LoopTenant, ListenerOwner {
    private let count: ConnectionCount
    private let limit: Int
    /// The time in which a peer must read some of the last bytes of a connection that ends.
    let patience: Duration
    private let make: (_ number: Int, _ listener: SocketAddress) -> Connection
    private var listeners: [Listener] = []
    private var drivers: [Int: ConnectionDriver<Connection>] = [:]
    private var nextNumber = 0

    /// Creates a hub that does not listen yet.
    ///
    /// - Parameters:
    ///   - count: Counts the connections.
    ///   - limit: The largest number of connections at one time. For another one, the oldest expendable
    ///     connection is closed. If none is expendable, the new one waits to be accepted.
    ///   - patience: The time in which a peer must read some of the last bytes of a connection that ends; otherwise
    ///     the connection is reset.
    ///   - make: Creates the server's end of an accepted connection.
    package init(
        count: ConnectionCount = ConnectionCount(),
        limit: Int = .max,
        patience: Duration = .seconds(30),
        make: @escaping (_ number: Int, _ listener: SocketAddress) -> Connection
    ) {
        self.count = count
        self.limit = limit
        self.patience = patience
        self.make = make
    }

    /// Whether there is room for one more connection, or room can be made.
    package var mayAccept: Bool { drivers.count < limit || expendable != nil }

    /// The connection to close for another one: the oldest one without an accepted request, otherwise the
    /// oldest expendable one.
    private var expendable: ConnectionDriver<Connection>? {
        let numbers = drivers.filter { $0.value.isExpendable }
        let strangers = numbers.filter { $0.value.isStranger }
        return (strangers.isEmpty ? numbers : strangers).min { $0.key < $1.key }?.value
    }

    /// The addresses of the listeners, in the order of the calls.
    package var addresses: [SocketAddress] { listeners.map(\.address) }

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
        let listener = try Listener(address, owner: self, isExclusive: isExclusive)
        try listener.start(on: loop)
        listeners.append(listener)
        return listener.address
    }

    /// Takes over an accepted connection.
    package func accepted(_ descriptor: Int32, at address: SocketAddress, on loop: isolated EventLoop) {
        let socket = Socket(taking: descriptor)
        socket.setNoDelay()
        if drivers.count >= limit { expendable?.stop(on: loop) }
        nextNumber += 1
        let driver = ConnectionDriver(number: nextNumber, hub: self, connection: make(nextNumber, address))
        // If the registration fails, the driver is released, and the socket with it.
        guard (try? driver.begin(socket, on: loop)) != nil else { return }
        drivers[nextNumber] = driver
        count.accepted.add(1, ordering: .relaxed)
        count.open.add(1, ordering: .relaxed)
    }

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
