import PinholeModel
import PinholeWire

/// Requests of HTTP/2 to the proxy itself: they name their servers, and each CONNECT opens a tunnel in its stream (RFC
/// 9113 §8.5).
extension Conversation {
    /// Whether there is neither an exchange nor a tunnel.
    var isQuiet: Bool { mutating get { exchanges.isEmpty && tunnels.isEmpty } }

    /// Whether `head` asks the proxy to open a tunnel.
    mutating func opensTunnel(_ head: RequestHead) -> Bool {
        clientIsMultiplexed && authority == nil && mode.isProxy && head.method == "CONNECT"
            && head.protocolName == nil
    }

    mutating func openTunnel(_ head: RequestHead, _ lane: Lane) {
        tunnels.insert(lane)
        commands.append(.driver(.openTunnel(lane, head)))
    }

    mutating func tunnelEnded(_ lane: Lane) {
        guard tunnels.remove(lane) != nil, isDraining, isQuiet else { return }
        close()
    }

    /// Tells all tunnels that their streams have ended.
    mutating func dropTunnels(isOrderly: Bool = false) {
        guard !tunnels.isEmpty else { return }
        tunnels = []
        commands.append(.dropTunnels(isOrderly: isOrderly))
    }

    /// Judges whether the client may use the proxy.
    ///
    /// Each request to the proxy is judged, but no request in a tunnel.
    mutating func access(of head: RequestHead) -> AccessRules.Verdict {
        // A client of HTTP/1 was judged when its connection was opened.
        guard clientIsMultiplexed || bringsLogin(head) else { return .admitted(user: flow.proxyUser) }
        guard authority == nil else { return .admitted(user: nil) }
        guard mode.isProxy else {
            return policy.access.admits(clientAddress) ? .admitted(user: nil) : .refused(.address)
        }
        let authorization = head.fields.first("proxy-authorization")
        return policy.access.verdict(on: clientAddress, authorization: authorization)
    }

    /// Whether a later request on a connection of HTTP/1 has a login of its own.
    ///
    /// A proxy in front of this one may send requests of several users on one connection. Without a login, the request
    /// belongs to the user of the connection.
    mutating func bringsLogin(_ head: RequestHead) -> Bool {
        !clientIsMultiplexed && mode.isProxy && authority == nil && policy.access.asksForPassword
            && head.fields.contains("proxy-authorization")
    }

    /// Returns the proxy's own answer to a request outside of a tunnel; `nil` if a server is to be asked.
    mutating func proxyAnswer(to head: RequestHead) -> Answer? {
        guard mode.isProxy else { return nil }
        if head.version != .http2 {
            // A request that names an address of the proxy is dialed, and recognised as a loop.
            if case .absolute(_, let authority, _) = head.target, authority.host != policy.ownHost {
                return nil
            }
            return head.method == "CONNECT" ? nil : policy.onboarding.answer(to: head, at: flow.listener)
        }
        guard let authority = head.authority(for: .http), !policy.isOwn(authority, at: listener) else {
            return policy.onboarding.answer(to: head, at: flow.listener)
        }
        return nil
    }
}
