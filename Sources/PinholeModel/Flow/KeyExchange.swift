/// The key exchanges of a flow: what each side offered, what was agreed on, and what the interception changed.
package struct KeyExchange: Sendable, Equatable {
    /// The difference that the interception made to a client that offered a post-quantum key exchange.
    package enum Effect: String, Sendable, CaseIterable {
        /// The server agreed on a post-quantum group with the proxy, the client got none.
        case weakened
        /// The proxy's TLS library has no post-quantum group, so nobody asked the server for one.
        case perhapsWeakened
    }

    /// The client's groups, in its order.
    package let offered: [TLSGroup]
    /// The groups for which the client sent a key share at once; `nil` in captures that do not hold them.
    package let shares: [TLSGroup]?
    /// The group on the client's side; `nil` without a finished handshake.
    package let client: TLSGroup?
    /// The groups that the proxy offered to the server; `nil` if it offered none, or the capture does not hold them.
    package let offeredToServer: [TLSGroup]?
    /// The group on the server's side; `nil` without a finished handshake.
    package let server: TLSGroup?
    /// The change by the interception; `nil` if there is none, as far as the handshakes show.
    package let effect: Effect?

    /// Reads the key exchanges of a flow; `nil` if the client sent no groups.
    package init?(_ flow: FlowRecord) {
        guard let hello = flow.clientHello, !hello.groups.isEmpty else { return nil }
        offered = hello.groups.map(TLSGroup.init)
        shares = hello.keyShares?.map(TLSGroup.init)
        client = flow.clientHandshake?.agreedGroup
        offeredToServer = flow.serverHandshake?.offeredGroups?.map(TLSGroup.init)
        server = flow.serverHandshake?.agreedGroup
        effect = Self.effect(hello, client: client, toServer: offeredToServer, server: flow.serverHandshake)
    }

    private static func effect(
        _ hello: ClientHelloRecord,
        client: TLSGroup?,
        toServer: [TLSGroup]?,
        server: HandshakeRecord?
    ) -> Effect? {
        // Post-quantum groups exist in TLS 1.3 alone, so a server of TLS 1.2 would not have agreed on one.
        guard let client, !client.isPostQuantum, hello.versions.contains(0x0304),
            hello.groups.contains(where: { TLSGroup(rawValue: $0).isPostQuantum }),
            let server, let agreed = server.agreedGroup, server.version == "TLSv1.3"
        else { return nil }
        if agreed.isPostQuantum { return hello.groups.contains(agreed.rawValue) ? .weakened : nil }
        guard let toServer, !toServer.contains(where: \.isPostQuantum) else { return nil }
        return .perhapsWeakened
    }

    /// The effect in a sentence or two for users; `nil` if there is none.
    package var explanation: String? {
        guard let effect, let client, let server, let wanted = offered.first(where: \.isPostQuantum) else {
            return nil
        }
        return switch effect {
        case .weakened:
            "The interception weakened the key exchange: the client offered \(wanted), the server agreed on \(server) "
                + "with Pinhole, and the client got \(client)."
        case .perhapsWeakened:
            "The interception may have weakened the key exchange: the client offered \(wanted), which Pinhole's TLS "
                + "library does not have (OpenSSL 3.5 does, as in Debian 13), so the server was not asked for it."
        }
    }

    /// The words of the filter `tls.pq`: which sides offered or agreed on a post-quantum group, and the effect.
    package var words: [String] {
        var words: [String] = []
        if offered.contains(where: \.isPostQuantum) { words.append("offered") }
        if client?.isPostQuantum == true { words.append("client") }
        if server?.isPostQuantum == true { words.append("server") }
        if let effect { words.append(effect.rawValue) }
        return words
    }

    /// All words that ``words`` may have.
    package static let allWords = ["offered", "client", "server"] + Effect.allCases.map(\.rawValue)
}

extension HandshakeRecord {
    /// The group of a key exchange that was finished; `nil` otherwise.
    fileprivate var agreedGroup: TLSGroup? {
        failure == nil ? group.flatMap(TLSGroup.init(named:)) : nil
    }
}
