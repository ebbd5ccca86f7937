import PinholeCrypto
import PinholeModel
import PinholeWire

/// Finds out which protocol a new client speaks: TLS to the proxy itself, HTTP/2 without TLS, SOCKS, or HTTP/1.
extension TunnelStack {
    /// Looks at the first byte of a new client.
    ///
    /// - Returns: Whether anything happened.
    mutating func greetClient(at now: Timestamp) -> Bool {
        switch client.carried.slice(min(1, client.carried.count)).first {
        case nil: return reportEnd(of: .client, client.takeEnd(), at: now)
        case 0x16: return greetTLS(at: now)
        case 0x04 where mode.isProxy: greetSOCKS(.socks4, at: now)
        case 0x05 where mode.isProxy: greetSOCKS(.socks5, at: now)
        case 0x50:
            guard let isPreface = client.beginsHTTP2 else { return false }
            clientMode = isPreface ? .held : .messages
            if isPreface { handle(.clientSpeaksHTTP2, at: now) }
        case .some: clientMode = .messages
        }
        return true
    }

    /// Looks for a ClientHello in the bytes of the client, and bounds the memory of its records.
    mutating func readHello() -> Peek {
        let peek = helloReader.read(client.carried.slice(), limits: limits)
        helloReader.join(&client.carried)
        return peek
    }

    /// Takes a ClientHello, with its fingerprint, for the handshake that follows.
    mutating func take(_ hello: ClientHelloRecord, at now: Timestamp) {
        var hello = hello
        hello.ja4 = hello.computedJA4
        self.hello = hello
        handle(.clientHello(hello), at: now)
    }

    private mutating func greetTLS(at now: Timestamp) -> Bool {
        switch readHello() {
        case .needsMore: return reportEnd(of: .client, client.takeEnd(), at: now)
        case .clientHello(let hello):
            clientMode = .held
            take(hello, at: now)
        case .notTLS: clientMode = .messages
        case .malformed(let reason):
            clientMode = .ignored
            let detail = "The connection begins like TLS, but no ClientHello can be read: \(reason)"
            handle(.requestFailed(HTTP1Failure(.peer, .badRequestLine, in: .request, detail)), at: now)
        }
        return true
    }
}

extension HTTPPeer {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Whether the received bytes begin with the preface of HTTP/2 (RFC 9113 §3.4); `nil` if more bytes are needed.
    var beginsHTTP2: Bool? {
        guard Self.preface.starts(with: carried.slice(min(carried.count, Self.preface.count))) else {
            return false
        }
        if carried.count < Self.preface.count, socketEnd == nil { return nil }
        return true
    }
}
