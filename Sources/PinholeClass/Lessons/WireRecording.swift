import Logging
package import PinholeClient
package import PinholeCrypto
import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeTrust
import PinholeWire

/// Records the visits of lesson 1 as packets: a proxy that reads nothing passes them on and keeps what goes to the
/// server and comes back.
package struct WireRecording {
    /// Keeps the bytes of connections to servers.
    private final class Sink: FlowSink {
        let packets = Lock<[KeptPacket]>([])
        private let number = Lock<Int64>(0)

        func nextID() -> Int64 {
            number.withLock { number in
                number += 1
                return number
            }
        }

        func record(_ events: [FlowEvent]) {}
        var isCongested: Bool { false }
        func whenRelieved(_ action: @escaping @Sendable () -> Void) { action() }
        var wantsPackets: Bool { true }

        func keep(_ packet: KeptPacket) {
            guard packet.connection != 0 else { return }
            packets.withLock { $0.append(packet) }
        }
    }

    /// Visits a URL, and returns the packets as a pcapng file.
    ///
    /// - Parameters:
    ///   - request: The visit.
    ///   - roots: The roots that the phone trusts.
    ///   - authority: An authority, which signs nothing here.
    ///   - servers: The address of the servers, in the notation of a URL.
    /// - Returns: The bytes of the file.
    /// - Throws: ``ClassFailure`` if the visit fails.
    package static func pcapng(
        _ request: ClientRequest,
        trusting roots: [Certificate],
        _ authority: CertificateAuthority,
        at servers: String
    ) async throws -> [UInt8] {
        let sink = Sink()
        var configuration = Configuration()
        configuration.tls.passthrough = ["*"]
        var assembly = Assembly(configuration, authority)
        assembly.anchors = try TrustAnchors(system: false, additional: [])
        let proxy = try ProxyServer(
            setup: try assembly.setup(),
            sink: sink,
            keepsBodies: false,
            overrides: [try Resolver.Override("*:*:\(servers)")],
            loopCount: 1,
            logger: Logger(label: "pinhole.class") { _ in SwiftLogNoOpLogHandler() }
        )
        defer { proxy.stop() }
        let bound = try await proxy.start(on: [try SocketAddress(listening: "127.0.0.1:0")])
        guard let address = bound.first else { throw ClassFailure("the recording proxy has no address") }
        var settings = ClientSettings(
            anchors: roots.map(\.facts),
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(by: .openssl),
            reading: .whole(atMost: 1 << 20)
        )
        settings.proxy = ClientSettings.Proxy(Authority(host: .address(address.address), port: address.port))
        let client = try PinholeClient(settings)
        let response = try await client.fetch(request).result.get()
        guard response.head.status == 200 else {
            throw ClassFailure("the visit of lesson 1 got the status \(response.head.status)")
        }
        await proxy.drain(within: .seconds(1))
        return KeptPackets.pcapng(sink.packets.withLock { $0 })
    }
}
