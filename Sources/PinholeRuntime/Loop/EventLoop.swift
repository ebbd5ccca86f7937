import CLinux
import Dispatch
import Glibc
import PinholeLock
package import PinholeModel

/// Receives the events of a descriptor on a loop.
package protocol ReadinessHandler: AnyObject {
    /// Handles the readiness of the descriptor that was registered under `tag`.
    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop)
}

/// Does further work after all current events were handled.
package protocol TurnHandler: AnyObject {
    /// Does the further work, after all current events were handled.
    func turnEnded(on loop: isolated EventLoop)
}

/// An object on a loop that closures from other threads can find.
package protocol LoopOwner: AnyObject {}

/// The possible operations on a descriptor.
package struct Readiness: OptionSet, Sendable {
    /// The set as a number.
    package let rawValue: UInt8

    /// Wraps a number.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Data or an end of file can be read.
    package static let readable = Readiness(rawValue: 1)
    /// Data can be written.
    package static let writable = Readiness(rawValue: 2)
    /// The connection is broken, or both ends are closed.
    package static let hungUp = Readiness(rawValue: 4)
    /// The peer sends nothing more.
    ///
    /// Reading has to continue until the end is read, since no further edge will announce it.
    package static let ended = Readiness(rawValue: 8)
}

/// An event loop: a serial queue, one epoll set with all of the loop's sockets (edge-triggered), and one
/// Dispatch source on the epoll descriptor.
///
/// Both sockets of a tunnel belong to one loop, so nothing in a tunnel changes threads. Results from other
/// threads (resolver answers, minted leaves) come through ``post(_:)``.
package actor EventLoop {
    /// A registration: a place in the table, and a generation that distinguishes its users.
    package struct Token: Hashable, Sendable {
        fileprivate let index: UInt32
        fileprivate let generation: UInt32

        fileprivate var packed: UInt64 { UInt64(generation) << 32 | UInt64(index) }
    }

    private struct Slot {
        var generation: UInt32 = 0
        var tag = 0
        var handler: (any ReadinessHandler)?
    }

    private struct Mailbox {
        var functions: [@Sendable (isolated EventLoop) -> Void] = []
        var isSignalled = false
    }

    /// The number of the loop, from 0.
    package nonisolated let number: Int
    private nonisolated let executor: QueueExecutor
    private nonisolated let mailbox = Lock(Mailbox())
    private nonisolated let wakeDescriptor: Int32
    private let epoll: Int32
    private var source: EventSource?
    /// Whether the descriptors are closed or will be.
    private var isStopped = false
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    private var timers = TimerQueue()
    private let timerDescriptor: Int32
    private var timerIsArmedFor: Timestamp?
    /// The source of the time.
    let clock: LoopClock
    private var afterTurn: [any TurnHandler] = []
    private let memoryTrimmer: MemoryTrimmer
    private var events = [epoll_event](repeating: epoll_event(), count: 256)
    /// The time at the start of this turn.
    package private(set) var now: Timestamp
    /// The buffers that the loop's connections share.
    package var buffers = BufferPool()
    /// The object that closures from other threads work on.
    ///
    /// A closure must be Sendable, and the objects on the loop are not, so it reaches them through this property.
    package var owner: (any LoopOwner)?

    /// The queue on which the whole loop runs.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a loop and starts it.
    ///
    /// - Parameters:
    ///   - number: The number of the loop, from 0.
    ///   - clock: The source of the time.
    ///   - memoryTrimmer: Returns memory to the system after traffic; loops may share one.
    /// - Throws: ``SystemFailure`` when a descriptor cannot be created.
    package init(
        number: Int,
        clock: LoopClock = LoopClock(),
        memoryTrimmer: MemoryTrimmer = MemoryTrimmer()
    ) throws(SystemFailure) {
        self.number = number
        self.clock = clock
        executor = QueueExecutor(label: "pinhole.loop.\(number)")
        self.memoryTrimmer = memoryTrimmer
        now = clock.now()
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        timerDescriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard epoll >= 0, wakeDescriptor >= 0, timerDescriptor >= 0 else {
            throw SystemFailure("could not create an event loop", errno)
        }
    }

    deinit {
        // A loop that was released no longer drains its mailbox, so a `stop` that is posted to it would never run.
        if let source {
            source.cancel()
        } else if !isStopped {
            for descriptor in [wakeDescriptor, timerDescriptor, epoll] { close(descriptor) }
        }
    }

    /// Starts to wait for events.
    package nonisolated func start() {
        executor.queue.async { self.assumeIsolated { $0.begin() } }
    }

    /// Runs `function` on the loop in one of the next turns.
    ///
    /// Any thread may call this.
    package nonisolated func post(_ function: @escaping @Sendable (isolated EventLoop) -> Void) {
        let mustWake = mailbox.withLock { mailbox in
            mailbox.functions.append(function)
            defer { mailbox.isSignalled = true }
            return !mailbox.isSignalled
        }
        guard mustWake else { return }
        var one: UInt64 = 1
        write(wakeDescriptor, &one, 8)
    }

    /// Watches `descriptor` for reading and writing, edge-triggered.
    ///
    /// - Parameters:
    ///   - descriptor: A non-blocking descriptor.
    ///   - handler: Receives the events; the loop holds it until ``unregister(_:descriptor:)``.
    ///   - tag: A number that is passed to the handler, so that it can distinguish its descriptors.
    ///   - edgeTriggered: Whether only changes are reported; a listener that pauses needs level-triggered events.
    /// - Returns: The registration.
    /// - Throws: ``SystemFailure`` when the kernel refuses.
    package func register(
        _ descriptor: Int32,
        _ handler: any ReadinessHandler,
        tag: Int,
        edgeTriggered: Bool = true
    ) throws(SystemFailure) -> Token {
        let index = freeSlots.popLast() ?? UInt32(slots.count)
        if Int(index) == slots.count { slots.append(Slot()) }
        slots[Int(index)].handler = handler
        slots[Int(index)].tag = tag
        let token = Token(index: index, generation: slots[Int(index)].generation)
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        if edgeTriggered { event.events |= EPOLLOUT.rawValue | EPOLLET.rawValue }
        event.data.u64 = token.packed
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            let failure = SystemFailure("could not watch a socket", errno)
            vacate(token)
            throw failure
        }
        return token
    }

    /// Moves the registration to another handler, for example when a connection leaves the pool.
    package func transfer(_ token: Token, to handler: any ReadinessHandler, tag: Int) {
        guard slots[Int(token.index)].generation == token.generation else { return }
        slots[Int(token.index)].handler = handler
        slots[Int(token.index)].tag = tag
    }

    /// Stops watching `descriptor`, which the caller then closes.
    package func unregister(_ token: Token, descriptor: Int32) {
        // The memory of a connection becomes free now.
        memoryTrimmer.noteActivity(on: self)
        guard slots[Int(token.index)].generation == token.generation else { return }
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
        vacate(token)
    }

    /// Calls `timer` at `deadline` or a little later.
    @discardableResult
    package func schedule(at deadline: Timestamp, _ timer: any TimerHandler, tag: Int = 0) -> TimerID {
        let id = timers.add(deadline, timer, tag: tag)
        armTimer()
        return id
    }

    /// Cancels a timer.
    package func cancel(_ id: TimerID) {
        timers.remove(id)
    }

    /// Calls `handler` at the end of this turn, after all current events were handled.
    package func afterThisTurn(_ handler: any TurnHandler) {
        afterTurn.append(handler)
    }

    /// Stops the loop; registered descriptors stay open.
    package func stop() {
        isStopped = isStopped || source != nil
        source?.cancel()
        source = nil
    }

    private func begin() {
        watchOwn(wakeDescriptor, data: UInt64.max)
        watchOwn(timerDescriptor, data: UInt64.max - 1)
        let descriptor = epoll
        let own = [wakeDescriptor, timerDescriptor]
        source = EventSource(
            readable: descriptor,
            on: executor.queue,
            handler: { [weak self] in self?.assumeIsolated { $0.drain() } },
            cancelled: { for descriptor in own + [descriptor] { close(descriptor) } }
        )
    }

    private func watchOwn(_ descriptor: Int32, data: UInt64) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = data
        epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    /// Handles events until none has come for 1 ms, and then returns to Dispatch.
    ///
    /// Under load the loop stays here, which keeps Dispatch out of the hot path.
    private func drain() {
        while source != nil {
            let count = epoll_wait(epoll, &events, Int32(events.count), 1)
            now = clock.now()
            guard count > 0 else { return }
            for index in 0..<Int(count) { dispatch(events[index]) }
            endTurn()
        }
    }

    private func dispatch(_ event: epoll_event) {
        let data = event.data.u64
        if data == UInt64.max { return openMail() }
        if data == UInt64.max - 1 { return fireTimers() }
        let index = Int(truncatingIfNeeded: data & 0xffff_ffff)
        guard slots[index].generation == UInt32(truncatingIfNeeded: data >> 32),
            let handler = slots[index].handler
        else { return }
        var readiness: Readiness = []
        if event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { readiness.insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if event.events & EPOLLRDHUP.rawValue != 0 { readiness.insert(.ended) }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
            readiness.formUnion([.hungUp, .ended, .readable, .writable])
        }
        memoryTrimmer.noteActivity(on: self)
        handler.ready(readiness, tag: slots[index].tag, on: self)
    }

    private func endTurn() {
        guard !afterTurn.isEmpty else { return }
        let handlers = afterTurn
        afterTurn.removeAll(keepingCapacity: true)
        for handler in handlers { handler.turnEnded(on: self) }
        // The remaining work runs after the events that came meanwhile.
        if !afterTurn.isEmpty { post { _ in } }
    }

    private func openMail() {
        var count: UInt64 = 0
        read(wakeDescriptor, &count, 8)
        let functions = mailbox.withLock { mailbox in
            mailbox.isSignalled = false
            let functions = mailbox.functions
            mailbox.functions = []
            return functions
        }
        for function in functions { function(self) }
    }

    private func vacate(_ token: Token) {
        slots[Int(token.index)].handler = nil
        slots[Int(token.index)].generation &+= 1
        freeSlots.append(token.index)
    }

    private func fireTimers() {
        var count: UInt64 = 0
        read(timerDescriptor, &count, 8)
        timerIsArmedFor = nil
        while let due = timers.popDue(now) { due.handler.timerFired(tag: due.tag, on: self) }
        armTimer()
    }

    /// Sets the kernel's timer if the earliest deadline came nearer.
    ///
    /// If the deadline moved away, the timer fires once without effect.
    private func armTimer() {
        guard let next = timers.earliest else { return }
        if let armed = timerIsArmedFor, armed <= next { return }
        timerIsArmedFor = next
        let wait = max(1, (next - clock.now()).microseconds)
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(wait / 1_000_000)
        setting.it_value.tv_nsec = Int(wait % 1_000_000) * 1000
        timerfd_settime(timerDescriptor, 0, &setting, nil)
    }
}
