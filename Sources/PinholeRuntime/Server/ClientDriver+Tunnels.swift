import PinholeModel
import PinholeProxy
import PinholeWire

/// The operations that tunnels in streams need.
///
/// Frames that they produce are written in a separate turn, so several tunnels fill one write.
extension ClientDriver {
    func openTunnel(_ lane: Lane, _ connect: RequestHead, on loop: isolated EventLoop) {
        guard shard.mayOpenTunnel else {
            inConversation { $0.decline(lane, connect, at: loop.now) }
            return
        }
        let begun = inConversation { ($0.clientAddress, $0.record(of: lane, at: loop.now)) }
        guard let (address, flow) = begun else { return }
        let line = StreamLine(lane, carrier: self)
        streamLines[lane] = line
        shard.accept(connect, in: line, clientAddress: address, flow, on: loop)
    }

    func read(
        _ lane: Lane,
        into inbox: inout ByteQueue,
        limit: Int,
        on loop: isolated EventLoop
    ) -> ConversationStack.StreamRead {
        // Reading gives flow-control credit back, which the client has to learn.
        wake(on: loop)
        return inConversation { $0.read(lane, into: &inbox, limit: limit) } ?? .broken
    }

    func write(_ lane: Lane, from outbox: inout ByteQueue, on loop: isolated EventLoop) -> Bool {
        wake(on: loop)
        return inConversation { $0.write(lane, from: &outbox) } ?? false
    }

    /// Whether the client will send nothing more in a stream.
    func hasEnded(_ lane: Lane) -> Bool { inConversation { $0.hasEnded(lane) } ?? false }

    func finish(_ lane: Lane, on loop: isolated EventLoop) {
        inConversation { $0.finish(lane) }
        wake(on: loop)
    }

    func accept(_ lane: Lane, on loop: isolated EventLoop) {
        inConversation { $0.accept(lane) }
        wake(on: loop)
    }

    func refuse(_ lane: Lane, _ answer: Answer, on loop: isolated EventLoop) {
        inConversation { $0.refuse(lane, answer) }
        wake(on: loop)
    }

    func leave(_ lane: Lane, on loop: isolated EventLoop) {
        streamLines[lane] = nil
        inConversation { $0.leave(lane, at: loop.now) }
        wake(on: loop)
    }
}
