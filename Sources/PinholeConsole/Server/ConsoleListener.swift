package import PinholeCrypto
import PinholeModel
package import PinholeRuntime
import Synchronization

/// Listens on an address, and serves its connections on an event loop of its own.
package final class ConsoleListener: Sendable {
    /// The certificate and the settings of a listener with TLS.
    package struct Security: Sendable {
        let context: TLSContext
        let identity: Identity

        /// Creates the security of a server that presents an identity.
        package init(_ identity: Identity) throws(CryptoFailure) {
            context = try TLSContext(acceptingVersions: .tls12 ... .tls13)
            self.identity = identity
        }

        /// Makes the engine of a connection; `nil` if OpenSSL fails.
        var engine: TLSEngine? {
            try? TLSEngine(
                accepting: context,
                presenting: identity,
                scope: "console",
                applicationProtocol: "http/1.1"
            )
        }
    }

    private typealias Hub = ConnectionHub<SecuredConnection<ConsoleConnection>>

    /// The address, with the port that the kernel chose.
    package let address: SocketAddress
    private let loop: EventLoop
    private let isStopped = Atomic<Bool>(false)

    private init(address: SocketAddress, loop: EventLoop) {
        self.address = address
        self.loop = loop
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: The address; port 0 lets the kernel choose a port.
    ///   - limits: The bounds on what a client may use.
    ///   - security: The certificate for TLS; `nil` for plain HTTP.
    ///   - responder: Makes the responder for the connections of the bound address.
    /// - Returns: The listener, which accepts connections already.
    /// - Throws: ``ConsoleFailure`` if the address cannot be used.
    package static func start(
        on address: SocketAddress,
        limits: ConsoleLimits,
        security: Security? = nil,
        responder: @escaping @Sendable (_ bound: SocketAddress) -> any ConsoleResponder
    ) async throws(ConsoleFailure) -> ConsoleListener {
        do throws(SystemFailure) {
            let count = ConnectionCount()
            let (loop, bound) = try await EventLoop.opening { (isolated) throws(SystemFailure) in
                let (clock, loop) = (LoopClock(), isolated as EventLoop)
                let hub = Hub(limits.admission, count: count) { number, bound in
                    let connection = ConsoleConnection(
                        responder: responder(bound),
                        limits: limits,
                        now: clock.now(),
                        post: { result in Self.post(result, to: number, on: loop) }
                    )
                    guard let security else { return SecuredConnection(connection, engine: nil) }
                    guard let engine = security.engine else {
                        return SecuredConnection(closing: connection)
                    }
                    return SecuredConnection(connection, engine: engine)
                }
                isolated.owner = hub
                return try hub.listen(on: address, isExclusive: true, on: isolated)
            }
            return ConsoleListener(address: bound, loop: loop)
        } catch {
            throw .address(address, error.description)
        }
    }

    private static func post(_ result: PostedResult, to number: Int, on loop: EventLoop) {
        loop.post { loop in
            let now = loop.now
            (loop.owner as? Hub)?.change(number, on: loop) { $0.inside.deliver(result, at: now) }
        }
    }

    /// Closes every connection and stops listening.
    ///
    /// - Returns: Whether the listener listened until now.
    @discardableResult
    package func stop() -> Bool {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return false }
        loop.post { loop in
            (loop.owner as? Hub)?.stop(on: loop)
            loop.owner = nil
            loop.stop()
        }
        return true
    }
}

extension SocketAddress {
    /// Whether only programs of this machine reach a listener on the address.
    ///
    /// A client that connects to 0.0.0.0 reaches loopback, but a listener on 0.0.0.0 is reachable from everywhere.
    package var isReachableHereOnly: Bool { address.isLoopback && !address.unmapped.isUnspecified }
}
