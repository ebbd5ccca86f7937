import CLinux
import Glibc
import PinholeLock

/// Makes the connections to servers with the configured source address and mark.
///
/// The class recognises its own connections if the firewall leads one back to the proxy.
package final class OutgoingConnections: Sendable {
    fileprivate struct State {
        var mark: UInt32?
        var sources = SourceAddresses()
        var isRemembering = false
        /// The connections that were made; some may be closed.
        var descriptors: [ConnectionEnds: Int32] = [:]
        /// The number of remembered connections at which closed ones are removed.
        var limit = 1024
    }

    private let state = Lock(State())

    /// Creates an instance without a mark that does not remember connections.
    package init() {}

    /// Throws if the system does not permit this process to mark connections.
    ///
    /// - Throws: ``SystemFailure`` with the system's reason.
    package static func check(mark: UInt32) throws(SystemFailure) {
        let socket = try Socket(family: AF_INET)
        try Self.set(mark, on: socket.descriptor)
    }

    /// Sets the mark (SO_MARK) and the source addresses of new connections.
    ///
    /// - Parameters:
    ///   - mark: The mark; `nil` for none.
    ///   - sources: The source addresses.
    func use(mark: UInt32?, from sources: SourceAddresses) {
        state.withLock { state in
            state.mark = mark
            state.sources = sources
        }
    }

    /// The source addresses of connections.
    var sources: SourceAddresses { state.withLock { $0.sources } }

    /// Starts to remember connections.
    func remember() { state.withLock { $0.isRemembering = true } }

    /// Begins to connect.
    ///
    /// The descriptor becomes writable when the connection is complete.
    ///
    /// - Parameter address: The address of the server.
    /// - Returns: The descriptor.
    /// - Throws: ``SystemFailure`` when the attempt fails at once.
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
        // The lock is held, because the connection may come back on another loop before this one continues.
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

    /// Whether an accepted connection was made by this proxy.
    ///
    /// - Parameters:
    ///   - peer: The address of the client.
    ///   - destination: The address that the client wanted to reach.
    /// - Returns: Whether a connection with these ends was made here and is still open.
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

    /// Whether the connection is open.
    ///
    /// Its descriptor may have been closed and used again.
    fileprivate func stands(_ ends: ConnectionEnds) -> Bool {
        guard let descriptor = descriptors[ends] else { return false }
        return Self.isOpen(ends, descriptor)
    }

    private static func isOpen(_ ends: ConnectionEnds, _ descriptor: Int32) -> Bool {
        Socket.localAddress(of: descriptor) == ends.local
    }
}
