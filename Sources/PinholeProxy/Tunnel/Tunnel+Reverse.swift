import PinholeCrypto
import PinholeModel
import PinholeWire

/// A listener that stands before one server: its clients see that server, and no proxy.
extension Tunnel {
    mutating func receivedInReverse(_ head: RequestHead, _ origin: ReverseOrigin) {
        // Clients of a server have no credentials for a proxy, so only their address counts.
        guard policy.access.admits(clientAddress) else {
            let refusal = AccessRules.Refusal.address
            let answer = refusal.answer(to: clientAddress, accept: head.fields.first("accept"))
            return refuse(answer, head)
        }
        noteReverse(origin)
        commands.append(.record(flow))
        converse(with: head)
    }

    mutating func noteReverse(_ origin: ReverseOrigin) {
        flow.authority = origin.authority.description
        flow.treatment = .plain
        flow.reason = "the listener stands before \(origin)"
    }

    /// Returns the contents of the leaf for a client that speaks TLS to the listener.
    func leafOfListener(for hello: ClientHelloRecord) -> LeafRequest {
        guard case .reverse(let origin) = mode else { return policy.ownLeaf(at: flow.listener) }
        let names = namesOfListener(hello, [origin.authority.host])
        return names.isEmpty ? policy.ownLeaf(at: flow.listener) : LeafRequest(names: names)
    }

    /// Returns the names for the listener's leaf, as far as the CA may sign for them: the name that the client asked
    /// for, or else the listener's address; then the names of the server.
    func namesOfListener(_ hello: ClientHelloRecord?, _ server: [Host]) -> [Host] {
        let asked = hello?.serverName.flatMap { try? Host($0) }
        let address = (try? Authority(flow.listener))?.host
        var names: [Host] = []
        for host in [asked ?? address].compactMap(\.self) + server
        where !names.contains(host) && policy.interception.permitted(host) {
            names.append(host)
        }
        return names
    }

    /// The scope of TLS sessions, which separates the sessions of the listener's clients from others.
    var scopeOfListener: String {
        let asked = flow.clientHello?.serverName ?? flow.listener
        return mode.server.map { "\($0) \(asked)" } ?? policy.ownHost.description
    }
}
