package import PinholeCrypto
package import PinholeModel
import PinholeWire

extension TLSLibrary {
    /// The offer that the library makes to servers, read from a ClientHello of its own; `nil` if it makes none.
    package static let offer = readOffer()

    /// The groups of ``offer``, in its order; empty if there is none.
    package static let offeredGroups = offer?.groups ?? []

    /// Whether the library offers a post-quantum key exchange.
    package static let isPostQuantum = offeredGroups.contains { TLSGroup(rawValue: $0).isPostQuantum }

    private static func readOffer() -> ClientHelloRecord? {
        guard let trust = try? TrustAnchors(system: false, additional: []),
            let context = try? TLSContext(connectingVersions: .tls12 ... .tls13, trust: trust),
            let engine = try? TLSEngine(deliberating: context, serverName: nil, applicationProtocols: [])
        else { return nil }
        var nothing = ByteQueue()
        var sent = ByteQueue()
        guard engine.handshake(&nothing, &sent) == .wantsInput,
            case .clientHello(let hello) = ClientHello.peek(sent.slice())
        else { return nil }
        return hello
    }
}
