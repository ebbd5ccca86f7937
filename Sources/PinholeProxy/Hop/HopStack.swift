import PinholeCrypto
package import PinholeModel
import PinholeWire

/// Speaks with the next hop until a connection to the server stands behind it: bytes in, bytes out, no I/O.
///
/// The driver puts what came into the peer's `inbox` and writes its `outbox`. When it is open the peer goes on
/// to the tunnel, with the bytes of the server that came already, and with TLS to the hop under everything else
/// where that is spoken.
package final class HopStack {
    /// Where it stands.
    package enum Step: Equatable, Sendable {
        /// More bytes are needed.
        case wantsInput
        /// The connection to the server stands.
        case open
        /// There will be none.
        case failed(DialFailure)
    }

    private enum Mode {
        case handshaking(ServerHandshake)
        case socks(SOCKSConnector)
        case http(HTTPConnector)
        case open
    }

    /// Toward the hop.
    private var peer: Boxed<PeerStack>?
    private let hop: NextHop
    private let target: DialTarget
    private let limits: Limits
    private var mode = Mode.open
    private var failure: DialFailure?

    /// Creates the stack of a connection to the hop that stands, and begins.
    ///
    /// - Parameters:
    ///   - hop: The hop.
    ///   - target: Whom to reach through it.
    ///   - limits: The numbers.
    ///   - environment: TLS contexts.
    ///   - now: The time.
    package init(
        _ hop: NextHop,
        to target: DialTarget,
        limits: Limits,
        environment: TunnelEnvironment,
        at now: Timestamp
    ) {
        self.hop = hop
        self.target = target
        self.limits = limits
        peer = Boxed(PeerStack(reading: .responses, limits: limits))
        if hop.kind == .https { beginSecuring(environment, at: now) } else { beginSpeaking() }
    }

    private func beginSecuring(_ environment: TunnelEnvironment, at now: Timestamp) {
        let name = ServerName(
            authority: hop.authority,
            host: hop.authority.host,
            applicationProtocols: ["http/1.1"]
        )
        let (engine, handshake) = ServerHandshake.begin(name, environment, ServerPolicy(), at: now)
        switch engine {
        case .success(let engine):
            peer?.value.tls = engine
            mode = .handshaking(handshake)
        case .failure(let failure): self.failure = DialFailure(.hopRefused, failure.description)
        }
    }

    /// Carries on with the bytes at hand.
    package func advance() -> Step {
        while failure == nil {
            peer?.value.unwrap(limit: limits.readSize)
            switch mode {
            case .handshaking(let handshake): guard shakeHands(handshake) else { return step }
            case .socks(var connector):
                guard
                    speak({ (input, output) throws(HopRefusal) in try connector.next(&input, into: &output) })
                else {
                    mode = .socks(connector)
                    return step
                }
                mode = .open
            case .http(let connector):
                guard speak({ (input, _) throws(HopRefusal) in try connector.next(&input) }) else {
                    return step
                }
                mode = .open
            case .open:
                flush()
                return failure.map(Step.failed) ?? .open
            }
        }
        return step
    }

    /// The hop's connection ended or broke.
    ///
    /// - Parameter kind: How.
    /// - Returns: Where it stands then.
    package func ended(_ kind: CloseKind) -> Step {
        peer?.value.ended(kind)
        let step = advance()
        guard step == .wantsInput else { return step }
        return .failed(
            DialFailure(.hopRefused, "the next hop \(hop) closed the connection before it answered")
        )
    }

    /// Lends the engines, to move bytes.
    ///
    /// - Parameter body: What is done with them.
    /// - Returns: What `body` returns; `nil` where they were handed out.
    @discardableResult
    package func withPeer<Result>(_ body: (borrowing Boxed<PeerStack>) -> Result) -> Result? {
        switch peer {
        case .some(let peer): body(peer)
        case .none: nil
        }
    }

    /// Hands out the engines, for the tunnel.
    package func takePeer() -> Boxed<PeerStack>? { peer.take() }

    private var step: Step {
        flush()
        return failure.map(Step.failed) ?? .wantsInput
    }

    private func flush() {
        do throws(TLSFailure) {
            try peer?.value.flush()
        } catch {
            failure =
                failure ?? DialFailure(.hopRefused, "TLS with the next hop \(hop) broke: \(error.detail)")
        }
    }

    /// - Returns: Whether the handshake is done.
    private func shakeHands(_ handshake: ServerHandshake) -> Bool {
        switch peer?.value.handshake() {
        case nil, .wantsInput: return false
        case .failed(let failure):
            let fault = peer?.value.tls?.verification?.fault?.description
            self.failure = DialFailure(
                .hopRefused,
                "TLS with the next hop \(hop) failed: \(fault ?? failure.detail)"
            )
            return false
        case .finished:
            peer?.value.carryInside(reading: .responses, limits: limits)
            beginSpeaking()
            return true
        }
    }

    private func beginSpeaking() {
        if target.isForwarded {
            mode = .open
        } else if hop.kind == .socks5 {
            let connector = SOCKSConnector(
                to: target.authority,
                user: hop.user.map { Array($0.utf8) },
                password: hop.password.map { Array($0.utf8) }
            )
            peer?.value.send(connector.greeting)
            mode = .socks(connector)
        } else {
            let connector = HTTPConnector(
                to: target.authority,
                authorization: hop.authorization,
                via: target.via,
                limits: limits
            )
            peer?.value.send(connector.request)
            mode = .http(connector)
        }
    }

    /// - Returns: Whether the connection stands.
    private func speak(
        _ read: (inout ByteQueue, inout [UInt8]) throws(HopRefusal) -> Bool
    ) -> Bool {
        var output: [UInt8] = []
        do throws(HopRefusal) {
            switch peer {
            case .some(let peer):
                let isOpen = try read(&peer.value.readable, &output)
                peer.value.send(output)
                return isOpen
            case .none: return false
            }
        } catch {
            failure = DialFailure(
                error.kind.meaning,
                "the next hop \(hop) gives no connection to \(target.authority): \(error.detail)"
            )
            return false
        }
    }
}

extension HopRefusal.Kind {
    /// What it is to whoever wants the connection.
    fileprivate var meaning: DialFailure.Kind {
        switch self {
        case .authentication: .hopAuthentication
        case .loop: .hopLoop
        case .refused, .malformed: .hopRefused
        }
    }
}
