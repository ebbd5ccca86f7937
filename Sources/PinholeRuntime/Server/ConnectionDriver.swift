import PinholeModel

/// Connects one ``ServedConnection`` to its socket.
///
/// The driver belongs to the loop of its hub.
final class ConnectionDriver<Connection: ServedConnection & ~Copyable>: ReadinessHandler, TimerHandler,
    TurnHandler
{
    let number: Int
    private weak var hub: ConnectionHub<Connection>?
    /// The time in which the peer must read some of the last bytes; otherwise the connection is reset.
    private let patience: Duration
    private var connection: Connection
    private var socket: Socket?
    private var place: Place?
    /// The state that the place has.
    private var standing = Admission.Standing.stranger
    private var token: EventLoop.Token?
    private var isReadable = false
    private var hasEnded = false
    private var isHalfClosed = false
    private var stepTimer: (id: TimerID, at: Timestamp)?
    /// The count of bytes that were written to the socket.
    private var written = 0
    /// The timer for the last bytes, with the value of ``written`` when it began; `nil` before the ending.
    private var lingering: (id: TimerID, written: Int)?

    init(number: Int, hub: ConnectionHub<Connection>, connection: consuming Connection) {
        self.number = number
        self.hub = hub
        patience = hub.patience
        self.connection = connection
    }

    func begin(_ socket: consuming Socket, on loop: isolated EventLoop) throws(SystemFailure) {
        token = try loop.register(socket.descriptor, self, tag: 0)
        place = socket.place
        self.socket = consume socket
    }

    func ready(_ readiness: Readiness, tag: Int, on loop: isolated EventLoop) {
        if readiness.contains(.readable) { isReadable = true }
        if readiness.contains(.ended) { hasEnded = true }
        turn(on: loop)
    }

    func turnEnded(on loop: isolated EventLoop) {
        turn(on: loop)
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        switch ConnectionTimer(rawValue: tag) {
        case .farewell: close(resetting: false, on: loop)
        case .linger: lingered(on: loop)
        case .step, nil:
            stepTimer = nil
            turn(on: loop)
        }
    }

    /// Changes the connection from outside, for example with an answer that was made elsewhere, and continues.
    func change(_ body: (inout Connection) -> Void, on loop: isolated EventLoop) {
        guard socket != nil else { return }
        body(&connection)
        turn(on: loop)
    }

    /// Ends the connection now.
    func stop(on loop: isolated EventLoop) {
        close(resetting: false, on: loop)
    }

    private func turn(on loop: isolated EventLoop) {
        var rounds = 0
        var moved = true
        while moved, rounds < connectionRounds, socket != nil {
            moved = read(on: loop)
            connection.advance(at: loop.now)
            takePlace(on: loop)
            guard write(on: loop) else { return }
            // The outbox has room again, so the connection may produce more.
            moved = moved || connection.outbox.isEmpty && connection.hasMoreToSay
            rounds += 1
        }
        guard socket != nil else { return }
        // A connection whose answer was written is idle.
        takePlace(on: loop)
        endIfAsked(on: loop)
        scheduleStep(on: loop)
        if moved, socket != nil { loop.afterThisTurn(self) }
    }

    /// Tells the limiter the new state of the connection; without a place, the request is refused.
    private func takePlace(on loop: isolated EventLoop) {
        let now = connection.standing
        guard now != standing else { return }
        standing = now
        if place?.change(to: now, at: loop.now) == false {
            standing = .stranger
            connection.turnAway(at: loop.now)
            loop.afterThisTurn(self)
        }
    }

    /// - Returns: Whether data was read.
    private func read(on loop: isolated EventLoop) -> Bool {
        guard isReadable, connection.wantsRead else { return false }
        switch socket?.read(into: &connection.inbox, limit: connectionReadSize) {
        case .bytes(let count):
            // A short read has emptied the socket; the next bytes cause a new edge.
            if count < connectionReadSize, !hasEnded { isReadable = false }
            return true
        case .end:
            isReadable = false
            connection.ended(at: loop.now)
            if isHalfClosed { close(resetting: false, on: loop) }
            return false
        case .failed:
            close(resetting: false, on: loop)
            return false
        case .wouldBlock, nil:
            isReadable = false
            return false
        }
    }

    /// - Returns: Whether the connection is still open.
    private func write(on loop: isolated EventLoop) -> Bool {
        do throws(SystemFailure) {
            let waiting = connection.outbox.count
            try socket?.write(from: &connection.outbox)
            written += waiting - connection.outbox.count
            return socket != nil
        } catch {
            close(resetting: false, on: loop)
            return false
        }
    }

    private func endIfAsked(on loop: isolated EventLoop) {
        guard let ending = connection.ending else { return }
        guard connection.outbox.isEmpty else { return linger(on: loop) }
        if ending == .reset { return close(resetting: true, on: loop) }
        guard !isHalfClosed else { return }
        isHalfClosed = true
        socket?.shutdownWriting()
        if hasEnded, !isReadable { return close(resetting: false, on: loop) }
        loop.schedule(at: loop.now + connectionFarewell, self, tag: ConnectionTimer.farewell.rawValue)
    }

    /// Gives the peer time to read the last bytes.
    ///
    /// The connection has ended, so its own timeouts are over.
    private func linger(on loop: isolated EventLoop) {
        guard lingering == nil else { return }
        let tag = ConnectionTimer.linger.rawValue
        lingering = (loop.schedule(at: loop.now + patience, self, tag: tag), written)
    }

    /// Resets the connection if its peer has read nothing for a whole time, and waits on otherwise.
    private func lingered(on loop: isolated EventLoop) {
        guard let before = lingering.take(), socket != nil, !connection.outbox.isEmpty else { return }
        guard written > before.written else { return close(resetting: true, on: loop) }
        linger(on: loop)
    }

    private func scheduleStep(on loop: isolated EventLoop) {
        guard let wake = connection.wake, stepTimer?.at != wake else { return }
        if let stepTimer { loop.cancel(stepTimer.id) }
        stepTimer = (loop.schedule(at: wake, self, tag: ConnectionTimer.step.rawValue), wake)
    }

    private func close(resetting: Bool, on loop: isolated EventLoop) {
        guard let socket = socket.take(), let token = token.take() else { return }
        if resetting { socket.resetOnClose() }
        if let stepTimer { loop.cancel(stepTimer.id) }
        // A timer keeps the driver with all its bytes.
        if let lingering { loop.cancel(lingering.id) }
        loop.unregister(token, descriptor: socket.descriptor)
        place = nil
        connection.abandoned()
        hub?.forget(number)
    }
}

// A generic type has no static stored properties.

/// The number of reading rounds before other connections get their turn.
private let connectionRounds = 8
/// The time for the peer to read the last data; an immediate close could discard it (RFC 9112 §9.6).
private let connectionFarewell = Duration.seconds(2)
private let connectionReadSize = 128 << 10

private enum ConnectionTimer: Int {
    /// The connection asked to continue at this time.
    case step
    /// The time for the peer to close its side is over.
    case farewell
    /// The time for the peer to read some of the last bytes is over.
    case linger
}
