import Glibc
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeWire

/// Connects a multiplexed stack to its sockets: one toward the client, any number toward servers.
///
/// It takes over from a ``TunnelDriver``, under the same number.
final class MultiplexDriver: LoopDriver, ReadinessHandler, TimerHandler, TurnHandler {
    /// Makes one connection to a server, and tells the driver under the number of its link.
    private final class Dialing: DialerOwner {
        unowned let driver: MultiplexDriver
        let link: LinkID
        let place: Authority
        var dialer: (any ServerDialing)?

        init(_ driver: MultiplexDriver, _ link: LinkID, to place: Authority) {
            self.driver = driver
            self.link = link
            self.place = place
        }

        func mayConnect(to address: SocketAddress) -> Bool { !driver.shard.isOwn(address) }

        func dialed(_ end: Dialer.End, on loop: isolated EventLoop) { driver.dialed(link, end, on: loop) }
    }

    /// The line of a link.
    private final class LinkLine {
        var line: SocketLine
        init(_ line: consuming SocketLine) { self.line = line }
    }

    /// Rounds of reading before other tunnels get their turn.
    private static let rounds = 8
    private static let clientTag = 0

    let number: UInt64
    let shard: ProxyShard
    var stack: MultiplexStack
    private var clientLine: ClientLine?
    /// The lines of tunnels in streams.
    var streamLines: [Lane: StreamLine] = [:]
    private var lines: [LinkID: LinkLine] = [:]
    private var dialings: [LinkID: Dialing] = [:]
    private var questions: [Int: OpenQuestion] = [:]
    private var isInTurn = false
    private var wantsTurn = false
    private(set) var isPaused = false
    /// The bytes of its queues that the budget of all connections counts.
    private var held = 0
    private var deadlines: [LinkID?: (at: Timestamp, duration: Duration)] = [:]
    private var timer: (id: TimerID, at: Timestamp)?
    private var wakeTimer: (id: TimerID, at: Timestamp)?
    /// Tells the timer for what is throttled from the one for deadlines.
    private static let wakeTag = 1

    /// Takes over the client's socket.
    init(
        number: UInt64,
        shard: ProxyShard,
        stack: consuming MultiplexStack,
        client: consuming ClientLine,
        on loop: isolated EventLoop
    ) {
        self.number = number
        self.shard = shard
        self.stack = stack
        var line = client
        line.transfer(to: self, tag: Self.clientTag, on: loop)
        clientLine = consume line
    }

    /// Takes over the server's socket.
    func adopt(_ server: consuming SocketParts, on loop: isolated EventLoop) {
        let parts = server
        loop.transfer(parts.token, to: self, tag: Self.tag(Multiplexer.firstLink))
        var line = SocketLine(socket: parts.socket, token: parts.token)
        line.isReadable = true
        lines[Multiplexer.firstLink] = LinkLine(consume line)
    }

    /// Begins.
    func begin(on loop: isolated EventLoop) {
        stack.begin(at: loop.now)
        turn(on: loop)
    }

    private static func tag(_ link: LinkID) -> Int { link.rawValue + 1 }
    private static func link(_ tag: Int) -> LinkID { LinkID(rawValue: tag - 1) }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        if tag == Self.clientTag {
            clientLine?.note(readiness)
        } else {
            lines[Self.link(tag)]?.line.note(readiness)
        }
        turn(on: loop)
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        if tag == Self.wakeTag {
            wakeTimer = nil
            // Whoever is made to wait is not idle.
            touch(on: loop)
            return turn(on: loop)
        }
        timer = nil
        for (link, deadline) in deadlines where deadline.at <= loop.now {
            deadlines[link] = nil
            if let link {
                stack.handshakeExpired(link, at: loop.now)
            } else {
                stack.expired(at: loop.now)
            }
        }
        schedule(on: loop)
        turn(on: loop)
    }

    func turnEnded(on loop: isolated EventLoop) {
        guard clientLine != nil else { return }
        turn(on: loop)
    }

    func waits(for place: Authority) -> Bool { stack.waits(for: place) }

    func resolved(_ answer: Resolver.Answer, tag: Int, on loop: isolated EventLoop) {
        dialings[Self.link(tag)]?.dialer?.begin(answer, on: loop)
    }

    func minted(_ result: Result<Identity, CryptoFailure>, on loop: isolated EventLoop) {}

    func authenticated(_ verdict: LoginVerdict, tag: Int, on loop: isolated EventLoop) {
        stack.authenticated(Lane(rawValue: tag), verdict, at: loop.now)
        turn(on: loop)
    }

    func decided(_ decision: Decision, tag: Int, on loop: isolated EventLoop) {
        questions.removeValue(forKey: tag)?.close(on: loop)
        stack.decided(Lane(rawValue: tag), decision, at: loop.now)
        turn(on: loop)
    }

    func contentRead(
        _ content: AnswerContent,
        _ bytes: [UInt8]?,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        stack.contentRead(Lane(rawValue: tag), content, bytes, at: loop.now)
        touch(on: loop)
        turn(on: loop)
    }

    func identified(_ process: ClientProcess, on loop: isolated EventLoop) {
        stack.identify(process)
        deliver()
        for line in streamLines.values {
            (line.reader as? any LoopDriver)?.identified(process, on: loop)
        }
    }

    func send(_ message: OwnMessage, on loop: isolated EventLoop) -> OwnMessage.Outcome {
        do throws(WebSocketFailure) {
            let isOpen = try stack.inject(
                message.kind,
                message.payload,
                to: message.receiver,
                into: message.exchange,
                at: loop.now
            )
            guard isOpen else { return .notOpen }
        } catch {
            return .refused(error.detail)
        }
        turn(on: loop)
        return .taken
    }

    func abort(_ id: Int64, on loop: isolated EventLoop) -> Bool {
        guard stack.abort(id, at: loop.now) else { return false }
        turn(on: loop)
        return true
    }

    func recordSlow(before moment: Timestamp) -> Bool {
        defer { deliver() }
        return stack.recordSlow(before: moment)
    }

    func resume(on loop: isolated EventLoop) {
        guard isPaused else { return }
        isPaused = false
        turn(on: loop)
    }

    func drain(on loop: isolated EventLoop) {
        stack.drain(at: loop.now)
        turn(on: loop)
    }

    func retire(_ isMeant: (Authority) -> Bool, on loop: isolated EventLoop) {
        stack.retire(isMeant, at: loop.now)
        turn(on: loop)
    }

    func stop(on loop: isolated EventLoop) {
        stack.stop(at: loop.now)
        turn(on: loop)
    }

    // MARK: A turn

    private func turn(on loop: isolated EventLoop) {
        guard !isInTurn else {
            wantsTurn = true
            return
        }
        isInTurn = true
        wantsTurn = false
        stack.isShort = !shard.mayRead(holding: held) && stack.hasPendingOutput
        stack.client.borrow(from: &loop.buffers)
        var rounds = 0
        var moved = true
        while moved, rounds < Self.rounds, !stack.isClosed {
            moved = readClient(on: loop)
            for link in lines.keys { moved = readServer(link, on: loop) || moved }
            if !moved { stack.advance(at: loop.now) }
            perform(on: loop)
            // What had no room in an outbox waits inside of the stack, and nobody else says when there is some.
            let wasFull = stack.isFull
            moved = write(on: loop) && (wasFull || hasMoreToDo) || moved
            rounds += 1
        }
        perform(on: loop)
        let wasFull = stack.isFull
        if write(on: loop), wasFull { moved = true }
        deliver()
        if stack.isClosed { return close(on: loop) }
        if !shard.looksForSlow, stack.hasUnrecorded { shard.awaitSlow(on: loop) }
        giveBack(on: loop)
        count()
        if stack.isShort {
            isPaused = true
            shard.awaitRoom(on: loop)
        }
        isInTurn = false
        scheduleWake(on: loop)
        if moved || wantsTurn {
            wantsTurn = false
            loop.afterThisTurn(self)
        }
    }

    /// Reports the waiting bytes of this connection to the common budget.
    private func count() {
        let queued = stack.queued
        guard queued != held else { return }
        shard.shared.queues.change(by: queued - held)
        held = queued
    }

    /// Asks for a turn, to write what a tunnel in a stream has made.
    func wake(on loop: isolated EventLoop) {
        guard !wantsTurn else { return }
        wantsTurn = true
        if !isInTurn { loop.afterThisTurn(self) }
    }

    /// Whether something waits that room in an outbox sets free.
    private var hasMoreToDo: Bool {
        stack.hasMoreToDo || clientLine?.isReadable == true || lines.values.contains { $0.line.isReadable }
    }

    private func giveBack(on loop: isolated EventLoop) {
        stack.client.giveBack(to: &loop.buffers)
        for link in lines.keys { stack.links[link]?.peer.value.giveBack(to: &loop.buffers) }
    }

    /// - Returns: Whether nothing may be read now from a peer of HTTP/1, since too much waits in all queues.
    private func waitsForRoom(on loop: isolated EventLoop) -> Bool {
        if shard.mayRead(holding: held) { return false }
        // A connection with nothing to write frees no room by waiting. What it reads has bounds of its own.
        guard stack.hasPendingOutput else { return false }
        // Some bytes may have been written since the last count.
        count()
        if shard.mayRead(holding: held) { return false }
        isPaused = true
        shard.awaitRoom(on: loop)
        return true
    }

    /// - Returns: Whether nothing may be read now, since the capture cannot keep up.
    private func waitsForCapture(on loop: isolated EventLoop) -> Bool {
        guard shard.sink.isCongested else { return false }
        isPaused = true
        shard.awaitRelief(on: loop)
        return true
    }

    /// - Returns: Whether anything came.
    private func readClient(on loop: isolated EventLoop) -> Bool {
        guard clientLine?.isReadable == true, !stack.isClosed, stack.wantsReadFromClient,
            !waitsForCapture(on: loop), stack.clientSpeaksHTTP2 || !waitsForRoom(on: loop)
        else { return false }
        switch clientLine?.read(into: &stack.client.inbox, limit: shard.limits.readSize, on: loop) {
        case .bytes(let count):
            stack.client.bytesReceived += Int64(count)
            let before = stack.progress
            stack.advance(at: loop.now)
            if stack.isInUse || stack.progress != before { touch(on: loop) }
        case .end: stack.clientEnded(.orderly, at: loop.now)
        case .failed(let code): stack.clientEnded(ClientLine.end(after: code), at: loop.now)
        case .wouldBlock, nil: return false
        }
        return true
    }

    /// - Returns: Whether anything came.
    private func readServer(_ id: LinkID, on loop: isolated EventLoop) -> Bool {
        guard let place = lines[id], place.line.isReadable, !stack.isClosed, let link = stack.links[id],
            stack.wantsRead(id), !waitsForCapture(on: loop),
            stack.speaksHTTP2(id) || !waitsForRoom(on: loop)
        else { return false }
        link.peer.value.borrow(from: &loop.buffers)
        switch place.line.read(into: &link.peer.value.inbox, limit: shard.limits.readSize) {
        case .bytes(let count):
            link.peer.value.bytesReceived += Int64(count)
            stack.advance(at: loop.now)
            if stack.isInUse { touch(on: loop) }
        case .end: stack.linkEnded(id, .orderly, at: loop.now)
        case .failed(let code): stack.linkEnded(id, .reset(String(cString: strerror(code))), at: loop.now)
        case .wouldBlock: return false
        }
        return true
    }

    /// - Returns: Whether anything went out.
    @discardableResult
    private func write(on loop: isolated EventLoop) -> Bool {
        var written = stack.client.outbox.count
        do throws(SystemFailure) {
            try clientLine?.flush(&stack.client.outbox, on: loop)
        } catch {
            stack.client.outbox.removeAll()
            stack.clientEnded(ClientLine.end(after: error.code), at: loop.now)
        }
        written -= stack.client.outbox.count
        for (id, place) in lines {
            guard let link = stack.links[id] else { continue }
            let before = link.peer.value.outbox.count
            do throws(SystemFailure) {
                try place.line.flush(&link.peer.value.outbox)
            } catch {
                link.peer.value.outbox.removeAll()
                // What the server said before it went away is still to be read.
                place.line.hasEnded = true
                place.line.isReadable = true
                wantsTurn = true
            }
            written += before - link.peer.value.outbox.count
        }
        return written > 0
    }

    private func deliver() {
        guard !stack.records.isEmpty else { return }
        shard.sink.record(stack.records)
        stack.records.removeAll(keepingCapacity: true)
    }

    // MARK: Actions

    private func perform(on loop: isolated EventLoop) {
        var index = 0
        while index < stack.actions.count {
            perform(stack.actions[index], on: loop)
            index += 1
        }
        stack.actions.removeAll(keepingCapacity: true)
    }

    private func perform(_ action: MultiplexStack.Action, on loop: isolated EventLoop) {
        switch action {
        case .dial(let link, let target):
            let dialing = Dialing(self, link, to: target.place)
            let tag = Self.tag(link)
            dialing.dialer = shard.makeDialer(to: target, for: self, owner: dialing, tag: tag, on: loop)
            dialings[link] = dialing
            shard.start(dialing.dialer, to: target, for: self, tag: tag, on: loop)
        case .authenticate(let lane, let check):
            shard.authenticate(check, for: self, tag: lane.rawValue, on: loop)
        case .consult(let lane, let question):
            let tag = lane.rawValue
            questions[tag] = shard.consult(question, for: self, tag: tag, on: loop)
        case .read(let lane, let content, let range):
            shard.read(content, range, for: self, tag: lane.rawValue, on: loop)
        case .withdraw(let lane): questions.removeValue(forKey: lane.rawValue)?.withdraw(on: loop)
        case .closeLink(let link): closeLink(link, on: loop)
        case .openTunnel(let lane, let connect): openTunnel(lane, connect, on: loop)
        case .stirTunnel(let lane): streamLines[lane]?.stir(on: loop)
        case .closeClient: clientLine?.closeWhenWritten()
        case .abort: break  // The stack is closed; the turn ends with it.
        case .arm(let duration): arm(nil, duration, on: loop)
        case .armHandshake(let link, let duration): arm(link, duration, on: loop)
        case .disarmHandshake(let link): deadlines[link] = nil
        }
    }

    private func dialed(_ id: LinkID, _ end: Dialer.End, on loop: isolated EventLoop) {
        let dialing = dialings.removeValue(forKey: id)
        let peer = dialing?.dialer?.takePeer()
        switch end {
        case .failed(let failure, let report): stack.dialFailed(id, failure, report.dials, at: loop.now)
        case .connected(let descriptor, let address, let report):
            let socket = Socket(taking: descriptor)
            socket.setNoDelay()
            var facts = report.facts(of: address)
            facts.isCrowded = dialing.map { shard.isCrowded($0.place) } ?? false
            do throws(SystemFailure) {
                let token = try loop.register(socket.descriptor, self, tag: Self.tag(id))
                lines[id] = LinkLine(SocketLine(socket: socket, token: token))
                stack.dialed(id, facts, peer, at: loop.now)
            } catch {
                let failure = DialFailure(.unreachable, error.description)
                stack.dialFailed(id, failure, report.dials, at: loop.now)
            }
        }
        turn(on: loop)
    }

    private func closeLink(_ id: LinkID, on loop: isolated EventLoop) {
        deadlines[id] = nil
        dialings.removeValue(forKey: id)?.dialer?.cancel(on: loop)
        let link = stack.takeLink(id)
        guard let place = lines.removeValue(forKey: id) else { return }
        if let link {
            try? place.line.flush(&link.peer.value.outbox)
            link.peer.value.giveBack(to: &loop.buffers)
        }
        loop.unregister(place.line.token, descriptor: place.line.socket.descriptor)
    }

    /// Ends everything.
    private func close(on loop: isolated EventLoop) {
        if let timer { loop.cancel(timer.id) }
        if let wakeTimer { loop.cancel(wakeTimer.id) }
        timer = nil
        wakeTimer = nil
        for question in questions.values { question.withdraw(on: loop) }
        questions = [:]
        deadlines = [:]
        for id in Array(lines.keys) + Array(dialings.keys) { closeLink(id, on: loop) }
        for line in streamLines.values { line.cut(isOrderly: stack.hasEnded(line.lane), on: loop) }
        streamLines = [:]
        clientLine?.close(on: loop)
        clientLine = nil
        stack.client.giveBack(to: &loop.buffers)
        shard.shared.queues.change(by: -held)
        held = 0
        shard.forget(self)
    }

    // MARK: Time

    /// Something moved: idleness begins anew.
    private func touch(on loop: isolated EventLoop) {
        // A client that was told the end cannot put it off by sending more.
        guard let idle = deadlines[nil], !stack.isClosing else { return }
        deadlines[nil]?.at = loop.now + idle.duration
        // A peer that sends lines byte by byte must not get more time than others.
        guard let end = stack.linesDeadline, end < loop.now + idle.duration else { return }
        deadlines[nil]?.at = end
        schedule(on: loop)
    }

    private func arm(_ link: LinkID?, _ duration: Duration, on loop: isolated EventLoop) {
        deadlines[link] = (loop.now + duration, duration)
        schedule(on: loop)
    }

    /// Lets what is throttled go on in time; what could go on by now waits for something else.
    private func scheduleWake(on loop: isolated EventLoop) {
        guard let wake = stack.wake, wake > loop.now else { return }
        if let wakeTimer {
            guard wakeTimer.at > wake else { return }
            loop.cancel(wakeTimer.id)
        }
        wakeTimer = (loop.schedule(at: wake, self, tag: Self.wakeTag), wake)
    }

    /// There is one timer, moved only when a deadline comes nearer: most of them move away all the time.
    private func schedule(on loop: isolated EventLoop) {
        guard let next = deadlines.values.lazy.map(\.at).min() else { return }
        if let timer {
            guard timer.at > next else { return }
            loop.cancel(timer.id)
        }
        timer = (loop.schedule(at: next, self), next)
    }
}
