import PinholeModel
import PinholeRuntime

/// A relay on the way to a server, which tampers with the bytes.
final class TamperingRelay: Sendable {
    /// The address on which the relay listens.
    let address: SocketAddress
    private let loop: EventLoop

    private init(address: SocketAddress, loop: EventLoop) {
        self.address = address
        self.loop = loop
    }

    /// Opens a relay on loopback.
    ///
    /// - Parameters:
    ///   - tampering: The tampering.
    ///   - server: The server that the relay connects to.
    ///   - journal: Gets a line for each ClientHello: the newest version that it offers.
    ///   - ports: The ports of the tested server, if `server` is a proxy; empty if it is not.
    /// - Returns: The relay; it accepts already.
    /// - Throws: ``SystemFailure`` when the system refuses a socket.
    static func start(
        _ tampering: Tampering,
        before server: SocketAddress,
        _ journal: LabJournal,
        ports: [UInt16] = []
    ) async throws(SystemFailure) -> TamperingRelay {
        let (loop, address) = try await EventLoop.opening { (loop) throws(SystemFailure) in
            let room = RelayConnections(tampering, server, journal, ports)
            loop.owner = room
            return try room.listen(on: SocketAddress(server.address, port: 0), loop)
        }
        return TamperingRelay(address: address, loop: loop)
    }

    /// Stops the listener and closes all connections.
    func stop() {
        loop.post { loop in
            (loop.owner as? RelayConnections)?.stop(on: loop)
            loop.owner = nil
            loop.stop()
        }
    }
}

/// The part of a relay that lives on its loop.
private final class RelayConnections: LoopOwner, ListenerOwner {
    private let tampering: Tampering
    private let server: SocketAddress
    private let journal: LabJournal
    private let ports: [UInt16]
    private var listener: Listener?
    private var pipes: [RelayPipe] = []
    private var acceptedCount = 0
    private let limiter = ConnectionLimiter(.embedded)

    init(_ tampering: Tampering, _ server: SocketAddress, _ journal: LabJournal, _ ports: [UInt16]) {
        self.ports = ports
        self.tampering = tampering
        self.server = server
        self.journal = journal
    }

    func listen(
        on address: SocketAddress,
        _ loop: isolated EventLoop
    ) throws(SystemFailure) -> SocketAddress {
        let listener = try Listener(address, limiter: limiter, owner: self)
        try listener.start(on: loop)
        self.listener = listener
        return listener.address
    }

    func accepted(
        _ socket: consuming Socket,
        at address: SocketAddress,
        on loop: isolated EventLoop
    ) -> (@Sendable (Eviction) -> Void)? {
        let place = socket.place
        let pipe = RelayPipe(taking: socket, tampering, journal, ports: ports, number: acceptedCount)
        let number = acceptedCount
        acceptedCount += 1
        // A relay does not know what a request is.
        guard place?.change(to: .busy(nil), at: loop.now) != false else { return nil }
        pipe.begin(to: server, on: loop)
        pipes.removeAll(where: \.isOver)
        pipes.append(pipe)
        let home = loop
        return { _ in home.post { ($0.owner as? RelayConnections)?.evict(number, on: $0) } }
    }

    private func evict(_ number: Int, on loop: isolated EventLoop) {
        pipes.first { $0.number == number }?.close(on: loop)
    }

    func stop(on loop: isolated EventLoop) {
        listener?.stop(on: loop)
        for pipe in pipes { pipe.close(on: loop) }
        pipes = []
    }
}
