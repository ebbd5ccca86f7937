import CLinux
import Glibc
import PinholeLock

/// Makes the connections to servers: from which address and with which mark is wanted, and knows them again when the firewall leads
/// one back.
package final class OutgoingConnections: Sendable {
    fileprivate struct State {
        var mark: UInt32?
        var sources = SourceAddresses()
        var isRemembering = false
        /// Those that were made; some are closed by now.
        var descriptors: [ConnectionEnds: Int32] = [:]
        /// At how many of them those that are closed are forgotten.
        var limit = 1024
    }

    private let state = Lock(State())

    /// Creates what makes connections that have no mark and are not remembered.
    package init() {}

    /// Fails where the system does not let this process mark connections.
    ///
    /// - Parameter mark: The mark.
    /// - Throws: ``SystemFailure`` with what it says.
    package static func check(mark: UInt32) throws(SystemFailure) {
        let socket = try Socket(family: AF_INET)
        try Self.set(mark, on: socket.descriptor)
    }

    /// Marks connections from now on (SO_MARK), and chooses where they come from.
    ///
    /// - Parameters:
    ///   - mark: The mark; `nil` for none.
    ///   - sources: The addresses that they come from.
    func use(mark: UInt32?, from sources: SourceAddresses) {
        state.withLock { state in
            state.mark = mark
            state.sources = sources
        }
    }

    /// The addresses that connections come from.
    var sources: SourceAddresses { state.withLock { $0.sources } }

    /// Remembers connections from now on.
    func remember() { state.withLock { $0.isRemembering = true } }

    /// Begins to connect; completion shows as writability.
    ///
    /// - Parameter address: Where to.
    /// - Returns: The descriptor.
    /// - Throws: ``SystemFailure`` when that fails at once.
    func connect(to address: SocketAddress) throws(SystemFailure) -> Int32 {
        let (mark, source, isRemembering) = state.withLock {
            ($0.mark, $0.sources.source(for: address.address), $0.isRemembering)
        }
        let socket = try Socket(family: address.family)
        if let mark { try Self.set(mark, on: socket.descriptor) }
        if let source { try socket.bind(from: source) }
        guard isRemembering else {
            try socket.connect(to: address)
            return socket.release()
        }
        let descriptor = socket.descriptor
        // Under the lock: the connection may come back to another loop before this one goes on.
        let code = state.withLock { state -> Int32 in
            let result = address.withSystemAddress { Glibc.connect(descriptor, $0, $1) }
            guard result == 0 || errno == EINPROGRESS else { return errno }
            if let local = Socket.localAddress(of: descriptor) {
                state.remember(ConnectionEnds(local: local, remote: address), descriptor)
            }
            return 0
        }
        guard code == 0 else { throw SystemFailure("could not connect to \(address)", code) }
        return socket.release()
    }

    /// Whether a connection that was accepted is one of those that were made here.
    ///
    /// - Parameters:
    ///   - peer: Who connected.
    ///   - destination: Where that was going.
    /// - Returns: Whether one of them has these ends, and stands.
    func contains(from peer: SocketAddress, to destination: SocketAddress) -> Bool {
        let ends = ConnectionEnds(local: peer, remote: destination)
        return state.withLock { state in state.stands(ends) }
    }

    private static func set(_ mark: UInt32, on descriptor: Int32) throws(SystemFailure) {
        var value = mark
        guard setsockopt(descriptor, SOL_SOCKET, SO_MARK, &value, socklen_t(MemoryLayout<UInt32>.size)) == 0
        else { throw SystemFailure("could not mark a connection with \(mark) (SO_MARK)", errno) }
    }
}

extension OutgoingConnections.State {
    fileprivate mutating func remember(_ ends: ConnectionEnds, _ descriptor: Int32) {
        descriptors[ends] = descriptor
        guard descriptors.count > limit else { return }
        let standing = descriptors.filter { Self.isOpen($0.key, $0.value) }
        descriptors = standing
        limit = max(1024, standing.count * 2)
    }

    /// The descriptor may have been closed, and be something else by now.
    fileprivate func stands(_ ends: ConnectionEnds) -> Bool {
        guard let descriptor = descriptors[ends] else { return false }
        return Self.isOpen(ends, descriptor)
    }

    private static func isOpen(_ ends: ConnectionEnds, _ descriptor: Int32) -> Bool {
        Socket.localAddress(of: descriptor) == ends.local
    }
}
