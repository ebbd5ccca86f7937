import PinholeModel
import PinholeProxy

/// The place of the client's connection among all connections of the proxy (``ConnectionLimiter``), and its idle time.
extension ConversationDriver {
    func noteIdle(since moment: Timestamp, on loop: isolated EventLoop) {
        guard isBusy, !stack.isInUse, let deadline, deadline.kind == .idle || deadline.kind == .rest,
            deadline.at - deadline.duration <= moment
        else { return }
        isBusy = false
        _ = clientPlace?.change(to: .idle(nil), at: loop.now)
    }

    func giveWay(_ eviction: Eviction, on loop: isolated EventLoop) {
        if eviction == .place { stack.displace(Outcome.newerConnection, at: loop.now) }
        if let deadline, deadline.kind == .idle {
            self.deadline = nil
            stack.expired(.idle, at: loop.now)
        }
        if !stack.isClosed, !stack.isClosing { stack.stop(at: loop.now) }
        turn(on: loop)
    }

    /// Takes a place among the connections with an accepted request.
    func takePlace(on loop: isolated EventLoop) {
        guard !isBusy else { return }
        isBusy = true
        guard let place = clientPlace, !place.change(to: .busy(nil), at: loop.now) else { return }
        stack.displace(Outcome.noPlace, at: loop.now)
        stack.stop(at: loop.now)
    }

    /// Restarts the idle timeout, since data was transferred.
    func touch(on loop: isolated EventLoop) {
        // A client that was told about the end cannot postpone it by sending more.
        guard let idle = deadline, idle.kind == .idle, !stack.isClosing else { return }
        deadline?.at = loop.now + idle.duration
        // A peer that sends lines byte by byte must not get more time than others.
        guard let end = stack.linesDeadline, end < loop.now + idle.duration else { return }
        deadline?.at = end
        schedule(on: loop)
    }
}
