import Glibc
import PinholeModel
import PinholeProxy

/// An HTTP/2 stream that contains a tunnel.
///
/// The stream takes the place of a socket.
///
/// The driver of the connection carries the stream. Neither driver calls the other one during its own turn:
/// such work is done at the end of the loop's turn.
final class StreamLine {
    let lane: Lane
    private weak var carrier: ClientDriver?
    /// The driver of the tunnel.
    weak var reader: ClientDriver?
    /// Whether there may be data to read.
    var isReadable = true
    /// Whether our half is closed as soon as the outbox is empty.
    var closesWhenWritten = false
    private var isFinished = false
    /// Whether the connection has ended without an error.
    private var hasEnded = false

    init(_ lane: Lane, carrier: ClientDriver) {
        self.lane = lane
        self.carrier = carrier
    }

    /// Wakes the tunnel, since data has come or there is room again.
    func stir(on loop: isolated EventLoop) {
        isReadable = true
        if let reader { loop.afterThisTurn(reader) }
    }

    /// Ends the line, since the connection is gone.
    func cut(isOrderly: Bool, on loop: isolated EventLoop) {
        carrier = nil
        hasEnded = isOrderly
        stir(on: loop)
    }

    /// Reads available data, up to `limit` bytes, and appends it to `inbox`.
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

    /// Writes as much as there is room for.
    ///
    /// After the last byte it finishes our half, if that was requested.
    func flush(_ outbox: inout ByteQueue, on loop: isolated EventLoop) throws(SystemFailure) {
        if !outbox.isEmpty {
            guard let carrier else { throw Self.gone(isOrderly: hasEnded) }
            guard carrier.write(lane, from: &outbox, on: loop) else {
                throw Self.gone(isOrderly: carrier.hasEnded(lane))
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

    /// Tells the client why its tunnel was refused.
    func refuse(_ answer: Answer, on loop: isolated EventLoop) {
        isFinished = true
        carrier?.refuse(lane, answer, on: loop)
    }

    /// Leaves the stream, since the tunnel has ended.
    func close(on loop: isolated EventLoop) {
        carrier?.leave(lane, on: loop)
        carrier = nil
    }
}
