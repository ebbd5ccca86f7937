import PinholeModel
import PinholeWire

/// Finds out what a new client speaks: TLS to the proxy itself, HTTP/2 without TLS SOCKS or, as most do, HTTP/1.
extension TunnelStack {
    /// - Returns: Whether anything happened.
    mutating func greetClient(at now: Timestamp) -> Bool {
        switch client.carried.slice(min(1, client.carried.count)).first {
        case nil: return reportEnd(of: .client, client.takeEnd(), at: now)
        case 0x16: return greetTLS(at: now)
        case 0x04 where tunnel.mode == .explicit: greetSOCKS(.socks4, at: now)
        case 0x05 where tunnel.mode == .explicit: greetSOCKS(.socks5, at: now)
        case 0x50:
            guard let isPreface = client.beginsHTTP2 else { return false }
            clientMode = isPreface ? .held : .messages
            if isPreface { handle(.clientSpeaksHTTP2, at: now) }
        case .some: clientMode = .messages
        }
        return true
    }

    private mutating func greetTLS(at now: Timestamp) -> Bool {
        switch ClientHello.peek(client.carried.slice(), limits: limits) {
        case .needsMore: return reportEnd(of: .client, client.takeEnd(), at: now)
        case .clientHello(let hello):
            clientMode = .held
            handle(.clientHello(hello), at: now)
        case .notTLS: clientMode = .messages
        case .malformed(let reason):
            clientMode = .ignored
            let detail = "The connection begins like TLS, but no ClientHello can be read: \(reason)"
            handle(.requestFailed(HTTP1Failure(.peer, .badRequestLine, in: .request, detail)), at: now)
        }
        return true
    }
}

extension PeerStack {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Whether what came begins with the preface of HTTP/2 (RFC 9113 §3.4); `nil` until more of it came.
    var beginsHTTP2: Bool? {
        guard Self.preface.starts(with: carried.slice(min(carried.count, Self.preface.count))) else {
            return false
        }
        if carried.count < Self.preface.count, socketEnd == nil { return nil }
        return true
    }
}
