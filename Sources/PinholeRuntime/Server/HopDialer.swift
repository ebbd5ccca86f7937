import Glibc
import PinholeModel
import PinholeProxy

/// Connects to a server through another proxy: it dials that proxy, and speaks with it until the connection
/// to the server is open.
///
/// The dialer belongs to its loop and ends exactly once, like a ``Dialer``.
final class HopDialer: ServerDialing, DialerOwner, ReadinessHandler, TimerHandler {
    /// The name that is being looked up.
    enum Question {
        /// The server, to detect that a proxy on this machine would lead back to this proxy.
        case target
        /// The other proxy.
        case hop
    }

    private let hop: NextHop
    private let target: DialTarget
    private let limits: Limits
    private let environment: TunnelEnvironment
    private let shard: ProxyShard
    private weak var driver: ClientDriver?
    private let tag: Int
    private weak var owner: (any DialerOwner)?
    private var question = Question.hop
    private var dialer: Dialer?
    private var stack: HopStack?
    private var peer: Boxed<HTTPPeer>?
    private var socket: Socket?
    private var token: EventLoop.Token?
    private var timer: TimerID?
    private var address: SocketAddress?
    private var report = Dialer.Report()
    private var isReadable = false
    private var hasEnded = false
    private var isOver = false
    /// Whether the dialer is counted among those that wait for the answer of a SOCKS proxy.
    private var isCounted = false

    /// Creates a dialer.
    ///
    /// - Parameters:
    ///   - hop: The proxy.
    ///   - target: The server to reach.
    ///   - limits: The limits and timeouts.
    ///   - environment: The TLS contexts.
    ///   - owner: Receives the result.
    ///   - shard: Asks the resolver.
    ///   - driver: Receives the resolver's answer and passes it to ``begin(_:on:)``.
    ///   - tag: The tag of the questions to the resolver.
    init(
        _ hop: NextHop,
        to target: DialTarget,
        limits: Limits,
        environment: TunnelEnvironment,
        owner: any DialerOwner,
        shard: ProxyShard,
        driver: ClientDriver,
        tag: Int
    ) {
        self.hop = hop
        self.target = target.placedTarget
        self.limits = limits
        self.environment = environment
        self.owner = owner
        self.shard = shard
        self.driver = driver
        self.tag = tag
    }

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - isSuspect: Whether the server's port equals the port of one of Pinhole's own listeners or of a
    ///     protected address.
    ///   - loop: The loop.
    func start(isSuspect: Bool, on loop: isolated EventLoop) {
        guard isSuspect else { return askForHop(on: loop) }
        question = .target
        ask(target.authority, on: loop)
    }

    private func askForHop(on loop: isolated EventLoop) {
        if hop.kind == .socks5 {
            guard shard.shared.unanswered.begin(target.authority) else { return endCircle(on: loop) }
            isCounted = true
        }
        question = .hop
        dialer = Dialer(
            hop.authority,
            limits: limits,
            now: loop.now,
            outgoing: shard.shared.outgoing,
            owner: self
        )
        ask(hop.authority, on: loop)
    }

    private func ask(_ authority: Authority, on loop: isolated EventLoop) {
        guard let driver else { return }
        shard.resolve(authority, for: driver, tag: tag, on: loop)
    }

    func begin(_ answer: Resolver.Answer, on loop: isolated EventLoop) {
        guard !isOver else { return }
        guard question == .target else {
            dialer?.begin(answer, on: loop)
            return
        }
        // The other proxy may know a name that cannot be resolved here.
        let addresses = (try? answer.get()) ?? []
        let port = target.authority.port
        guard addresses.allSatisfy({ owner?.mayConnect(to: SocketAddress($0, port: port)) ?? false }) else {
            let detail = "\(target.authority) is this proxy itself: the next hop \(hop) would lead back to it"
            return end(.failed(DialFailure(.loop, detail), report: report), on: loop)
        }
        askForHop(on: loop)
    }

    func cancel(on loop: isolated EventLoop) {
        owner = nil
        cleanUp(on: loop)
    }

    func takePeer() -> Boxed<HTTPPeer>? { peer.take() }

    // MARK: The hop's connection

    func mayConnect(to address: SocketAddress) -> Bool { owner?.mayConnect(to: address) ?? false }

    func dialed(_ end: Dialer.End, on loop: isolated EventLoop) {
        dialer = nil
        switch end {
        case .failed(let failure, let report):
            let kind: DialFailure.Kind = failure.kind == .loop ? .loop : .hopUnreachable
            let detail = "the next hop \(hop) cannot be reached: \(failure.detail)"
            self.end(.failed(DialFailure(kind, detail), report: report), on: loop)
        case .connected(let descriptor, let address, let report):
            self.report = report
            self.address = address
            let socket = Socket(taking: descriptor)
            socket.setNoDelay()
            do throws(SystemFailure) {
                token = try loop.register(socket.descriptor, self, tag: 0)
            } catch {
                let failure = DialFailure(.hopUnreachable, error.description)
                return self.end(.failed(failure, report: report), on: loop)
            }
            self.socket = consume socket
            timer = loop.schedule(at: loop.now + limits.connectTimeout, self)
            stack = HopStack(hop, to: target, limits: limits, environment: environment, at: loop.now)
            turn(on: loop)
        }
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        if readiness.contains(.readable) { isReadable = true }
        if readiness.contains(.ended) { hasEnded = true }
        turn(on: loop)
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        timer = nil
        let time = limits.connectTimeout.secondsText
        let detail = "the next hop \(hop) did not answer within \(time) for \(target.authority)"
        end(.failed(DialFailure(.timedOut, detail), report: report), on: loop)
    }

    private func turn(on loop: isolated EventLoop) {
        guard !isOver, let stack else { return }
        var step = stack.advance()
        while step == .wantsInput, isReadable {
            step = read(stack)
        }
        // The output must be written first, even if it is the last.
        if step != .open, !write(stack) { step = stack.ended(.reset("the connection broke")) }
        switch step {
        case .wantsInput: break
        case .failed(let failure)
        where failure.kind == .hopRefused && isCounted
            && shard.shared.unanswered.isCircle(target.authority):
            endCircle(on: loop)
        case .failed(let failure): end(.failed(failure, report: report), on: loop)
        case .open: handOver(stack, on: loop)
        }
    }

    private func read(_ stack: HopStack) -> HopStack.Step {
        let limit = limits.readSize
        let result = stack.withPeer { peer in socket?.read(into: &peer.value.inbox, limit: limit) } ?? nil
        switch result {
        case .bytes(let count):
            stack.withPeer { $0.value.bytesReceived += Int64(count) }
            if count < limit, !hasEnded { isReadable = false }
            return stack.advance()
        case .end:
            isReadable = false
            return stack.ended(.orderly)
        case .failed(let code):
            isReadable = false
            return stack.ended(.reset(String(cString: strerror(code))))
        case .wouldBlock, nil:
            isReadable = false
            return .wantsInput
        }
    }

    /// - Returns: Whether the connection is still open.
    private func write(_ stack: HopStack) -> Bool {
        stack.withPeer { peer in
            do throws(SystemFailure) {
                try socket?.write(from: &peer.value.outbox)
                return true
            } catch {
                return false
            }
        } ?? false
    }

    private func handOver(_ stack: HopStack, on loop: isolated EventLoop) {
        guard let socket = socket.take(), let token = token.take(), let address else { return }
        loop.unregister(token, descriptor: socket.descriptor)
        peer = stack.takePeer()
        report.hop = hop.description
        end(.connected(socket: socket.release(), address: address, report: report), on: loop)
    }

    /// Ends the attempt, because so many connections to the same server wait that the other proxy must lead back here.
    private func endCircle(on loop: isolated EventLoop) {
        let detail =
            """
            the next hop \(hop) gives no connection to \(target.authority): \
            \(limits.unansweredDials) were asked for at one time and none came, as where it leads back here
            """
        end(.failed(DialFailure(.hopLoop, detail), report: report), on: loop)
    }

    private func end(_ end: Dialer.End, on loop: isolated EventLoop) {
        let owner = owner
        self.owner = nil
        cleanUp(on: loop)
        owner?.dialed(end, on: loop)
    }

    private func cleanUp(on loop: isolated EventLoop) {
        isOver = true
        if isCounted { shard.shared.unanswered.end(target.authority) }
        isCounted = false
        dialer?.cancel(on: loop)
        dialer = nil
        stack = nil
        if let timer = timer.take() { loop.cancel(timer) }
        guard let socket = socket.take(), let token = token.take() else { return }
        loop.unregister(token, descriptor: socket.descriptor)
    }
}

extension DialTarget {
    /// The same target with its address, if it has one: the other proxy cannot know where the name led the client.
    fileprivate var placedTarget: DialTarget {
        var target = self
        target.authority = place
        return target
    }
}
