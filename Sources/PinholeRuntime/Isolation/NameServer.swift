import CLinux
import Glibc

/// Answers the DNS queries of one namespace over UDP.
final class NameServer: ReadinessHandler {
    private let socket: Socket
    private let pool: NamePool
    /// The largest number of questions that are answered in one turn of the loop.
    private static let turn = 64

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - descriptor: A non-blocking UDP socket; the server takes it over.
    ///   - pool: The pool of stand-in addresses.
    init(taking descriptor: Int32, _ pool: NamePool) {
        socket = Socket(taking: descriptor)
        self.pool = pool
    }

    /// Begins to answer.
    ///
    /// The loop holds the server until the loop ends.
    func start(on loop: isolated EventLoop) throws(SystemFailure) {
        _ = try loop.register(socket.descriptor, self, tag: 0, edgeTriggered: false)
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        for _ in 0..<Self.turn {
            var sender = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            var bytes = [UInt8](repeating: 0, count: 1024)
            let count = withAddress(&sender) { address in
                bytes.withUnsafeMutableBytes {
                    recvfrom(socket.descriptor, $0.baseAddress, $0.count, 0, address, &size)
                }
            }
            guard count >= 0 else { return }
            bytes.removeLast(bytes.count - count)
            guard let answer = NameQuery(bytes)?.answer(from: pool) else { continue }
            // A lost answer is no problem: the client asks again.
            _ = withAddress(&sender) { address in
                answer.withUnsafeBytes {
                    sendto(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), address, size)
                }
            }
        }
    }

    private func withAddress(
        _ storage: inout sockaddr_storage,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Int
    ) -> Int {
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
