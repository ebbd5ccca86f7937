import PinholeModel
import PinholeProxy
import PinholeWire

/// The operations that tunnels in streams need.
///
/// Frames that they produce are written in a separate turn, so several tunnels fill one write.
extension ConversationDriver {
    func openTunnel(_ lane: Lane, _ connect: RequestHead, on loop: isolated EventLoop) {
        guard shard.mayOpenTunnel else { return stack.decline(lane, connect, at: loop.now) }
        let line = StreamLine(lane, carrier: self)
        streamLines[lane] = line
        let flow = stack.record(of: lane, at: loop.now)
        shard.accept(connect, in: line, clientAddress: stack.clientAddress, flow, on: loop)
    }

    func read(
        _ lane: Lane,
        into inbox: inout ByteQueue,
        limit: Int,
        on loop: isolated EventLoop
    ) -> ConversationStack.StreamRead {
        // Reading gives flow-control credit back, which the client has to learn.
        wake(on: loop)
        return stack.read(lane, into: &inbox, limit: limit)
    }

    func write(_ lane: Lane, from outbox: inout ByteQueue, on loop: isolated EventLoop) -> Bool {
        wake(on: loop)
        return stack.write(lane, from: &outbox)
    }

    func finish(_ lane: Lane, on loop: isolated EventLoop) {
        stack.finish(lane)
        wake(on: loop)
    }

    func accept(_ lane: Lane, on loop: isolated EventLoop) {
        stack.accept(lane)
        wake(on: loop)
    }

    func refuse(_ lane: Lane, _ answer: Answer, on loop: isolated EventLoop) {
        stack.refuse(lane, answer)
        wake(on: loop)
    }

    func leave(_ lane: Lane, on loop: isolated EventLoop) {
        streamLines[lane] = nil
        stack.leave(lane, at: loop.now)
        wake(on: loop)
    }
}
