import PinholeModel
import PinholeProxy

/// The place of the client's connection among all connections of the proxy (``ConnectionLimiter``), and its idle time.
extension ClientDriver {
    /// Tells the limiter that the connection is idle, if it has been idle since `moment`.
    func noteIdle(since moment: Timestamp, on loop: isolated EventLoop) {
        guard isBusy, inConversation({ !$0.isInUse }) == true, let deadline,
            deadline.kind == .idle || deadline.kind == .rest, deadline.at - deadline.duration <= moment
        else { return }
        isBusy = false
        _ = clientLine?.place?.change(to: .idle(nil), at: loop.now)
    }

    /// Ends the connection, because another one needs its place, or because its time is over.
    func giveWay(_ eviction: Eviction, on loop: isolated EventLoop) {
        if eviction == .place { displace(Outcome.newerConnection, at: loop.now) }
        // A client that waits for nothing is told the same as after the deadline, which comes earlier now. A handshake
        // did not fail, so its record must not say so.
        if let passed = deadline {
            let isDue = inStack(
                { _ in eviction == .time || !passed.kind.isHandshake },
                { _ in passed.kind == .idle }
            )
            if isDue {
                deadline = nil
                expired(passed.kind, at: loop.now)
            }
        }
        if inStack({ !$0.isClosed && !$0.isClosing }, { !$0.isClosed && !$0.isClosing }) {
            inStack({ $0.stop(at: loop.now) }, { $0.stop(at: loop.now) })
        }
        turn(on: loop)
    }

    private func displace(_ detail: String, at now: Timestamp) {
        inStack({ $0.displace(detail, at: now) }, { $0.displace(detail, at: now) })
    }

    /// Takes a place among the connections with an accepted request.
    func takePlace<Stack: ClientStack & ~Copyable>(
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) {
        guard !isBusy else { return }
        isBusy = true
        guard let place = clientLine?.place, !place.change(to: .busy(nil), at: loop.now) else { return }
        stack.value.displace(Outcome.noPlace, at: loop.now)
        stack.value.stop(at: loop.now)
    }

    /// Restarts the idle timeout, since data was transferred.
    func touch(on loop: isolated EventLoop) {
        switch phase {
        case .opening(let stack): touch(stack, on: loop)
        case .conversation(let stack): touch(stack, on: loop)
        }
    }

    func touch<Stack: ClientStack & ~Copyable>(_ stack: borrowing Boxed<Stack>, on loop: isolated EventLoop) {
        // A client that was told about the end cannot postpone it by sending more.
        guard let idle = deadline, idle.kind == .idle, !stack.value.isClosing else { return }
        deadline?.at = loop.now + idle.duration
        // A peer that sends lines byte by byte must not get more time than others.
        guard let end = stack.value.linesDeadline, end < loop.now + idle.duration else { return }
        deadline?.at = end
        schedule(on: loop)
    }
}
