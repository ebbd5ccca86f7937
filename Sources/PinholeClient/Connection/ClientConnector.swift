import PinholeModel
import PinholeRuntime

/// Waits for the end of one ``Dialer``; it lives on the client's loop.
final class ClientConnector: DialerOwner {
    private var dialer: Dialer?
    private var end: Dialer.End?
    private var isCancelled = false
    private let wakeup = Wakeup()

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - authority: The server.
    ///   - addresses: Its addresses.
    ///   - limits: The deadline and the stagger.
    ///   - loop: The loop.
    /// - Returns: The end of the dialing; `nil` if it was cancelled.
    func connect(
        to authority: Authority,
        _ addresses: Resolver.Answer,
        limits: Limits,
        on loop: isolated EventLoop
    ) async -> Dialer.End? {
        // The loop's clock stands still while no event happens, and the dialer's deadline is counted from it.
        await withCheckedContinuation { (fresh: CheckedContinuation<Void, Never>) in
            loop.post { _ in fresh.resume() }
        }
        guard !isCancelled else { return nil }
        let dialer = Dialer(authority, limits: limits, now: loop.now, owner: self)
        self.dialer = dialer
        dialer.begin(addresses, on: loop)
        await wakeup.wait(on: loop)
        return end
    }

    /// Cancels the dialing.
    func cancel(on loop: isolated EventLoop) {
        isCancelled = true
        dialer?.cancel(on: loop)
        wakeup.send(on: loop)
    }

    func mayConnect(to address: SocketAddress) -> Bool { true }

    func dialed(_ end: Dialer.End, on loop: isolated EventLoop) {
        self.end = end
        wakeup.send(on: loop)
    }
}
