package import PinholeModel
package import PinholeRuntime
import Synchronization

/// An embedded server on loopback, with a CA of its own, several hosts and every fault that a test needs.
///
/// The origin listens on two ports that the kernel chooses: one for HTTPS and one for plain HTTP. Hosts are
/// distinguished by SNI. The client has to resolve their names to the address of the origin (`--resolve`).
package final class Origin: Sendable {
    /// The authority that signs the certificates; clients have to trust its ``OriginAuthority/root``.
    package let authority: OriginAuthority
    /// The address for HTTPS.
    package let secureAddress: SocketAddress
    /// The address for plain HTTP.
    package let plainAddress: SocketAddress

    private let pins: [Host: String]
    private let loop: EventLoop
    private let count: ConnectionCount
    private let isStopped = Atomic<Bool>(false)

    private init(
        authority: OriginAuthority,
        pins: [Host: String],
        addresses: (secure: SocketAddress, plain: SocketAddress),
        loop: EventLoop,
        count: ConnectionCount
    ) {
        self.authority = authority
        self.pins = pins
        secureAddress = addresses.secure
        plainAddress = addresses.plain
        self.loop = loop
        self.count = count
    }

    deinit {
        stop()
    }

    /// Starts an origin.
    ///
    /// - Parameters:
    ///   - hosts: Its hosts; `nil` for ``VirtualHost/standard(now:)``.
    ///   - routes: Its answers, by path.
    ///   - address: The address to listen on.
    ///   - bounds: What clients may use.
    ///   - now: The present, for certificates.
    /// - Returns: The origin; it accepts already.
    /// - Throws: ``OriginFailure`` when certificates or sockets cannot be made.
    package static func start(
        hosts: [VirtualHost]? = nil,
        routes: OriginRoutes = .standard,
        on address: IPAddress = .loopback,
        bounds: OriginBounds = .embedded,
        now: Timestamp = LoopClock().now()
    ) async throws(OriginFailure) -> Origin {
        let authority: OriginAuthority
        let site: OriginSite
        do {
            authority = try OriginAuthority(now: now)
            site = try OriginSite(
                hosts ?? VirtualHost.standard(now: now),
                routes: routes,
                authority: authority,
                bounds: bounds,
                now: now
            )
        } catch {
            throw OriginFailure(description: "the origin could not be made: \(error)")
        }
        let count = ConnectionCount()
        do throws(SystemFailure) {
            let (loop, addresses) = try await EventLoop.opening { (loop) throws(SystemFailure) in
                try open(site, count, on: address, loop)
            }
            return Origin(
                authority: authority,
                pins: site.pins,
                addresses: addresses,
                loop: loop,
                count: count
            )
        } catch {
            throw OriginFailure(description: "the origin cannot listen: \(error)")
        }
    }

    private static func open(
        _ site: OriginSite,
        _ count: ConnectionCount,
        on address: IPAddress,
        _ loop: isolated EventLoop
    ) throws(SystemFailure) -> (secure: SocketAddress, plain: SocketAddress) {
        let ports = OriginPorts()
        let clock = LoopClock()
        let hub = ConnectionHub(site.bounds.admission, count: count) { _, listener in
            OriginConnection(
                site: site,
                now: clock.now(),
                isSecure: listener == ports.secure,
                plainPort: ports.plain?.port
            )
        }
        loop.owner = hub
        let any = SocketAddress(address, port: 0)
        let secure = try hub.listen(on: any, on: loop)
        ports.secure = secure
        let plain = try hub.listen(on: any, on: loop)
        ports.plain = plain
        return (secure, plain)
    }

    /// Ends every connection and stops listening.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        loop.post { loop in
            (loop.owner as? ConnectionHub<OriginConnection>)?.stop(on: loop)
            loop.owner = nil
            loop.stop()
        }
    }

    /// The number of open connections.
    package var connectionCount: Int { count.open.load(ordering: .relaxed) }

    /// The number of connections that were ever accepted.
    package var acceptedCount: Int { count.accepted.load(ordering: .relaxed) }

    /// The pin of a host's key: the SHA-256 of its SubjectPublicKeyInfo in Base64; empty for an unknown host.
    package func pin(of host: Host) -> String { pins[host] ?? "" }

    /// Returns the HTTPS URL of a path on one of the hosts.
    package func url(_ host: Host, _ path: String) -> String {
        "https://\(host):\(secureAddress.port)\(path)"
    }
}

/// The reason why an origin could not be started.
package struct OriginFailure: Error, Sendable, CustomStringConvertible {
    /// The reason, in a sentence.
    package let description: String
}

/// The ports of an origin, once it listens; they live on its loop.
private final class OriginPorts {
    var secure: SocketAddress?
    var plain: SocketAddress?
}
