import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeWire

/// Connects the stack of one client's connection to its sockets: one to the client, any number to servers.
///
/// The driver reads, feeds the stack, writes, and carries out the stack's commands. It begins with the stack that opens
/// the connection. If messages are to be read, a conversation takes over from it; sockets and timers stay.
///
/// The driver belongs to one loop and is used nowhere else. Results from other threads are addressed by
/// ``number``, so a result that comes too late finds no driver and is dropped.
final class ClientDriver: ReadinessHandler, TimerHandler, TurnHandler {
    /// The stack of the connection; a box, whose content is changed in place.
    enum Phase: ~Copyable {
        /// The connection is being opened, or its bytes are relayed.
        case opening(Boxed<TunnelStack>)
        /// The messages of the connection are read.
        case conversation(Boxed<ConversationStack>)
    }

    /// The socket of a link.
    final class LinkLine {
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

    /// The number of reading rounds before other connections get their turn.
    private static let rounds = 8
    private static let clientTag = 0
    /// The tag that distinguishes the timer for throttled data from the timer for deadlines.
    private static let wakeTag = 1

    let number: UInt64
    let shard: ProxyShard
    private(set) var phase: Phase
    var clientLine: ClientLine?
    /// The lines of tunnels in streams.
    var streamLines: [Lane: StreamLine] = [:]
    /// The sockets of the links, in no order; a connection has few links, and each turn visits all of them.
    var lines: [LinkLine] = []
    var dialings: [LinkID: Dialing] = [:]
    var questions: [Int: PendingQuestion] = [:]
    /// Whether the place of the connection is that of an accepted request and not idle.
    var isBusy = false
    private var isInTurn = false
    private var wantsTurn = false
    /// Whether the driver has stopped reading because the capture cannot keep up or the queues are full.
    private(set) var isPaused = false
    /// The bytes in the queues of this connection that the common budget has counted.
    private var held = 0
    var deadline: (kind: Deadline, at: Timestamp, duration: Duration)?
    /// The deadlines of handshakes with servers.
    var handshakes: [LinkID: Timestamp] = [:]
    private var timer: (id: TimerID, at: Timestamp)?
    private var wakeTimer: (id: TimerID, at: Timestamp)?

    /// Creates a driver for a connection that was just accepted.
    init(number: UInt64, shard: ProxyShard, stack: consuming TunnelStack) {
        self.number = number
        self.shard = shard
        phase = .opening(Boxed(stack))
    }

    /// Begins with the client's socket.
    func begin(_ socket: consuming Socket, on loop: isolated EventLoop) throws(SystemFailure) {
        let token = try loop.register(socket.descriptor, self, tag: Self.clientTag)
        clientLine = ClientLine(SocketLine(socket: socket, token: token))
        inOpening { $0.begin(at: loop.now) }
        turn(on: loop)
    }

    /// Begins with a CONNECT from an HTTP/2 stream.
    func begin(_ line: StreamLine, with connect: RequestHead, on loop: isolated EventLoop) {
        line.reader = self
        clientLine = ClientLine(line)
        inOpening { $0.begin(with: connect, at: loop.now) }
        // The driver of the connection is in its turn, so this one begins afterwards.
        loop.afterThisTurn(self)
    }

    // MARK: The stack

    /// Changes the stack, in whichever phase the connection is.
    func inStack<Result>(
        _ opening: (inout TunnelStack) -> Result,
        _ conversation: (inout ConversationStack) -> Result
    ) -> Result {
        switch phase {
        case .opening(let stack): opening(&stack.value)
        case .conversation(let stack): conversation(&stack.value)
        }
    }

    /// Changes the stack that opens the connection; returns `nil` if a conversation has taken over.
    @discardableResult
    func inOpening<Result>(_ body: (inout TunnelStack) -> Result) -> Result? {
        switch phase {
        case .opening(let stack): body(&stack.value)
        case .conversation: nil
        }
    }

    /// Changes the stack of the conversation; returns `nil` before there is one.
    @discardableResult
    func inConversation<Result>(_ body: (inout ConversationStack) -> Result) -> Result? {
        switch phase {
        case .opening: nil
        case .conversation(let stack): body(&stack.value)
        }
    }

    // MARK: Events

    static func tag(_ link: LinkID) -> Int { link.rawValue + 1 }
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
            inConversation { $0.handshakeExpired(link, at: loop.now) }
        }
        if let passed = deadline, passed.at <= loop.now {
            deadline = nil
            expired(passed.kind, at: loop.now)
        }
        schedule(on: loop)
        turn(on: loop)
    }

    func expired(_ kind: Deadline, at now: Timestamp) {
        inStack({ $0.expired(kind, at: now) }, { $0.expired(kind, at: now) })
    }

    func turnEnded(on loop: isolated EventLoop) {
        guard clientLine != nil else { return }
        turn(on: loop)
    }

    /// Whether a request waits for the answer of the server at `place`.
    func waits(for place: Authority) -> Bool { inConversation { $0.waits(for: place) } ?? false }

    /// Handles the resolver's answer to the question with this `tag`.
    func resolved(_ answer: Resolver.Answer, tag: Int, on loop: isolated EventLoop) {
        dialings[Self.link(tag)]?.dialer?.begin(answer, on: loop)
    }

    /// Handles the minter's answer.
    func minted(_ result: Result<Identity, CryptoFailure>, on loop: isolated EventLoop) {
        inOpening { stack in
            switch result {
            case .success(let identity): stack.minted(identity, at: loop.now)
            case .failure(let failure): stack.mintFailed(failure.description, at: loop.now)
            }
        }
        turn(on: loop)
    }

    /// Handles the result of the login with this `tag`.
    func authenticated(_ verdict: LoginVerdict, tag: Int, on loop: isolated EventLoop) {
        let lane = Lane(rawValue: tag)
        inStack(
            { $0.authenticated(lane, verdict, at: loop.now) },
            { $0.authenticated(lane, verdict, at: loop.now) }
        )
        turn(on: loop)
    }

    /// Handles the answer to the question with this `tag`.
    func decided(_ decision: ExchangeDecision, tag: Int, on loop: isolated EventLoop) {
        questions.removeValue(forKey: tag)?.close(on: loop)
        inConversation { $0.decided(Lane(rawValue: tag), decision, at: loop.now) }
        turn(on: loop)
    }

    /// Receives a piece of an answer for the exchange that requested it with `tag`; `nil` if it is gone.
    func contentRead(
        _ content: AnswerContent,
        _ bytes: [UInt8]?,
        tag: Int,
        on loop: isolated EventLoop
    ) {
        inConversation { $0.contentRead(Lane(rawValue: tag), content, bytes, at: loop.now) }
        touch(on: loop)
        turn(on: loop)
    }

    /// Records the program that made the connection.
    func identified(_ process: ClientProcess, on loop: isolated EventLoop) {
        inStack({ $0.identify(process, at: loop.now) }, { $0.identify(process, at: loop.now) })
        deliver()
        for line in streamLines.values { line.reader?.identified(process, on: loop) }
    }

    /// Sends a message in a WebSocket, if it belongs to this driver.
    func send(_ message: OwnMessage, on loop: isolated EventLoop) -> OwnMessage.Outcome {
        let outcome = inConversation { stack in
            do throws(WebSocketFailure) {
                let isOpen = try stack.inject(
                    message.kind,
                    message.payload,
                    to: message.receiver,
                    into: message.exchange,
                    at: loop.now
                )
                return isOpen ? OwnMessage.Outcome.taken : .notOpen
            } catch {
                return .refused(error.detail)
            }
        }
        if outcome == .taken { turn(on: loop) }
        return outcome ?? .notOpen
    }

    /// Ends the exchange or flow with a number, if it belongs to this driver.
    ///
    /// - Returns: Whether it did.
    func abort(_ id: Int64, on loop: isolated EventLoop) -> Bool {
        guard inStack({ $0.abort(id, at: loop.now) }, { $0.abort(id, at: loop.now) }) else { return false }
        turn(on: loop)
        return true
    }

    /// Records exchanges that began before `moment` and are still open, in their current state.
    ///
    /// - Returns: Whether more exchanges are still to be recorded.
    func recordSlow(before moment: Timestamp) -> Bool {
        defer { deliver() }
        return inConversation { $0.recordSlow(before: moment) } ?? false
    }

    /// Continues to read, since the capture or the queues have room again.
    func resume(on loop: isolated EventLoop) {
        guard isPaused else { return }
        isPaused = false
        turn(on: loop)
    }

    /// Prepares for the stop of the proxy.
    func drain(on loop: isolated EventLoop) {
        inStack({ $0.drain(at: loop.now) }, { $0.drain(at: loop.now) })
        turn(on: loop)
    }

    /// Ends the connection if the settings of its host were changed, as soon as it is idle.
    func retire(_ isSelected: (Authority) -> Bool, on loop: isolated EventLoop) {
        inStack({ $0.retire(isSelected, at: loop.now) }, { $0.retire(isSelected, at: loop.now) })
        turn(on: loop)
    }

    /// Ends the connection, because the proxy stops now.
    func stop(on loop: isolated EventLoop) {
        inStack({ $0.stop(at: loop.now) }, { $0.stop(at: loop.now) })
        turn(on: loop)
    }

    // MARK: A turn

    /// Moves the bytes at hand, and carries out what follows from them.
    func turn(on loop: isolated EventLoop) {
        guard !isInTurn else {
            wantsTurn = true
            return
        }
        isInTurn = true
        wantsTurn = false
        let moved: Bool
        var seed: OpeningResult?
        switch phase {
        case .opening(let stack):
            moved = turn(stack, on: loop)
            if !stack.value.isClosed { seed = stack.value.takeSeed() }
        case .conversation(let stack): moved = turn(stack, on: loop)
        }
        if isClosed { return close(on: loop) }
        isInTurn = false
        if let seed { return converse(seed, on: loop) }
        guard moved || wantsTurn else { return }
        wantsTurn = false
        loop.afterThisTurn(self)
    }

    private var isClosed: Bool { inStack({ $0.isClosed }, { $0.isClosed }) }

    /// - Returns: Whether another turn may move more.
    private func turn<Stack: ClientStack & ~Copyable>(
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) -> Bool {
        stack.value.isShort = !shard.mayRead(holding: held) && stack.value.hasPendingOutput
        stack.value.client.borrow(from: &loop.buffers)
        if Stack.isOpening {
            for place in lines { stack.value.link(place.link)?.peer.value.borrow(from: &loop.buffers) }
        }
        var rounds = 0
        var moved = true
        while moved, rounds < Self.rounds, !stack.value.isClosed {
            moved = readClient(stack, on: loop)
            for place in lines { moved = read(place, stack, on: loop) || moved }
            if !moved { stack.value.advance(at: loop.now) }
            perform(stack, on: loop)
            // Data that had no room in an outbox waits inside of the stack. No event announces that there is
            // room again.
            let wasFull = stack.value.isFull
            let hasWritten = write(stack, on: loop)
            moved = hasWritten && wasFull || (hasWritten || moved) && hasMoreToDo(stack)
            rounds += 1
        }
        perform(stack, on: loop)
        let wasFull = stack.value.isFull
        if write(stack, on: loop), wasFull { moved = true }
        deliver(stack)
        if stack.value.isClosed { return false }
        if !shard.looksForSlow, stack.value.hasUnrecorded { shard.awaitSlow(on: loop) }
        stack.value.client.giveBack(to: &loop.buffers)
        for place in lines { stack.value.link(place.link)?.peer.value.giveBack(to: &loop.buffers) }
        count(stack)
        if stack.value.isShort {
            isPaused = true
            shard.awaitRoom(on: loop)
        }
        scheduleWake(stack.value.wake, on: loop)
        return moved
    }

    /// Lets a conversation continue with the opened connection.
    private func converse(_ seed: OpeningResult, on loop: isolated EventLoop) {
        cancelTimers(on: loop)
        deadline = nil
        if !seed.hasServer { closeLink(.first, on: loop) }
        let opened: Boxed<ConversationStack>
        switch phase {
        case .opening(let stack):
            let server = seed.hasServer ? stack.value.takeLink(.first) : nil
            opened = Boxed(shard.converse(seed, client: stack.value.takeClient(), server: server))
        case .conversation: return
        }
        opened.value.begin(at: loop.now)
        if !shard.needsLogin { takePlace(opened, on: loop) }
        phase = .conversation(opened)
        turn(on: loop)
    }

    /// Reports the waiting bytes of this connection to the common budget.
    private func count<Stack: ClientStack & ~Copyable>(_ stack: borrowing Boxed<Stack>) {
        let queued = stack.value.queued
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
    private func hasMoreToDo<Stack: ClientStack & ~Copyable>(_ stack: borrowing Boxed<Stack>) -> Bool {
        stack.value.hasMoreToDo || clientLine?.isReadable == true
            || lines.contains { $0.line?.isReadable == true }
    }

    /// - Returns: Whether no socket whose bytes wait in order may be read now, since too many bytes wait in all queues.
    private func waitsForRoom<Stack: ClientStack & ~Copyable>(
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) -> Bool {
        if shard.mayRead(holding: held) { return false }
        // A connection without output frees no room by waiting. Its input has separate limits.
        guard stack.value.hasPendingOutput else { return false }
        // Some bytes may have been written since the last count.
        count(stack)
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
    private func readClient<Stack: ClientStack & ~Copyable>(
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) -> Bool {
        guard clientLine?.isReadable == true, !stack.value.isClosed, stack.value.wantsReadFromClient,
            !waitsForCapture(on: loop), stack.value.client.isMultiplexed || !waitsForRoom(stack, on: loop)
        else { return false }
        switch clientLine?.read(into: &stack.value.client.inbox, limit: shard.limits.readSize, on: loop) {
        case .bytes(let count):
            if !Stack.isOpening, !shard.needsLogin { takePlace(stack, on: loop) }
            stack.value.client.bytesReceived += Int64(count)
            let before = stack.value.progress
            stack.value.advance(at: loop.now)
            if stack.value.isInUse || stack.value.progress != before { touch(stack, on: loop) }
        case .end: stack.value.clientEnded(.orderly, at: loop.now)
        case .failed(let code): stack.value.clientEnded(ClientLine.end(after: code), at: loop.now)
        case .wouldBlock, nil: return false
        }
        return true
    }

    /// - Returns: Whether data was read or the connection's end was noted.
    private func read<Stack: ClientStack & ~Copyable>(
        _ place: LinkLine,
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) -> Bool {
        let id = place.link
        guard place.line?.isReadable == true, !stack.value.isClosed, let link = stack.value.link(id),
            stack.value.wantsRead(id), !waitsForCapture(on: loop),
            link.peer.value.isMultiplexed || !waitsForRoom(stack, on: loop)
        else { return false }
        link.peer.value.borrow(from: &loop.buffers)
        switch place.line?.read(into: &link.peer.value.inbox, limit: shard.limits.readSize) {
        case .bytes(let count):
            link.peer.value.bytesReceived += Int64(count)
            stack.value.advance(at: loop.now)
            if stack.value.isInUse { touch(stack, on: loop) }
        case .end: stack.value.linkEnded(id, .orderly, at: loop.now)
        case .failed(let code): stack.value.linkEnded(id, ClientLine.end(after: code), at: loop.now)
        case .wouldBlock, nil: return false
        }
        return true
    }

    /// - Returns: Whether data was written.
    private func write<Stack: ClientStack & ~Copyable>(
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) -> Bool {
        var written = stack.value.client.outbox.count
        do throws(SystemFailure) {
            try clientLine?.flush(&stack.value.client.outbox, on: loop)
        } catch {
            stack.value.client.outbox.removeAll()
            stack.value.clientEnded(ClientLine.end(after: error.code), at: loop.now)
        }
        written -= stack.value.client.outbox.count
        for place in lines {
            guard let link = stack.value.link(place.link) else { continue }
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

    // MARK: Records

    private func deliver() {
        switch phase {
        case .opening(let stack): deliver(stack)
        case .conversation(let stack): deliver(stack)
        }
    }

    private func deliver<Stack: ClientStack & ~Copyable>(_ stack: borrowing Boxed<Stack>) {
        guard !stack.value.records.isEmpty else { return }
        if !Stack.isOpening, !stack.value.client.isMultiplexed, clientLine?.isGone == true {
            markAbortedByClient(&stack.value.records)
        }
        shard.sink.record(stack.value.records)
        stack.value.records.removeAll(keepingCapacity: true)
    }

    /// Marks exchanges of an HTTP/1 client as aborted if the client is gone and nobody read their answers.
    private func markAbortedByClient(_ records: inout [FlowEvent]) {
        for index in records.indices {
            // A client that leaves a connection after an upgrade has received its answer.
            guard case .exchange(var record) = records[index], record.outcome == .completed,
                !record.notes.contains(.upgraded)
            else { continue }
            record.outcome = .aborted(by: .client, "the client had hung up before its answer came")
            records[index] = .exchange(record)
        }
    }

    // MARK: The end

    /// Closes the client's connection and all links, and withdraws all questions.
    ///
    /// A client with waiting output was given time to read it before.
    private func close(on loop: isolated EventLoop) {
        cancelTimers(on: loop)
        for question in questions.values { question.withdraw(on: loop) }
        questions = [:]
        handshakes = [:]
        for id in lines.map(\.link) + Array(dialings.keys) { closeLink(id, on: loop) }
        for line in streamLines.values { line.cut(isOrderly: hasEnded(line.lane), on: loop) }
        streamLines = [:]
        clientLine?.close(on: loop)
        clientLine = nil
        inStack({ $0.client.giveBack(to: &loop.buffers) }, { $0.client.giveBack(to: &loop.buffers) })
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

    /// Sets the timer for throttled data; data that may already go on waits for another event.
    private func scheduleWake(_ wake: Timestamp?, on loop: isolated EventLoop) {
        guard let wake, wake > loop.now else { return }
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
