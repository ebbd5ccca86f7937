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

    /// Returns the groups of the key shares to send to a server.
    ///
    /// Servers prefer groups with a key share, so another share than the client's would lead to another choice.
    ///
    /// - Parameters:
    ///   - hello: The ClientHello of the client; `nil` if it sent none.
    ///   - newest: The newest version to speak.
    /// - Returns: The usual ones. If none of them is one of the client's post-quantum groups, its first one that the library
    ///   has is in their place. `nil` for TLS 1.2, which has no key shares.
    static func shares(for hello: ClientHelloRecord?, upTo newest: TLSVersion = .tls13) -> [UInt16]? {
        guard newest == .tls13, let usual = offer?.keyShares else { return nil }
        let isPostQuantum = { TLSGroup(rawValue: $0).isPostQuantum }
        let client = (hello?.keyShares ?? []).filter { isPostQuantum($0) && offeredGroups.contains($0) }
        guard let first = client.first, !client.contains(where: usual.contains) else { return usual }
        return [first] + usual.filter { !isPostQuantum($0) }
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
