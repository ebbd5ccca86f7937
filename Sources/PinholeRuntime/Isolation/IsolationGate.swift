import Dispatch
import Glibc
import PinholeLock

/// A Unix socket by which the proxy receives the sockets of another network namespace.
package final class IsolationGate: Sendable {
    /// The result of waiting at a gate.
    package enum Arrival: Sendable {
        /// The sockets of a namespace.
        case sockets(IsolatedSockets)
        /// The reason why there is no namespace.
        case failed(String)
        /// Nobody came before the gate was closed.
        case nobody
    }

    /// The path that the other side connects to.
    package let path: String
    private let listener: Int32
    private let channel = Lock<LocalChannel?>(nil)
    private let queue = DispatchQueue(label: "pinhole.isolation")

    /// Creates a gate.
    ///
    /// - Parameter folder: The folder of its socket, which no other user may enter.
    /// - Throws: ``SystemFailure`` when it cannot be made.
    package init(in folder: String) throws(SystemFailure) {
        path = "\(folder)/gate"
        listener = try LocalChannel.listen(at: path)
    }

    deinit { Glibc.close(listener) }

    /// Waits until the sockets of a namespace come, or the gate is closed.
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

    /// Lets the program begin: its connections are served from now on.
    package func open() { _ = channel.withLock { $0 }?.send([1]) }

    /// Ends the waiting.
    package func close() { shutdown(listener, Int32(SHUT_RDWR)) }
}

/// The sockets of a network namespace by which the proxy serves it.
package struct IsolatedSockets: Sendable {
    /// Listeners that every connection of the namespace is led to, by IPv4 and, where there is one, by IPv6.
    let listeners: [Int32]
    /// The UDP socket that receives the DNS queries.
    let names: Int32

    /// Sorts descriptors that came through a gate; `nil` if they are no such sockets.
    init?(_ descriptors: [Int32]) {
        guard descriptors.count >= 2, let names = descriptors.last else { return nil }
        listeners = Array(descriptors.dropLast())
        self.names = names
    }
}
