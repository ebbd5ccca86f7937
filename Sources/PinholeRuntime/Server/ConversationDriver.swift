import Glibc
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeWire

/// Connects the stack of a conversation to its sockets: one to the client, any number to servers.
///
/// The driver takes over from a ``TunnelDriver`` and keeps its number.
final class ConversationDriver: LoopDriver, ReadinessHandler, TimerHandler, TurnHandler {
    /// Makes one connection to a server, and reports the result to the driver with the number of the link.
    private final class Dialing: DialerOwner {
        unowned let driver: ConversationDriver
        let link: LinkID
        let target: DialTarget
        var dialer: (any ServerDialing)?

        init(_ driver: ConversationDriver, _ link: LinkID, to target: DialTarget) {
            self.driver = driver
            self.link = link
            self.target = target
        }

        func mayConnect(to address: SocketAddress) -> Bool { !driver.shard.isOwn(address) }

        func dialed(_ end: Dialer.End, on loop: isolated EventLoop) { driver.dialed(link, end, on: loop) }
    }

    /// The socket of a link.
    private final class LinkLine {
        let link: LinkID
        var line: SocketLine?
        let address: String
        /// The target of the connection, by which the pool distinguishes connections.
        let target: DialTarget

        init(_ link: LinkID, _ line: consuming SocketLine, at address: String, _ target: DialTarget) {
            self.link = link
            self.line = consume line
            self.address = address
            self.target = target
        }
    }

    /// The number of reading rounds before other tunnels get their turn.
    private static let rounds = 8
    private static let clientTag = 0

    let number: UInt64
    let shard: ProxyShard
    var stack: ConversationStack
    private var clientLine: ClientLine?
    /// The lines of tunnels in streams.
    var streamLines: [Lane: StreamLine] = [:]
    /// The sockets of the links, in no order; a connection has few links, and each turn visits all of them.
    private var lines: [LinkLine] = []
    private var dialings: [LinkID: Dialing] = [:]
    private var questions: [Int: OpenQuestion] = [:]
    /// Whether the place of the connection is that of an accepted request and not idle.
    var isBusy = false
    private var isInTurn = false
    private var wantsTurn = false
    private(set) var isPaused = false
    /// The bytes in the queues of this connection that the common budget has counted.
    private var held = 0
    var deadline: (kind: Deadline, at: Timestamp, duration: Duration)?
    /// The deadlines of handshakes with servers.
    private var handshakes: [LinkID: Timestamp] = [:]
    private var timer: (id: TimerID, at: Timestamp)?
    private var wakeTimer: (id: TimerID, at: Timestamp)?
    /// The tag that distinguishes the timer for throttled data from the timer for deadlines.
    private static let wakeTag = 1

    /// Takes over the client's socket.
    init(
        number: UInt64,
        shard: ProxyShard,
        stack: consuming ConversationStack,
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

    /// Takes over the server's line, which knows whether the end of the server is still to be read.
    func adopt(
        _ line: consuming SocketLine,
        at address: String,
        _ target: DialTarget?,
        on loop: isolated EventLoop
    ) {
        guard let target else { return loop.unregister(line.token, descriptor: line.socket.descriptor) }
        loop.transfer(line.token, to: self, tag: Self.tag(LinkID.first))
        // The edge of bytes that came in the meantime may be gone already.
        line.isReadable = true
        lines.append(LinkLine(LinkID.first, line, at: address, target))
    }

    /// Starts the conversation.
    func begin(on loop: isolated EventLoop) {
        stack.begin(at: loop.now)
        if !shard.needsLogin { takePlace(on: loop) }
        turn(on: loop)
    }

    private func place(of link: LinkID) -> LinkLine? { lines.first { $0.link == link } }

    private func removePlace(of link: LinkID) -> LinkLine? {
        lines.firstIndex { $0.link == link }.map { lines.remove(at: $0) }
    }

    private static func tag(_ link: LinkID) -> Int { link.rawValue + 1 }
    private static func link(_ tag: Int) -> LinkID { LinkID(rawValue: tag - 1) }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        if tag == Self.clientTag {
            clientLine?.note(readiness)
        } else {
            place(of: Self.link(tag))?.line?.note(readiness)
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
        for (link, end) in handshakes where end <= loop.now {
            handshakes[link] = nil
            stack.handshakeExpired(link, at: loop.now)
        }
        if let passed = deadline, passed.at <= loop.now {
            deadline = nil
            stack.expired(passed.kind, at: loop.now)
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

    func decided(_ decision: ExchangeDecision, tag: Int, on loop: isolated EventLoop) {
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
        stack.identify(process, at: loop.now)
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

    func retire(_ isSelected: (Authority) -> Bool, on loop: isolated EventLoop) {
        stack.retire(isSelected, at: loop.now)
        turn(on: loop)
    }

    func stop(on loop: isolated EventLoop) {
        stack.stop(at: loop.now)
        turn(on: loop)
    }

    /// The place of the client's connection; `nil` in a stream, and after the end.
    var clientPlace: Place? { clientLine?.place }

    // MARK: A turn

    func turn(on loop: isolated EventLoop) {
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
            for place in lines { moved = readServer(place, on: loop) || moved }
            if !moved { stack.advance(at: loop.now) }
            perform(on: loop)
            // Data that had no room in an outbox waits inside of the stack. No event announces that there is
            // room again.
            let wasFull = stack.isFull
            let hasWritten = write(on: loop)
            moved = hasWritten && wasFull || (hasWritten || moved) && hasMoreToDo
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

    /// Requests a turn to write the output of a tunnel in a stream.
    func wake(on loop: isolated EventLoop) {
        guard !wantsTurn else { return }
        wantsTurn = true
        if !isInTurn { loop.afterThisTurn(self) }
    }

    /// Whether there is waiting work that needs room in an outbox.
    private var hasMoreToDo: Bool {
        stack.hasMoreToDo || clientLine?.isReadable == true
            || lines.contains { $0.line?.isReadable == true }
    }

    private func giveBack(on loop: isolated EventLoop) {
        stack.client.giveBack(to: &loop.buffers)
        for place in lines { stack.link(place.link)?.peer.value.giveBack(to: &loop.buffers) }
    }

    /// - Returns: Whether no HTTP/1 peer may be read now, since too many bytes wait in all queues.
    private func waitsForRoom(on loop: isolated EventLoop) -> Bool {
        if shard.mayRead(holding: held) { return false }
        // A connection without output frees no room by waiting. Its input has separate limits.
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

    /// - Returns: Whether data was read or the connection's end was noted.
    private func readClient(on loop: isolated EventLoop) -> Bool {
        guard clientLine?.isReadable == true, !stack.isClosed, stack.wantsReadFromClient,
            !waitsForCapture(on: loop), stack.clientSpeaksHTTP2 || !waitsForRoom(on: loop)
        else { return false }
        switch clientLine?.read(into: &stack.client.inbox, limit: shard.limits.readSize, on: loop) {
        case .bytes(let count):
            if !shard.needsLogin { takePlace(on: loop) }
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

    /// - Returns: Whether data was read or the connection's end was noted.
    private func readServer(_ place: LinkLine, on loop: isolated EventLoop) -> Bool {
        let id = place.link
        guard place.line?.isReadable == true, !stack.isClosed, let link = stack.link(id), stack.wantsRead(id),
            !waitsForCapture(on: loop), stack.speaksHTTP2(id) || !waitsForRoom(on: loop)
        else { return false }
        link.peer.value.borrow(from: &loop.buffers)
        switch place.line?.read(into: &link.peer.value.inbox, limit: shard.limits.readSize) {
        case .bytes(let count):
            link.peer.value.bytesReceived += Int64(count)
            stack.advance(at: loop.now)
            if stack.isInUse { touch(on: loop) }
        case .end: stack.linkEnded(id, .orderly, at: loop.now)
        case .failed(let code): stack.linkEnded(id, .reset(String(cString: strerror(code))), at: loop.now)
        case .wouldBlock, nil: return false
        }
        return true
    }

    /// - Returns: Whether data was written.
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
        for place in lines {
            guard let link = stack.link(place.link) else { continue }
            let before = link.peer.value.outbox.count
            do throws(SystemFailure) {
                try place.line?.flush(&link.peer.value.outbox)
            } catch {
                link.peer.value.outbox.removeAll()
                // Data that the server sent before its end is still to be read.
                place.line?.hasEnded = true
                place.line?.isReadable = true
                wantsTurn = true
            }
            written += before - link.peer.value.outbox.count
        }
        return written > 0
    }

    /// Marks exchanges of an HTTP/1 client as aborted if the client is gone and nobody read their answers.
    private func markAbortedByClient() {
        for index in stack.records.indices {
            // A client that leaves a connection after an upgrade has received its answer.
            guard case .exchange(var record) = stack.records[index], record.outcome == .completed,
                !record.notes.contains(.upgraded)
            else { continue }
            record.outcome = .aborted(by: .client, "the client had hung up before its answer came")
            stack.records[index] = .exchange(record)
        }
    }

    private func deliver() {
        guard !stack.records.isEmpty else { return }
        if !stack.clientSpeaksHTTP2, clientLine?.isGone == true { markAbortedByClient() }
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
        case .dial(let link, let target):
            takePlace(on: loop)
            if target.mayReuse, let pooled = shard.pool.take(target, on: loop) {
                return install(pooled, link, target, on: loop)
            }
            let dialing = Dialing(self, link, to: target)
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
        case .releaseLink(let link): releaseLink(link, on: loop)
        case .closeLinkHalf(let link): place(of: link)?.line?.closesWhenWritten = true
        case .resetLink(let link): place(of: link)?.line?.socket.resetOnClose()
        case .resetClient: clientLine?.resetOnClose()
        case .openTunnel(let lane, let connect):
            takePlace(on: loop)
            openTunnel(lane, connect, on: loop)
        case .stirTunnel(let lane): streamLines[lane]?.stir(on: loop)
        case .closeClient: clientLine?.closeWhenWritten()
        case .abort: break  // The stack is closed; the turn ends with it.
        case .arm(let kind, let duration):
            deadline = (kind, loop.now + duration, duration)
            schedule(on: loop)
        case .armHandshake(let link, let duration):
            handshakes[link] = loop.now + duration
            schedule(on: loop)
        case .disarmHandshake(let link): handshakes[link] = nil
        case .mint, .acceptStream, .refuseStream: break  // Only openings ask for these.
        }
    }

    /// Uses a connection from the pool for a link.
    private func install(
        _ pooled: consuming ServerPool.Entry,
        _ id: LinkID,
        _ target: DialTarget,
        on loop: isolated EventLoop
    ) {
        var facts = DialedServer(address: pooled.address)
        facts.secured = pooled.secured
        facts.isReused = true
        loop.transfer(pooled.token, to: self, tag: Self.tag(id))
        let parts = pooled.dismantle()
        let line = SocketLine(socket: parts.socket, token: parts.token)
        lines.append(LinkLine(id, line, at: facts.address, target))
        stack.dialed(id, facts, parts.stack, at: loop.now)
    }

    private func dialed(_ id: LinkID, _ end: Dialer.End, on loop: isolated EventLoop) {
        guard let dialing = dialings.removeValue(forKey: id) else { return }
        let peer = dialing.dialer?.takePeer()
        switch end {
        case .failed(let failure, let report): stack.dialFailed(id, failure, report.dials, at: loop.now)
        case .connected(let descriptor, let address, let report):
            var socket = Socket(taking: descriptor)
            socket.setNoDelay()
            shard.tap(&socket, of: stack.flow.id, isServer: true, on: loop)
            var facts = report.facts(of: address)
            facts.hasManyRequests = shard.hasManyRequests(dialing.target.place)
            do throws(SystemFailure) {
                let token = try loop.register(socket.descriptor, self, tag: Self.tag(id))
                let line = SocketLine(socket: socket, token: token)
                lines.append(LinkLine(id, line, at: address.description, dialing.target))
                stack.dialed(id, facts, peer, at: loop.now)
            } catch {
                let failure = DialFailure(.unreachable, error.description)
                stack.dialFailed(id, failure, report.dials, at: loop.now)
            }
        }
        turn(on: loop)
    }

    /// Puts a connection into the pool if it is still usable.
    private func releaseLink(_ id: LinkID, on loop: isolated EventLoop) {
        guard let place = removePlace(of: id), let line = place.line.take() else { return }
        guard let link = stack.takeLink(id) else {
            return loop.unregister(line.token, descriptor: line.socket.descriptor)
        }
        let peer = link.takePeer(shard.limits)
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
                target: place.target,
                secured: link.secured,
                address: place.address
            ),
            on: loop
        )
    }

    private func closeLink(_ id: LinkID, on loop: isolated EventLoop) {
        handshakes[id] = nil
        dialings.removeValue(forKey: id)?.dialer?.cancel(on: loop)
        let link = stack.takeLink(id)
        guard let place = removePlace(of: id) else { return }
        if let link {
            try? place.line?.flush(&link.peer.value.outbox)
            link.peer.value.giveBack(to: &loop.buffers)
        }
        guard let line = place.line.take() else { return }
        loop.unregister(line.token, descriptor: line.socket.descriptor)
    }

    /// Closes the client's connection and all links, and withdraws all questions.
    private func close(on loop: isolated EventLoop) {
        if let timer { loop.cancel(timer.id) }
        if let wakeTimer { loop.cancel(wakeTimer.id) }
        timer = nil
        wakeTimer = nil
        for question in questions.values { question.withdraw(on: loop) }
        questions = [:]
        handshakes = [:]
        for id in lines.map(\.link) + Array(dialings.keys) { closeLink(id, on: loop) }
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

    /// Sets the timer for throttled data; data that may already go on waits for another event.
    private func scheduleWake(on loop: isolated EventLoop) {
        guard let wake = stack.wake, wake > loop.now else { return }
        if let wakeTimer {
            guard wakeTimer.at > wake else { return }
            loop.cancel(wakeTimer.id)
        }
        wakeTimer = (loop.schedule(at: wake, self, tag: Self.wakeTag), wake)
    }

    /// Sets the timer; it is moved only if a deadline comes nearer, since most deadlines move away all the time.
    func schedule(on loop: isolated EventLoop) {
        guard let next = [deadline?.at, handshakes.values.min()].compactMap(\.self).min() else { return }
        if let timer {
            guard timer.at > next else { return }
            loop.cancel(timer.id)
        }
        timer = (loop.schedule(at: next, self), next)
    }
}
