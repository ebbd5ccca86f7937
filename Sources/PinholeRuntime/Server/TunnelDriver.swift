import Glibc
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeWire

/// Connects one stack to its sockets: reads, feeds the stack, writes, and carries out the stack's commands.
///
/// The driver belongs to one loop and is used nowhere else. Results from other threads are addressed by
/// ``number``, so a result that comes too late finds no driver and is dropped.
final class TunnelDriver: LoopDriver, ReadinessHandler, TimerHandler, TurnHandler, DialerOwner {
    /// The number of reading rounds before other tunnels get their turn.
    private static let rounds = 8

    let number: UInt64
    private let shard: ProxyShard
    private var stack: TunnelStack
    private var clientLine: ClientLine?
    private var serverLine: SocketLine?
    private var serverAddress = ""
    private var target: DialTarget?
    private var dialer: (any ServerDialing)?
    private var isInTurn = false
    private var wantsTurn = false
    private(set) var isPaused = false
    /// The bytes in the queues of this connection that the common budget has counted.
    private var held = 0
    private var deadline: (kind: Deadline, at: Timestamp, duration: Duration)?
    private var timer: (id: TimerID, at: Timestamp)?
    private var wakeTimer: (id: TimerID, at: Timestamp)?
    /// The tag that distinguishes the timer for throttled data from the timer for deadlines.
    private static let wakeTag = 1

    /// Creates a driver for an accepted connection.
    init(number: UInt64, shard: ProxyShard, stack: consuming TunnelStack) {
        self.number = number
        self.shard = shard
        self.stack = stack
    }

    /// Begins with the client's socket.
    func begin(_ socket: consuming Socket, on loop: isolated EventLoop) throws(SystemFailure) {
        let token = try loop.register(socket.descriptor, self, tag: 0)
        clientLine = ClientLine(SocketLine(socket: socket, token: token))
        stack.begin(at: loop.now)
        turn(on: loop)
    }

    /// Begins with a CONNECT from an HTTP/2 stream.
    func begin(_ line: StreamLine, with connect: RequestHead, on loop: isolated EventLoop) {
        line.reader = self
        clientLine = ClientLine(line)
        stack.begin(with: connect, at: loop.now)
        // The driver of the connection is in its turn, so this one begins afterwards.
        loop.afterThisTurn(self)
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        if tag == 0 {
            clientLine?.note(readiness)
        } else {
            serverLine?.note(readiness)
        }
        turn(on: loop)
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        if tag == Self.wakeTag {
            wakeTimer = nil
            // A connection that is throttled is not idle.
            touch(on: loop)
            return turn(on: loop)
        }
        timer = nil
        guard let deadline else { return }
        guard deadline.at <= loop.now else { return schedule(on: loop) }
        self.deadline = nil
        stack.expired(deadline.kind, at: loop.now)
        turn(on: loop)
    }

    func turnEnded(on loop: isolated EventLoop) {
        guard clientLine != nil else { return }
        turn(on: loop)
    }

    func waits(for place: Authority) -> Bool { false }

    func resolved(_ answer: Resolver.Answer, tag: Int, on loop: isolated EventLoop) {
        dialer?.begin(answer, on: loop)
    }

    func minted(_ result: Result<Identity, CryptoFailure>, on loop: isolated EventLoop) {
        switch result {
        case .success(let identity): stack.minted(identity, at: loop.now)
        case .failure(let failure): stack.mintFailed(failure.description, at: loop.now)
        }
        turn(on: loop)
    }

    func authenticated(_ verdict: LoginVerdict, tag: Int, on loop: isolated EventLoop) {
        stack.authenticated(verdict, at: loop.now)
        turn(on: loop)
    }

    func decided(_ decision: ExchangeDecision, tag: Int, on loop: isolated EventLoop) {}

    func contentRead(
        _ content: AnswerContent,
        _ bytes: [UInt8]?,
        tag: Int,
        on loop: isolated EventLoop
    ) {}

    func identified(_ process: ClientProcess, on loop: isolated EventLoop) {
        stack.identify(process, at: loop.now)
        deliver()
    }

    func send(_ message: OwnMessage, on loop: isolated EventLoop) -> OwnMessage.Outcome { .notOpen }

    func abort(_ id: Int64, on loop: isolated EventLoop) -> Bool {
        guard stack.abort(id, at: loop.now) else { return false }
        turn(on: loop)
        return true
    }

    func recordSlow(before moment: Timestamp) -> Bool { false }

    func resume(on loop: isolated EventLoop) {
        guard isPaused else { return }
        isPaused = false
        turn(on: loop)
    }

    func drain(on loop: isolated EventLoop) {
        stack.drain(at: loop.now)
        turn(on: loop)
    }

    func retire(_ isSelected: (Authority) -> Bool, on loop: isolated EventLoop) {
        stack.retire(isSelected, at: loop.now)
        turn(on: loop)
    }

    func stop(on loop: isolated EventLoop) {
        stack.stop(at: loop.now)
        turn(on: loop)
    }

    func noteIdle(since moment: Timestamp, on loop: isolated EventLoop) {}

    func giveWay(_ eviction: Eviction, on loop: isolated EventLoop) {
        if eviction == .place { stack.displace(Outcome.newerConnection, at: loop.now) }
        // A client that waits for nothing is told the same as after the deadline, which comes earlier now. A handshake
        // did not fail, so its record must not say so.
        if let passed = deadline.take(), eviction == .time || !passed.kind.isHandshake {
            stack.expired(passed.kind, at: loop.now)
        }
        if !stack.isClosed, !stack.isClosing { stack.stop(at: loop.now) }
        turn(on: loop)
    }

    /// Takes a place among the connections with an accepted request.
    private func takePlace(on loop: isolated EventLoop) {
        guard let place = clientLine?.place, !place.change(to: .busy(nil), at: loop.now) else { return }
        stack.displace(Outcome.noPlace, at: loop.now)
        stack.stop(at: loop.now)
    }

    // MARK: A turn

    private func turn(on loop: isolated EventLoop) {
        guard !isInTurn else {
            wantsTurn = true
            return
        }
        isInTurn = true
        lend(on: loop)
        var rounds = 0
        var goesOn = true
        while goesOn, rounds < Self.rounds, !stack.isClosed {
            var moved = read(.client, on: loop)
            moved = read(.server, on: loop) || moved
            // Without new bytes, older ones may have waited for room in an outbox.
            if !moved { stack.advance(at: loop.now) }
            perform(on: loop)
            // Data without room in an outbox, or an end, continues after the outbox is written.
            let wasFull = stack.isFull
            moved = write(on: loop) || moved
            goesOn = moved && (wasFull || hasMoreToDo)
            rounds += 1
        }
        perform(on: loop)
        write(on: loop)
        deliver()
        if stack.isClosed { return close(on: loop) }
        if let seed = stack.takeSeed() { return handOver(seed, on: loop) }
        giveBack(on: loop)
        count()
        isInTurn = false
        scheduleWake(on: loop)
        if goesOn || wantsTurn {
            wantsTurn = false
            loop.afterThisTurn(self)
        }
    }

    /// Whether the common budget permits this connection to read more.
    private func mayRead() -> Bool {
        if shard.mayRead(holding: held) { return true }
        // A connection without output frees no room by waiting. Its input has separate limits.
        guard stack.hasPendingOutput else { return true }
        // Some bytes may have been written since the last count.
        count()
        return shard.mayRead(holding: held)
    }

    /// Reports the waiting bytes of this connection to the common budget.
    private func count() {
        let queued = stack.queued
        guard queued != held else { return }
        shard.shared.queues.change(by: queued - held)
        held = queued
    }

    /// Whether there is waiting work for another round.
    private var hasMoreToDo: Bool {
        stack.hasPendingInput || clientLine?.isReadable == true || serverLine?.isReadable == true
    }

    private func lend(on loop: isolated EventLoop) {
        stack.client.borrow(from: &loop.buffers)
        stack.server?.value.borrow(from: &loop.buffers)
    }

    private func giveBack(on loop: isolated EventLoop) {
        stack.client.giveBack(to: &loop.buffers)
        stack.server?.value.giveBack(to: &loop.buffers)
    }

    /// - Returns: Whether data was read or the connection's end was noted.
    private func read(_ side: Side, on loop: isolated EventLoop) -> Bool {
        let isReadable = side == .client ? clientLine?.isReadable : serverLine?.isReadable
        guard isReadable == true, !stack.isClosed, stack.wantsRead(side) else { return false }
        guard !shard.sink.isCongested else {
            isPaused = true
            shard.awaitRelief(on: loop)
            return false
        }
        guard mayRead() else {
            isPaused = true
            shard.awaitRoom(on: loop)
            return false
        }
        let limit = shard.limits.readSize
        let result =
            side == .client
            ? clientLine?.read(into: &stack.client.inbox, limit: limit, on: loop)
            : readServer(limit)
        switch result {
        case .bytes(let count):
            if side == .client {
                stack.client.bytesReceived += Int64(count)
            } else {
                stack.server?.value.bytesReceived += Int64(count)
            }
            stack.advance(at: loop.now)
            touch(on: loop)
        case .end: stack.ended(side, .orderly, at: loop.now)
        case .failed(let code): stack.ended(side, ClientLine.end(after: code), at: loop.now)
        case .wouldBlock, nil: return false
        }
        return true
    }

    private func readServer(_ limit: Int) -> Socket.ReadResult? {
        guard let peer = stack.server.take() else { return nil }
        let result = serverLine?.read(into: &peer.value.inbox, limit: limit)
        stack.server = consume peer
        return result
    }

    /// - Returns: Whether data was written.
    @discardableResult
    private func write(on loop: isolated EventLoop) -> Bool {
        var written = stack.client.outbox.count
        do throws(SystemFailure) {
            try clientLine?.flush(&stack.client.outbox, on: loop)
        } catch {
            stack.client.outbox.removeAll()
            stack.ended(.client, ClientLine.end(after: error.code), at: loop.now)
        }
        written -= stack.client.outbox.count
        guard let peer = stack.server.take() else { return written > 0 }
        do throws(SystemFailure) {
            written += peer.value.outbox.count
            try serverLine?.flush(&peer.value.outbox)
            written -= peer.value.outbox.count
            stack.server = consume peer
        } catch {
            peer.value.outbox.removeAll()
            stack.server = consume peer
            // Data that the server sent before its end is still to be read.
            serverLine?.hasEnded = true
            serverLine?.isReadable = true
            wantsTurn = true
        }
        return written > 0
    }

    private func deliver() {
        guard !stack.records.isEmpty else { return }
        shard.sink.record(stack.records)
        stack.records.removeAll(keepingCapacity: true)
    }

    // MARK: Commands

    private func perform(on loop: isolated EventLoop) {
        var index = 0
        while index < stack.driverCommands.count {
            perform(stack.driverCommands[index], on: loop)
            index += 1
        }
        stack.driverCommands.removeAll(keepingCapacity: true)
    }

    private func perform(_ command: DriverCommand, on loop: isolated EventLoop) {
        switch command {
        case .dial(_, let target):
            takePlace(on: loop)
            dial(target, on: loop)
        case .authenticate(_, let check): shard.authenticate(check, for: self, tag: 0, on: loop)
        case .mint(let request): shard.mint(request, for: self, on: loop)
        case .releaseLink: releaseServer(on: loop)
        case .closeLink: closeServer(on: loop)
        case .closeClient: clientLine?.closeWhenWritten()
        case .closeLinkHalf: serverLine?.closesWhenWritten = true
        case .resetClient: clientLine?.resetOnClose()
        case .resetLink: serverLine?.socket.resetOnClose()
        case .acceptStream: clientLine?.accept(on: loop)
        case .refuseStream(let answer): clientLine?.refuse(answer, on: loop)
        case .abort: break  // The stack is closed; the turn ends with it.
        case .arm(let kind, let duration):
            deadline = (kind, loop.now + duration, duration)
            schedule(on: loop)
        case .consult, .withdraw, .read, .openTunnel, .stirTunnel, .armHandshake, .disarmHandshake:
            break  // Only conversations ask for these.
        }
    }

    private func dial(_ target: DialTarget, on loop: isolated EventLoop) {
        self.target = target
        if target.mayReuse, let pooled = shard.pool.take(target, on: loop) {
            return install(pooled, on: loop)
        }
        dialer = shard.makeDialer(to: target, for: self, owner: self, tag: 0, on: loop)
        shard.start(dialer, to: target, for: self, tag: 0, on: loop)
    }

    private func install(_ pooled: consuming ServerPool.Entry, on loop: isolated EventLoop) {
        var facts = DialedServer(address: pooled.address)
        facts.secured = pooled.secured
        facts.isReused = true
        serverAddress = pooled.address
        loop.transfer(pooled.token, to: self, tag: 1)
        let parts = pooled.dismantle()
        serverLine = SocketLine(socket: parts.socket, token: parts.token)
        stack.dialed(facts, parts.stack, at: loop.now)
        stack.server?.value.borrow(from: &loop.buffers)
    }

    func mayConnect(to address: SocketAddress) -> Bool {
        !shard.isOwn(address)
    }

    func dialed(_ end: Dialer.End, on loop: isolated EventLoop) {
        let peer = dialer?.takePeer()
        dialer = nil
        switch end {
        case .failed(let failure, let report):
            stack.dialFailed(failure, report.dials, at: loop.now)
        case .connected(let descriptor, let address, let report):
            var socket = Socket(taking: descriptor)
            socket.setNoDelay()
            shard.tap(&socket, of: stack.flow.id, isServer: true, on: loop)
            let facts = report.facts(of: address)
            do throws(SystemFailure) {
                let token = try loop.register(socket.descriptor, self, tag: 1)
                serverAddress = address.description
                serverLine = SocketLine(socket: socket, token: token)
                stack.dialed(facts, peer, at: loop.now)
                stack.server?.value.borrow(from: &loop.buffers)
            } catch {
                stack.dialFailed(DialFailure(.unreachable, error.description), report.dials, at: loop.now)
            }
        }
        turn(on: loop)
    }

    private func releaseServer(on loop: isolated EventLoop) {
        guard let line = serverLine.take(), let peer = stack.takeServer(), let target else { return }
        peer.value.giveBack(to: &loop.buffers)
        guard peer.value.pendingOutput == 0, !line.hasEnded,
            peer.value.isStillIdle(limit: shard.limits.readSize)
        else {
            return loop.unregister(line.token, descriptor: line.socket.descriptor)
        }
        let parts = line.dismantle()
        shard.pool.put(
            ServerPool.Entry(
                socket: parts.socket,
                token: parts.token,
                stack: peer,
                target: target,
                secured: stack.securedServer,
                address: serverAddress
            ),
            on: loop
        )
    }

    private func closeServer(on loop: isolated EventLoop) {
        dialer?.cancel(on: loop)
        dialer = nil
        guard var line = serverLine.take() else { return }
        if let peer = stack.takeServer() { try? line.flush(&peer.value.outbox) }
        loop.unregister(line.token, descriptor: line.socket.descriptor)
    }

    /// Hands the connection over to the driver of a conversation.
    private func handOver(_ seed: OpeningResult, on loop: isolated EventLoop) {
        cancelTimers(on: loop)
        giveBack(on: loop)
        shard.shared.queues.change(by: -held)
        held = 0
        guard let line = clientLine.take() else { return shard.forget(self) }
        let server = seed.hasServer ? stack.takeServer() : nil
        let driver = ConversationDriver(
            number: number,
            shard: shard,
            stack: shard.converse(seed, client: stack.takeClient(), server: server),
            client: line,
            on: loop
        )
        if seed.hasServer, let line = serverLine.take() {
            driver.adopt(line, at: serverAddress, target, on: loop)
        } else {
            closeServer(on: loop)
        }
        shard.replace(with: driver)
        driver.begin(on: loop)
    }

    /// Closes both connections, and cancels the timers.
    ///
    /// A client with waiting output was given time to read it before.
    private func close(on loop: isolated EventLoop) {
        cancelTimers(on: loop)
        closeServer(on: loop)
        clientLine?.close(on: loop)
        clientLine = nil
        giveBack(on: loop)
        shard.shared.queues.change(by: -held)
        held = 0
        shard.forget(self)
    }

    // MARK: Time

    private func cancelTimers(on loop: isolated EventLoop) {
        if let timer { loop.cancel(timer.id) }
        if let wakeTimer { loop.cancel(wakeTimer.id) }
        timer = nil
        wakeTimer = nil
    }

    /// Sets the timer for throttled data.
    ///
    /// Data that may already go on waits for another event.
    private func scheduleWake(on loop: isolated EventLoop) {
        guard let wake = stack.wake, wake > loop.now else { return }
        if let wakeTimer {
            guard wakeTimer.at > wake else { return }
            loop.cancel(wakeTimer.id)
        }
        wakeTimer = (loop.schedule(at: wake, self, tag: Self.wakeTag), wake)
    }

    /// Restarts the idle timeout, since data was transferred.
    private func touch(on loop: isolated EventLoop) {
        // A client that was told about the end cannot postpone it by sending more.
        guard let current = deadline, current.kind == .idle, !stack.isClosing else { return }
        deadline?.at = loop.now + current.duration
        // A peer that sends lines byte by byte must not get more time than others.
        guard let end = stack.linesDeadline, end < loop.now + current.duration else { return }
        deadline?.at = end
        schedule(on: loop)
    }

    /// Sets the timer.
    ///
    /// The timer is moved only if the deadline comes nearer, since most deadlines move away all the time.
    private func schedule(on loop: isolated EventLoop) {
        guard let deadline else { return }
        if let timer {
            guard timer.at > deadline.at else { return }
            loop.cancel(timer.id)
        }
        timer = (loop.schedule(at: deadline.at, self), deadline.at)
    }
}
