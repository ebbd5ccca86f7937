/// The key exchanges of a flow: what each side offered, what was agreed on, and what the interception changed.
package struct KeyExchange: Sendable, Equatable {
    /// The difference that the interception made to a client that offered a post-quantum key exchange.
    package enum Effect: String, Sendable, CaseIterable {
        /// The server agreed on a post-quantum group with the proxy, the client got none.
        case weakened
        /// The server was not asked for a post-quantum group of the client, or agreed with the proxy on one that the
        /// client does not have.
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
    /// The groups for which the proxy sent the server a key share at once; `nil` if the capture does not hold them.
    package let sharesToServer: [TLSGroup]?
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
        sharesToServer = flow.serverHandshake?.offeredShares?.map(TLSGroup.init)
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
        let wanted = hello.groups.map(TLSGroup.init(rawValue:)).filter(\.isPostQuantum)
        guard let client, !wanted.isEmpty, hello.versions.contains(0x0304),
            let server, let agreed = server.agreedGroup, server.version == "TLSv1.3"
        else { return nil }
        if agreed.isPostQuantum {
            guard !client.isPostQuantum else { return nil }
            return wanted.contains(agreed) ? .weakened : .perhapsWeakened
        }
        guard let toServer, !Set(wanted).isSubset(of: toServer) else { return nil }
        return .perhapsWeakened
    }

    /// The effect in a sentence or two for users; `nil` if there is none.
    package var explanation: String? {
        let wanted = offered.filter(\.isPostQuantum)
        guard let effect, let client, let server, let first = wanted.first else { return nil }
        let verb = effect == .weakened ? "weakened" : "may have weakened"
        let what = "The interception \(verb) the key exchange"
        if server.isPostQuantum {
            return "\(what): the client offered \(first), the server agreed on \(server) with Pinhole, "
                + "and the client got \(client)."
        }
        let toServer = offeredToServer ?? []
        let unasked = wanted.first { !toServer.contains($0) } ?? first
        // The remedy helps only the captures of an old library, or of one with groups from openssl.cnf.
        let isOld = !toServer.contains(where: \.isPostQuantum)
        let remedy =
            isOld
            ? " OpenSSL 3.5 has such groups, as in Debian 13; Groups in openssl.cnf may leave them out." : ""
        return "\(what): the client offered \(unasked), which Pinhole did not offer to the server.\(remedy)"
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
