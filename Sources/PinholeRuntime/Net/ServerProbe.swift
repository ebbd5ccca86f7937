import CLinux
import Glibc
package import PinholeCrypto
package import PinholeModel

/// Makes one TLS handshake with a server to see its certificates, valid or not.
package struct ServerProbe: Sendable {
    /// The result of a probe.
    package struct Finding: Sendable {
        /// The server's chain, the path that was built, and the fault if there is one.
        package let verification: ChainVerification
        /// The agreed version.
        package let version: String?
        /// The agreed cipher suite.
        package let cipher: String?
    }

    /// The reason why a probe failed.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The reason in one sentence.
        package let description: String
    }

    private let resolver: Resolver
    private let trust: TrustAnchors
    private let timeout: Duration
    private let clock = LoopClock()

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - overrides: Fixed answers in place of the resolver's.
    ///   - trust: The anchors for verification. A fault is reported but does not end the handshake.
    ///   - timeout: The time limit for connecting and the handshake.
    package init(overrides: [Resolver.Override], trust: TrustAnchors, timeout: Duration = .seconds(10)) {
        resolver = Resolver(overrides: overrides, lifetime: .seconds(60), clock: clock)
        self.trust = trust
        self.timeout = timeout
    }

    /// Connects and makes the handshake.
    ///
    /// - Parameter authority: The server.
    /// - Returns: The result.
    /// - Throws: ``Failure`` when the handshake did not succeed.
    package func look(at authority: Authority) async throws(Failure) -> Finding {
        let answer = await withCheckedContinuation { continuation in
            resolver.resolve(authority) { continuation.resume(returning: $0) }
        }
        let addresses: [IPAddress]
        do {
            addresses = try answer.get()
        } catch {
            throw Failure(description: "\(error)")
        }
        let deadline = clock.now() + timeout
        var last = Failure(description: "\(authority.host) has no address")
        for address in addresses {
            let socket: Socket
            do throws(SystemFailure) {
                socket = try connect(to: SocketAddress(address, port: authority.port), deadline)
            } catch {
                last = Failure(description: "\(authority) cannot be reached: \(error)")
                continue
            }
            return try shakeHands(over: socket, authority, deadline)
        }
        throw last
    }

    private func connect(
        to address: SocketAddress,
        _ deadline: Timestamp
    ) throws(SystemFailure) -> Socket {
        let socket = try Socket(family: address.family)
        try socket.connect(to: address)
        try wait(for: socket.descriptor, Int16(POLLOUT), deadline, "could not connect to \(address)")
        let code = socket.takeError()
        guard code == 0 else { throw SystemFailure("could not connect to \(address)", code) }
        return socket
    }

    private func shakeHands(
        over socket: consuming Socket,
        _ authority: Authority,
        _ deadline: Timestamp
    ) throws(Failure) -> Finding {
        let engine = try engine(for: authority.host)
        var input = ByteQueue()
        var output = ByteQueue()
        while true {
            let step = engine.handshake(&input, &output)
            do throws(SystemFailure) {
                while !output.isEmpty {
                    try socket.write(from: &output)
                    if !output.isEmpty {
                        try wait(for: socket.descriptor, Int16(POLLOUT), deadline, "could not send")
                    }
                }
                switch step {
                case .finished: return try Self.finding(engine)
                case .failed(let failure): throw SystemFailure("the handshake failed (\(failure))", EPROTO)
                case .wantsInput:
                    try wait(for: socket.descriptor, Int16(POLLIN), deadline, "the server does not answer")
                    switch socket.read(into: &input, limit: 16 << 10) {
                    case .bytes, .wouldBlock: continue
                    case .end: engine.receiveEnd()
                    case .failed(let code): throw SystemFailure("could not receive", code)
                    }
                }
            } catch {
                throw Failure(description: "\(authority): \(error)")
            }
        }
    }

    private func engine(for host: Host) throws(Failure) -> TLSEngine {
        do throws(CryptoFailure) {
            let context = try TLSContext(connectingVersions: .tls12 ... .tls13, trust: trust)
            return try TLSEngine(
                connecting: context,
                judge: ServerJudge(host: host, exemption: "it is only looked at", distrusted: []),
                serverName: host.name,
                applicationProtocols: ["http/1.1"]
            )
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    private static func finding(_ engine: TLSEngine) throws(SystemFailure) -> Finding {
        guard let verification = engine.verification else {
            throw SystemFailure("the server presented no certificate", EPROTO)
        }
        return Finding(verification: verification, version: engine.version, cipher: engine.cipher)
    }

    private func wait(
        for descriptor: Int32,
        _ events: Int16,
        _ deadline: Timestamp,
        _ attempt: String
    ) throws(SystemFailure) {
        while true {
            let rest = (deadline - clock.now()).milliseconds
            guard rest > 0 else { throw SystemFailure(attempt, ETIMEDOUT) }
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            let count = poll(&entry, 1, Int32(clamping: rest))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw SystemFailure(attempt, errno) }
        }
    }
}
