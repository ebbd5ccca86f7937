import PinholeCrypto
import PinholeModel
import PinholeWire

/// A listener that stands before one server: to clients it is that server, and no proxy.
extension Tunnel {
    mutating func receivedInReverse(
        _ head: RequestHead,
        _ origin: ReverseOrigin,
        at now: Timestamp,
        into commands: inout [TunnelCommand]
    ) {
        // Clients of a server know of no credentials for a proxy: their address alone counts.
        guard policy.access.admits(clientAddress) else {
            return refuse(.address, head, at: now, into: &commands)
        }
        noteReverse(origin)
        phase = .exchanging
        commands.append(.record(flow))
        beginExchange(head, at: now, into: &commands)
    }

    mutating func noteReverse(_ origin: ReverseOrigin) {
        flow.authority = origin.authority.description
        flow.treatment = .plain
        flow.reason = "the listener stands before \(origin)"
    }

    /// Where a request goes, whatever server it names.
    func destination(of head: RequestHead, in origin: ReverseOrigin) -> Destination {
        var target = origin.target(["http/1.1"], mayReuse: true)
        let path = head.target.path
        target.isForwarded =
            origin.scheme == .http && !head.upgrade && policy.nextHops.forwards(origin.authority)
        let isAbsolute = if case .absolute = head.target { true } else { false }
        return Destination(
            target: target,
            shown: origin.authority,
            scheme: origin.scheme,
            path: path,
            rewritten: target.isForwarded
                ? Self.absolute(origin.authority, path) : isAbsolute ? path : nil,
            request: origin.keepsHost ? nil : head.replacingHost(origin.hostText)
        )
    }

    /// The scheme of what servers are asked.
    var askedScheme: Scheme {
        guard case .reverse(let origin) = mode else { return scheme }
        return origin.scheme
    }

    /// What the leaf says that a client is shown which speaks TLS to the listener.
    func leafOfListener(for hello: ClientHelloRecord) -> LeafRequest {
        guard case .reverse(let origin) = mode else { return policy.ownLeaf(at: flow.listener) }
        let asked = hello.serverName.flatMap { try? Host($0) }
        let address = (try? Authority(flow.listener))?.host
        var names: [Host] = []
        for host in [asked ?? address, origin.authority.host].compactMap(\.self)
        where !names.contains(host) && policy.interception.permitted(host) {
            names.append(host)
        }
        return names.isEmpty ? policy.ownLeaf(at: flow.listener) : LeafRequest(names: names)
    }

    /// What the client is shown that was not made here; `nil` where a leaf is to be made.
    var givenIdentity: Identity? {
        guard case .reverse = mode, phase == .securingInbound else { return nil }
        return policy.given.identity(for: flow.clientHello?.serverName)
    }

    /// What tells the sessions of the listener's clients from others.
    var scopeOfListener: String {
        guard case .reverse(let origin) = mode else { return policy.ownHost.description }
        return "\(origin) \(flow.clientHello?.serverName ?? flow.listener)"
    }
}
