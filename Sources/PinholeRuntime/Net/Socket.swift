import CLinux
import Glibc
package import PinholeModel

/// A non-blocking TCP socket, closed exactly once.
package struct Socket: ~Copyable {
    /// What came of a read.
    package enum ReadResult: Equatable, Sendable {
        /// That many bytes came.
        case bytes(Int)
        /// Nothing is there now.
        case wouldBlock
        /// The peer sends nothing more.
        case end
        /// The connection is broken.
        case failed(Int32)
    }

    /// The descriptor, for registration.
    package let descriptor: Int32

    /// Takes over an open, non-blocking descriptor.
    package init(taking descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Creates a TCP socket for addresses of `family`.
    init(family: Int32) throws(SystemFailure) {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { throw SystemFailure("could not create a socket", errno) }
        self.descriptor = descriptor
    }

    /// Creates a TCP socket and begins to connect it; completion shows as writability.
    package static func connecting(to address: SocketAddress) throws(SystemFailure) -> Socket {
        let socket = try Socket(family: address.family)
        try socket.connect(to: address)
        return socket
    }

    deinit { close(descriptor) }

    /// Hands out the descriptor, which is not closed here any more.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// Lets the connection that is made next come from `address`; the port is found only then, so that one does for
    /// many servers.
    func bind(from address: IPAddress) throws(SystemFailure) {
        set(Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, 1)
        let result = SocketAddress(address, port: 0).withSystemAddress { Glibc.bind(descriptor, $0, $1) }
        guard result == 0 else { throw SystemFailure("could not connect from \(address)", errno) }
    }

    /// Begins to connect; completion shows as writability.
    func connect(to address: SocketAddress) throws(SystemFailure) {
        let result = address.withSystemAddress { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            throw SystemFailure("could not connect to \(address)", errno)
        }
    }

    /// The pending error of the socket, 0 for none; it is cleared by reading it.
    func takeError() -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code
    }

    /// Sends small pieces at once: a proxy writes whole turns, so waiting (Nagle) only adds latency.
    package func setNoDelay() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Lets the system hand over connections to addresses that are not this machine's (IP_TRANSPARENT).
    func takeForeign(_ address: SocketAddress) throws(SystemFailure) {
        var value: Int32 = 1
        let (level, option) =
            address.address.isVersion6
            ? (Int32(IPPROTO_IPV6), IPV6_TRANSPARENT) : (Int32(IPPROTO_IP), IP_TRANSPARENT)
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(descriptor, level, Int32(option), &value, size) == 0 else {
            throw SystemFailure("could not listen on \(address) for TPROXY (IP_TRANSPARENT)", errno)
        }
    }

    /// Reads up to `limit` bytes to the back of `queue`.
    package func read(into queue: inout ByteQueue, limit: Int) -> ReadResult {
        var result = 0
        queue.append(capacity: limit) { room in
            room.withUnsafeMutableBufferPointer { buffer, count in
                repeat {
                    result = recv(descriptor, buffer.baseAddress, limit, 0)
                } while result < 0 && errno == EINTR
                count = max(0, result)
            }
        }
        if result > 0 { return .bytes(result) }
        if result == 0 { return .end }
        return errno == EAGAIN ? .wouldBlock : .failed(errno)
    }

    /// Writes what it can from the front of `queue`.
    ///
    /// - Throws: ``SystemFailure`` when the connection is broken.
    package func write(from queue: inout ByteQueue) throws(SystemFailure) {
        while !queue.isEmpty {
            let count = queue.bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                queue.consume(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw SystemFailure("could not send", errno)
            }
        }
    }

    /// Lets the close be a reset: what waits is dropped, and the peer is told that something broke.
    package func resetOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }

    /// Says that nothing more will be sent.
    package func shutdownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The address of the peer.
    package var peerAddress: SocketAddress? { address(getpeername) }

    /// The address of this end.
    var localAddress: SocketAddress? { Self.localAddress(of: descriptor) }

    /// Where the connection was going before the system rewrote that (SO_ORIGINAL_DST); `nil` where it did not.
    var originalDestination: SocketAddress? {
        // <linux/netfilter_ipv4.h>, and <linux/netfilter_ipv6/ip6_tables.h> with the same number.
        let option: Int32 = 80
        return Self.address(descriptor) { descriptor, address, size in
            let level = localAddress?.address.isVersion6 == true ? Int32(IPPROTO_IPV6) : Int32(IPPROTO_IP)
            return getsockopt(descriptor, level, option, address, size)
        }
    }

    /// The local address of a socket; `nil` where the descriptor is none.
    static func localAddress(of descriptor: Int32) -> SocketAddress? { address(descriptor, getsockname) }

    private func address(
        _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> SocketAddress? {
        Self.address(descriptor, call)
    }

    private static func address(
        _ descriptor: Int32,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                call(descriptor, plain, &size) == 0 ? SocketAddress(plain) : nil
            }
        }
    }
}
