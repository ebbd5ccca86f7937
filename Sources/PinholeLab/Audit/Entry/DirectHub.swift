import PinholeModel
import PinholeRuntime

/// The part of a direct entry that lives on its loop: the listener and its connections.
final class DirectHub: LoopOwner, ListenerOwner {
    private var listener: Listener?
    private var target: DirectEntry.Target?
    private var links: [Int: DirectLink] = [:]
    private var nextNumber = 0
    private let limiter = ConnectionLimiter(.embedded)

    func listen(on address: SocketAddress, _ loop: isolated EventLoop) throws(SystemFailure) -> SocketAddress
    {
        let listener = try Listener(address, limiter: limiter, owner: self)
        try listener.start(on: loop)
        self.listener = listener
        return listener.address
    }

    func lead(to target: DirectEntry.Target?, _ loop: isolated EventLoop) {
        endAll(loop)
        self.target = target
    }

    func accepted(
        _ socket: consuming Socket,
        at address: SocketAddress,
        on loop: isolated EventLoop
    ) -> (@Sendable (Eviction) -> Void)? {
        let place = socket.place
        // Between two scenarios there is no target, so the connection is closed. The client tries again. An entry does
        // not know what a request is, so each connection is busy.
        guard let target, place?.change(to: .busy(nil), at: loop.now) != false else { return nil }
        nextNumber += 1
        let number = nextNumber
        let link = DirectLink(number: nextNumber, hub: self, leadingTo: target)
        guard (try? link.begin(socket, on: loop)) != nil else { return nil }
        links[number] = link
        let home = loop
        return { _ in home.post { ($0.owner as? DirectHub)?.links[number]?.end(isBroken: false, on: $0) } }
    }

    func forget(_ link: DirectLink) { links[link.number] = nil }

    func stop(_ loop: isolated EventLoop) {
        listener?.stop(on: loop)
        listener = nil
        endAll(loop)
    }

    private func endAll(_ loop: isolated EventLoop) {
        for link in Array(links.values) { link.end(isBroken: false, on: loop) }
    }
}
