package import Synchronization

/// The part of an embedded server that lives on its loop: listeners and connections.
package final class ConnectionHub<Connection: ServedConnection & ~Copyable>: LoopTenant, ListenerOwner {
    private let count: ConnectionCount
    private let limit: Int
    private let make: (_ number: Int, _ listener: SocketAddress) -> Connection
    private var listeners: [Listener] = []
    private var drivers: [Int: ConnectionDriver<Connection>] = [:]
    private var nextNumber = 0

    /// Creates a hub that does not listen yet.
    ///
    /// - Parameters:
    ///   - count: Counts its connections.
    ///   - limit: Connections at one time. For one more, the oldest is closed that may be; where none may be, it waits
    ///     to be accepted.
    ///   - make: Makes the end of a connection that was accepted.
    package init(
        count: ConnectionCount = ConnectionCount(),
        limit: Int = .max,
        make: @escaping (_ number: Int, _ listener: SocketAddress) -> Connection
    ) {
        self.count = count
        self.limit = limit
        self.make = make
    }

    /// Whether there is room for one more connection, or can be made.
    package var mayAccept: Bool { drivers.count < limit || expendable != nil }

    /// The connection that is closed for another one: the oldest of a stranger, else the oldest that rests.
    private var expendable: ConnectionDriver<Connection>? {
        let numbers = drivers.filter { $0.value.isExpendable }
        let strangers = numbers.filter { $0.value.isStranger }
        return (strangers.isEmpty ? numbers : strangers).min { $0.key < $1.key }?.value
    }

    /// Where it listens, in the order in which that was asked for.
    package var addresses: [SocketAddress] { listeners.map(\.address) }

    /// Listens.
    ///
    /// - Parameters:
    ///   - address: Where; port 0 lets the kernel choose.
    ///   - isExclusive: Whether nobody else may listen there, of the same user either.
    ///   - loop: The loop of the hub.
    /// - Returns: Where it listens.
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

    /// Takes over a connection.
    package func accepted(_ descriptor: Int32, at address: SocketAddress, on loop: isolated EventLoop) {
        let socket = Socket(taking: descriptor)
        socket.setNoDelay()
        if drivers.count >= limit { expendable?.stop(on: loop) }
        nextNumber += 1
        let driver = ConnectionDriver(number: nextNumber, hub: self, connection: make(nextNumber, address))
        // Without a registration the driver goes, and the socket with it.
        guard (try? driver.begin(socket, on: loop)) != nil else { return }
        drivers[nextNumber] = driver
        count.accepted.add(1, ordering: .relaxed)
        count.open.add(1, ordering: .relaxed)
    }

    /// Changes a connection from without, as with an answer that was made elsewhere, and goes on with it.
    ///
    /// - Parameters:
    ///   - number: Its number; where it is gone nothing is done.
    ///   - loop: The loop of the hub.
    ///   - change: What is done.
    package func change(
        _ number: Int,
        on loop: isolated EventLoop,
        _ change: (inout Connection) -> Void
    ) {
        drivers[number]?.change(change, on: loop)
    }

    /// Ends every connection and stops listening.
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

/// How many connections an embedded server has and had; read from any thread.
package final class ConnectionCount: Sendable {
    /// Those that are open.
    package let open = Atomic<Int>(0)
    /// Those that were ever accepted.
    package let accepted = Atomic<Int>(0)

    /// Creates a count of none.
    package init() {}
}
