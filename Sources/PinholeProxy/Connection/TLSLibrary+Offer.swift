package import PinholeCrypto
package import PinholeModel
import PinholeWire

extension TLSLibrary {
    /// The offer that the library makes to servers, read from a ClientHello of its own; `nil` if it makes none.
    package static let offer = readOffer()

    /// The groups of ``offer``, in its order; empty if there is none.
    package static let offeredGroups = offer?.groups ?? []

    /// Whether the library offers a post-quantum key exchange.
    package static let isPostQuantum = isPostQuantum(offeredGroups)

    /// Returns whether one of the groups is post-quantum.
    static func isPostQuantum(_ groups: [UInt16]) -> Bool {
        groups.contains { TLSGroup(rawValue: $0).isPostQuantum }
    }

    /// The groups that the library offers to servers if the settings permit TLS 1.2 at most.
    private static let groupsOfTLS12 = readOffer(upTo: .tls12)?.groups ?? []

    /// Returns the groups that the library offers to servers with a newest version.
    static func offeredGroups(upTo newest: TLSVersion) -> [UInt16] {
        newest == .tls13 ? offeredGroups : groupsOfTLS12
    }

    /// Returns the post-quantum group whose key share to send to the server, because the client sent one.
    ///
    /// Servers prefer groups with a key share, so another share than the client's would lead to another choice.
    ///
    /// - Parameter hello: The ClientHello of the client; `nil` if it sent none.
    /// - Returns: `nil` if the usual key shares have a post-quantum group of the client, or the client none.
    static func share(for hello: ClientHelloRecord?) -> TLSGroup? {
        let shares = (hello?.keyShares ?? []).map(TLSGroup.init(rawValue:))
        guard !shares.contains(.x25519MLKEM768) else { return nil }
        return shares.first { $0.isPostQuantum && offeredGroups.contains($0.rawValue) }
    }

    private static func readOffer(upTo newest: TLSVersion = .tls13) -> ClientHelloRecord? {
        guard let trust = try? TrustAnchors(system: false, additional: []),
            let context = try? TLSContext(connectingVersions: .tls12...newest, trust: trust),
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
