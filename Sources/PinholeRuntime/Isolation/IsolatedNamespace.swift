import CLinux
import Glibc
import PinholeModel

/// The network namespace of this process, prepared for a program whose connections all lead to the proxy.
package struct IsolatedNamespace {
    private static let address = "198.18.0.1"
    private static let address6 = "100::1"
    private let gate: LocalChannel

    /// Connects to the listener of the proxy.
    ///
    /// - Parameter path: The path of the listener's socket.
    /// - Throws: ``SystemFailure`` when no proxy listens there.
    package init(gate path: String) throws(SystemFailure) { gate = try LocalChannel(to: path) }

    /// The sockets and their addresses.
    package struct Sockets {
        /// The port that connections have to be redirected to.
        package let port: UInt16
        /// The listener's IPv6 address; `nil` if the namespace has no IPv6.
        package let address6: String?
        /// The listener's IPv4 address.
        package let address: String
        fileprivate let descriptors: [Int32]
    }

    /// Opens the sockets.
    ///
    /// The interface and its routes must exist already.
    ///
    /// - Throws: ``SystemFailure`` when the kernel refuses one.
    package func openSockets() throws(SystemFailure) -> Sockets {
        let (first, port) = try Self.listener(Self.address, 0)
        // If IPv6 is switched off, no connection uses it.
        let second = try? Self.listener(Self.address6, port).descriptor
        let names = socket(
            AF_INET,
            Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
            0
        )
        guard names >= 0 else { throw SystemFailure("could not create a socket", errno) }
        let place = try Self.socketAddress("127.0.0.1", 53)
        guard place.withSystemAddress({ bind(names, $0, $1) }) == 0 else {
            throw SystemFailure("could not listen on \(place) for names", errno)
        }
        return Sockets(
            port: port,
            address6: second == nil ? nil : Self.address6,
            address: Self.address,
            descriptors: [first] + [second].compactMap(\.self) + [names]
        )
    }

    private static func socketAddress(_ text: String, _ port: UInt16) throws(SystemFailure) -> SocketAddress {
        guard let address = IPAddress(text) else { throw SystemFailure("could not read \(text)", EINVAL) }
        return SocketAddress(address, port: port)
    }

    private static func listener(
        _ text: String,
        _ port: UInt16
    ) throws(SystemFailure) -> (descriptor: Int32, port: UInt16) {
        let socket = try Listener.bound(to: try socketAddress(text, port), shared: false, takesForeign: true)
        guard listen(socket.descriptor, SOMAXCONN) == 0, let bound = socket.localAddress else {
            throw SystemFailure("could not listen on \(text)", errno)
        }
        return (socket.release(), bound.port)
    }

    /// Hands the sockets to the proxy, and waits until it serves them.
    ///
    /// - Returns: Whether the proxy serves them; `false` if the proxy has ended.
    package func handOver(_ sockets: Sockets) -> Bool {
        gate.send([1], sockets.descriptors) && gate.receive() != nil
    }

    /// Tells the proxy why the namespace could not be set up.
    package func tell(_ failure: String) { _ = gate.send(Array(failure.utf8.prefix(4096))) }

    /// Makes a file appear at a path, only in this mount namespace.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - path: The path at which the file appears; another file has to exist there.
    /// - Throws: ``SystemFailure`` when the kernel refuses.
    package func mount(_ file: String, over path: String) throws(SystemFailure) {
        guard pinhole_bind_mount(file, path) == 0 else {
            throw SystemFailure("could not mount \(file) over \(path)", errno)
        }
    }

    /// Replaces this process by the program, without the capabilities in the namespace.
    ///
    /// - Parameter command: The program, which is looked up as a shell does, and its arguments.
    /// - Throws: ``SystemFailure`` when there is no such program. Otherwise the call does not return.
    package func become(_ command: [String]) throws(SystemFailure) {
        pinhole_drop_ambient_capabilities()
        // exec keeps both: the signals that threads of this process block, and the ignored SIGPIPE.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        signal(SIGPIPE, SIG_DFL)
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        words.append(nil)
        if let name = words[0] { execvp(name, words) }
        throw SystemFailure("could not run \(command.first ?? "")", errno)
    }
}
