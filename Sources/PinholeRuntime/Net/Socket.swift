import CLinux
import Glibc
package import PinholeModel

/// A non-blocking TCP socket that is closed exactly once.
package struct Socket: ~Copyable {
    /// The result of a read.
    package enum ReadResult: Equatable, Sendable {
        /// This number of bytes was read.
        case bytes(Int)
        /// No data is available now.
        case wouldBlock
        /// The peer sends nothing more.
        case end
        /// The connection is broken.
        case failed(Int32)
    }

    /// The descriptor, which callers use for registration.
    package private(set) var descriptor: Int32
    /// The receiver of the bytes that pass; `nil` if they are not kept.
    var tap: PacketTap?
    /// The place of an accepted connection; `nil` for other sockets.
    package private(set) var place: Place?

    /// Takes over an accepted, non-blocking descriptor with its place, which ends with the socket.
    init(taking descriptor: Int32, in place: Place) {
        self.descriptor = descriptor
        self.place = place
    }

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

    /// Creates a TCP socket and begins to connect.
    ///
    /// The socket becomes writable when the connection is complete.
    package static func connecting(to address: SocketAddress) throws(SystemFailure) -> Socket {
        let socket = try Socket(family: address.family)
        try socket.connect(to: address)
        return socket
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        place?.release()
    }

    /// Returns the descriptor, which this value no longer closes.
    consuming func release() -> Int32 {
        let released = descriptor
        descriptor = -1
        return released
    }

    /// Sets the source address of the connection that is made next.
    ///
    /// The port is chosen only then, so that one port can serve many servers.
    func bind(from address: IPAddress) throws(SystemFailure) {
        set(Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, 1)
        let result = SocketAddress(address, port: 0).withSystemAddress { Glibc.bind(descriptor, $0, $1) }
        guard result == 0 else { throw SystemFailure("could not connect from \(address)", errno) }
    }

    /// Begins to connect.
    ///
    /// The socket becomes writable when the connection is complete.
    func connect(to address: SocketAddress) throws(SystemFailure) {
        let result = address.withSystemAddress { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            throw SystemFailure("could not connect to \(address)", errno)
        }
    }

    /// Takes the pending error of the socket; 0 for none.
    ///
    /// Reading clears it.
    func takeError() -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code
    }

    /// Sends small pieces at once.
    ///
    /// A proxy writes whole turns, so waiting (Nagle) only adds latency.
    package func setNoDelay() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Permits connections to addresses that are not this machine's (IP_TRANSPARENT).
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

    /// Reads up to `limit` bytes and appends them to `queue`.
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
        if result > 0 {
            if let tap { tap.keep(.received, queue.suffix(result)) }
            return .bytes(result)
        }
        if result == 0 { return .end }
        return errno == EAGAIN ? .wouldBlock : .failed(errno)
    }

    /// Writes as many bytes as possible from the front of `queue`.
    ///
    /// - Throws: ``SystemFailure`` when the connection is broken.
    package func write(from queue: inout ByteQueue) throws(SystemFailure) {
        while !queue.isEmpty {
            let count = queue.bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                if let tap { tap.keep(.sent, queue.prefix(count)) }
                queue.consume(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw SystemFailure("could not send", errno)
            }
        }
    }

    /// Makes the close a reset: waiting data is dropped, and the peer learns that an error occurred.
    package func resetOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }

    /// Tells the peer that nothing more will be sent.
    package func shutdownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The address of the peer.
    package var peerAddress: SocketAddress? { address(getpeername) }

    /// The address of this end.
    var localAddress: SocketAddress? { Self.localAddress(of: descriptor) }

    /// The original destination of the connection before the system rewrote it (SO_ORIGINAL_DST); `nil` if it
    /// was not rewritten.
    var originalDestination: SocketAddress? {
        // The number is from <linux/netfilter_ipv4.h>, and the same as in
        // <linux/netfilter_ipv6/ip6_tables.h>.
        let option: Int32 = 80
        return Self.address(descriptor) { descriptor, address, size in
            let level = localAddress?.address.isVersion6 == true ? Int32(IPPROTO_IPV6) : Int32(IPPROTO_IP)
            return getsockopt(descriptor, level, option, address, size)
        }
    }

    /// The local address of a socket; `nil` if the descriptor is no IP socket.
    static func localAddress(of descriptor: Int32) -> SocketAddress? { address(descriptor, getsockname) }

    /// The address of the peer of a socket; `nil` if there is none.
    static func peerAddress(of descriptor: Int32) -> SocketAddress? { address(descriptor, getpeername) }

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
