import Glibc
import Testing

/// A socket on a port of 127.0.0.1 that takes connections until it is stopped.
///
/// Its descriptor is closed when nobody holds the value any more, and no sooner: the number of a closed descriptor names
/// what this process opens next, so a late `stop()` would stop the server of another test.
package final class LoopbackListener: Sendable {
    /// Where it listens.
    package let port: UInt16
    private let descriptor: Int32

    /// Takes a port that the kernel chooses.
    ///
    /// - Parameter backlog: How many connections may wait to be accepted; `nil` to refuse all, until another program
    ///   that shares ports (SO_REUSEADDR) listens there.
    /// - Throws: When there is no port.
    package init(backlog: Int32? = 128) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        descriptor = socket
        if backlog == nil {
            var yes: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && backlog.map { listen(socket, $0) == 0 } ?? true
                    && getsockname(socket, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isBound, "no port: \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    /// The next connection, which the caller closes; `nil` once the listener was stopped.
    package func accept() -> Int32? {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 { return connection }
            // The peer may have gone again, and this process may have too many files open for a moment.
            guard [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) else { return nil }
            if errno != EINTR { sched_yield() }
        }
    }

    /// Accepts nothing more: a thread in `accept()` returns, and connections are refused.
    package func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
