import Glibc
import PinholeModel
import PinholeProxy

/// A stream of HTTP/2 in which a tunnel lies: what a socket is to other tunnels.
///
/// The driver of the connection carries it. Neither calls the other while it is at work itself: what concerns the
/// other one is done at the end of the loop's turn.
final class StreamLine {
    let lane: Lane
    private weak var carrier: MultiplexDriver?
    /// The tunnel's driver.
    weak var reader: (any TurnHandler)?
    /// Whether something may be there to read.
    var isReadable = true
    /// Whether our half is to be closed when the outbox is empty.
    var closesWhenWritten = false
    private var isFinished = false
    /// Whether the connection is gone, in good order.
    private var hasEnded = false

    init(_ lane: Lane, carrier: MultiplexDriver) {
        self.lane = lane
        self.carrier = carrier
    }

    /// Something came, or there is room again.
    func stir(on loop: isolated EventLoop) {
        isReadable = true
        if let reader { loop.afterThisTurn(reader) }
    }

    /// The connection is gone.
    func cut(isOrderly: Bool, on loop: isolated EventLoop) {
        carrier = nil
        hasEnded = isOrderly
        stir(on: loop)
    }

    /// Reads what is there, up to `limit` bytes, to the back of `inbox`.
    func read(
        into inbox: inout ByteQueue,
        limit: Int,
        on loop: isolated EventLoop
    ) -> Socket.ReadResult {
        switch carrier?.read(lane, into: &inbox, limit: limit, on: loop) ?? (hasEnded ? .end : .broken)
        {
        case .bytes(let count): return .bytes(count)
        case .wouldBlock:
            isReadable = false
            return .wouldBlock
        case .end:
            isReadable = false
            return .end
        case .cancelled:
            isReadable = false
            return .failed(ECANCELED)
        case .broken:
            isReadable = false
            return .failed(ECONNRESET)
        }
    }

    /// Writes what there is room for, and finishes our half behind it where that was asked for.
    func flush(_ outbox: inout ByteQueue, on loop: isolated EventLoop) throws(SystemFailure) {
        if !outbox.isEmpty {
            guard let carrier else { throw Self.gone(isOrderly: hasEnded) }
            guard carrier.write(lane, from: &outbox, on: loop) else {
                throw Self.gone(isOrderly: carrier.stack.hasEnded(lane))
            }
        }
        guard outbox.isEmpty, closesWhenWritten, !isFinished else { return }
        isFinished = true
        carrier?.finish(lane, on: loop)
    }

    private static func gone(isOrderly: Bool) -> SystemFailure {
        SystemFailure("could not send", isOrderly ? ECANCELED : ECONNRESET)
    }

    /// Tells the client that its CONNECT succeeded.
    func accept(on loop: isolated EventLoop) { carrier?.accept(lane, on: loop) }

    /// Tells the client why it gets no tunnel.
    func refuse(_ answer: Answer, on loop: isolated EventLoop) {
        isFinished = true
        carrier?.refuse(lane, answer, on: loop)
    }

    /// The tunnel is over.
    func close(on loop: isolated EventLoop) {
        carrier?.leave(lane, on: loop)
        carrier = nil
    }
}
