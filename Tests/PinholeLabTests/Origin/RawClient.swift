import Glibc
import PinholeRuntime
import PinholeTestKit

/// A blocking TCP client that sends what it is told, byte for byte.
final class RawClient {
    /// How a connection ended.
    enum End: Equatable {
        /// FIN.
        case orderly
        /// RST, or another error.
        case broken(Int32)
    }

    private let descriptor: Int32

    /// Connects to `address` on 127.0.0.1.
    init(_ address: SocketAddress) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var plain = sockaddr_in()
        plain.sin_family = sa_family_t(AF_INET)
        plain.sin_port = address.port.bigEndian
        plain.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &plain) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw SystemFailure("could not connect", errno) }
    }

    deinit { close(descriptor) }

    /// Sends `text`.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Says that nothing more will be sent.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until what came ends in `ending`, or the peer ends.
    func read(until ending: String) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.reversed().starts(with: ending.utf8.reversed()), recv(descriptor, &byte, 1, 0) == 1 {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until the peer ends.
    func readAll() -> (text: String, end: End) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return (String(decoding: bytes, as: UTF8.self), .orderly) }
            if count < 0 { return (String(decoding: bytes, as: UTF8.self), .broken(errno)) }
            bytes += buffer[..<count]
        }
    }
}
