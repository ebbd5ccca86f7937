import Dispatch
import Glibc
import PinholeLock

/// A Unix socket on which the proxy receives the sockets of another network namespace.
package final class NamespaceListener: Sendable {
    /// The result of waiting at a listener.
    package enum Arrival: Sendable {
        /// The sockets of a namespace.
        case sockets(IsolatedSockets)
        /// The reason why there is no namespace.
        case failed(String)
        /// The listener was closed before a namespace came.
        case nobody
    }

    /// The path that the other side connects to.
    package let path: String
    private let listener: Int32
    private let channel = Lock<LocalChannel?>(nil)
    private let queue = DispatchQueue(label: "pinhole.isolation")

    /// Creates a listener.
    ///
    /// - Parameter folder: The folder of its socket, which no other user may enter.
    /// - Throws: ``SystemFailure`` when the socket cannot be made.
    package init(in folder: String) throws(SystemFailure) {
        path = "\(folder)/gate"
        listener = try LocalChannel.listen(at: path)
    }

    deinit { Glibc.close(listener) }

    /// Waits until the sockets of a namespace arrive or the listener is closed.
    package func receive() async -> Arrival {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: wait()) }
        }
    }

    private func wait() -> Arrival {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return .nobody }
        let line = LocalChannel(taking: descriptor)
        channel.withLock { $0 = line }
        guard let message = line.receive() else { return .nobody }
        if let sockets = IsolatedSockets(message.descriptors) { return .sockets(sockets) }
        return .failed(String(decoding: message.bytes, as: UTF8.self))
    }

    /// Lets the program begin, since the proxy serves its connections from now on.
    package func open() { _ = channel.withLock { $0 }?.send([1]) }

    /// Ends the wait.
    package func close() { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// The sockets of a network namespace that the proxy serves.
package struct IsolatedSockets: Sendable {
    /// The listeners that receive every connection of the namespace: one for IPv4 and, if available, one for IPv6.
    let listeners: [Int32]
    /// The UDP socket that receives the DNS queries.
    let names: Int32

    /// Sorts descriptors that came through a listener; `nil` if there are too few.
    init?(_ descriptors: [Int32]) {
        guard descriptors.count >= 2, let names = descriptors.last else { return nil }
        listeners = Array(descriptors.dropLast())
        self.names = names
    }
}
