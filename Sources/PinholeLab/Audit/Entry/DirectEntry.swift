package import PinholeRuntime

/// A listener for programs that connect straight to an address: each connection is led through the lab's
/// proxy as if its client had sent the CONNECT itself.
///
/// The listener stays open over all scenarios, so a phone has to be pointed at it only once.
package final class DirectEntry: Sendable {
    /// The destination of a connection that the listener accepts.
    struct Target: Sendable {
        /// The address of the lab's proxy.
        var proxy: SocketAddress
        /// The authority of the CONNECT that is sent to the proxy: `host:port`.
        var authority: String
        /// The protocol that precedes TLS; `nil` for TLS from the first byte.
        var startTLS: StartTLS?
        /// Called with the signals of a connection before TLS begins.
        var tell: @Sendable (WireSignal) -> Void = { _ in }
    }

    /// The address on which the entry listens.
    package let address: SocketAddress
    private let loop: EventLoop

    private init(address: SocketAddress, loop: EventLoop) {
        self.address = address
        self.loop = loop
    }

    deinit { stop() }

    /// Starts to listen.
    ///
    /// - Parameter address: The address; port 0 lets the kernel choose.
    /// - Returns: The listener.
    /// - Throws: ``LabFailure`` when the address cannot be used.
    package static func start(on address: SocketAddress) async throws(LabFailure) -> DirectEntry {
        do throws(SystemFailure) {
            let (loop, bound) = try await EventLoop.opening { (loop) throws(SystemFailure) in
                let hub = DirectHub()
                loop.owner = hub
                return try hub.listen(on: address, loop)
            }
            return DirectEntry(address: bound, loop: loop)
        } catch {
            throw LabFailure("\(error): choose another address with --listen")
        }
    }

    /// Leads later connections to a target and ends the earlier ones; with `nil`, later connections are closed.
    func lead(to target: Target?) {
        loop.post { loop in (loop.owner as? DirectHub)?.lead(to: target, loop) }
    }

    /// Ends every connection and stops listening.
    package func stop() {
        loop.post { loop in
            (loop.owner as? DirectHub)?.stop(loop)
            loop.owner = nil
            loop.stop()
        }
    }
}
