import PinholeModel
import PinholeWire

/// What is different where the client speaks HTTP/2 to the proxy itself: requests name their servers, and each
/// CONNECT opens a tunnel in its stream (RFC 9113 §8.5).
extension Multiplexer {
    /// Whether nothing is under way.
    var isQuiet: Bool { exchanges.isEmpty && tunnels.isEmpty }

    /// Whether `head` asks the proxy for a tunnel.
    func opensTunnel(_ head: RequestHead) -> Bool {
        authority == nil && mode == .explicit && head.method == "CONNECT" && head.protocolName == nil
    }

    mutating func openTunnel(
        _ head: RequestHead,
        _ lane: Lane,
        into commands: inout [MultiplexCommand]
    ) {
        tunnels.insert(lane)
        commands.append(.openTunnel(lane, head))
    }

    mutating func tunnelEnded(_ lane: Lane, at now: Timestamp, into commands: inout [MultiplexCommand]) {
        guard tunnels.remove(lane) != nil, isDraining, isQuiet else { return }
        close(at: now, into: &commands)
    }

    /// Tells all tunnels that their streams are gone.
    mutating func dropTunnels(isOrderly: Bool = false, into commands: inout [MultiplexCommand]) {
        guard !tunnels.isEmpty else { return }
        tunnels = []
        commands.append(.dropTunnels(isOrderly: isOrderly))
    }

    /// Whether the client may use the proxy, which each request to it is asked and none in a tunnel.
    func access(of head: RequestHead) -> AccessRules.Verdict {
        guard authority == nil else { return .admitted(user: nil) }
        guard mode == .explicit else {
            return policy.access.admits(clientAddress) ? .admitted(user: nil) : .refused(.address)
        }
        let authorization = head.fields.first("proxy-authorization")
        return policy.access.verdict(on: clientAddress, authorization: authorization)
    }

    /// What the proxy answers itself to a request that came to it and to no tunnel.
    func proxyAnswer(to head: RequestHead) -> Answer? {
        guard mode == .explicit else { return nil }
        guard let authority = head.authority(for: .http), !policy.isOwn(authority, at: listener) else {
            return policy.onboarding.answer(to: head, at: flow.listener)
        }
        return nil
    }
}
