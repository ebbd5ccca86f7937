import PinholeCrypto
package import PinholeModel
import PinholeWire

/// The engines that speak with the next proxy until it has opened a connection to the server.
///
/// The stack does no I/O: the driver fills the peer's `inbox` and writes its `outbox`. Once the connection is open,
/// the tunnel takes the peer over, with the server's bytes that have already arrived. If TLS is spoken with the proxy,
/// everything else passes inside it.
package final class HopStack {
    /// The progress of opening the connection.
    package enum Step: Equatable, Sendable {
        /// More bytes are needed.
        case wantsInput
        /// The connection to the server is open.
        case open
        /// The connection cannot be opened.
        case failed(DialFailure)
    }

    private enum Mode {
        case handshaking(ServerHandshake)
        case socks(SOCKSConnector)
        case http(HTTPConnector)
        case open
    }

    /// The engines toward the proxy; `nil` after they were handed over.
    private var peer: Boxed<HTTPPeer>?
    private let hop: NextHop
    private let target: DialTarget
    private let limits: Limits
    private var mode = Mode.open
    private var failure: DialFailure?

    /// Creates the stack of a connection to the proxy that was made, and begins to speak.
    ///
    /// - Parameters:
    ///   - hop: The proxy.
    ///   - target: The server to reach through it.
    ///   - limits: The limits.
    ///   - environment: The TLS contexts.
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
        peer = Boxed(HTTPPeer(reading: .responses, limits: limits))
        if hop.kind == .https { beginSecuring(environment, at: now) } else { beginSpeaking() }
    }

    private func beginSecuring(_ environment: TunnelEnvironment, at now: Timestamp) {
        let name = ServerName(
            authority: hop.authority,
            host: hop.authority.host,
            applicationProtocols: ["http/1.1"]
        )
        let (engine, handshake) = ServerHandshake.begin(
            name,
            environment,
            ServerPolicy(),
            client: nil,
            at: now
        )
        switch engine {
        case .success(let engine):
            peer?.value.tls = engine
            mode = .handshaking(handshake)
        case .failure(let failure): self.failure = DialFailure(.hopRefused, failure.description)
        }
    }

    /// Processes the bytes at hand.
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

    /// Notes that the proxy's connection ended or broke.
    ///
    /// - Parameter kind: The way in which it ended.
    /// - Returns: The progress after that.
    package func ended(_ kind: CloseKind) -> Step {
        peer?.value.ended(kind)
        let step = advance()
        guard step == .wantsInput else { return step }
        return .failed(
            DialFailure(.hopRefused, "the next hop \(hop) closed the connection before it answered")
        )
    }

    /// Calls `body` with the engines, to move bytes.
    ///
    /// - Parameter body: A function that uses the engines.
    /// - Returns: The result of `body`, or `nil` if the engines were handed over.
    @discardableResult
    package func withPeer<Result>(_ body: (borrowing Boxed<HTTPPeer>) -> Result) -> Result? {
        switch peer {
        case .some(let peer): body(peer)
        case .none: nil
        }
    }

    /// Removes and returns the engines, for the tunnel.
    package func takePeer() -> Boxed<HTTPPeer>? { peer.take() }

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

    /// Continues the TLS handshake with the proxy.
    ///
    /// - Returns: Whether the handshake has finished.
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

    /// Reads the proxy's answer.
    ///
    /// - Returns: Whether the connection to the server is open.
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
    /// The kind of failure that the refusal is for the client.
    fileprivate var meaning: DialFailure.Kind {
        switch self {
        case .authentication: .hopAuthentication
        case .loop: .hopLoop
        case .refused, .malformed: .hopRefused
        }
    }
}
