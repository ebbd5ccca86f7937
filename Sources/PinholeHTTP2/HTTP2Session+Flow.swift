import CNghttp2
package import PinholeModel

/// The received bytes of streams, and the credit for more of them.
extension HTTP2Session {
    /// Moves received bytes to the back of `destination`.
    ///
    /// If that is empty and takes all bytes, the queues are swapped.
    ///
    /// - Parameters:
    ///   - limit: The largest number of bytes to move.
    ///   - stream: The stream.
    ///   - destination: The queue that receives the bytes.
    /// - Returns: The number of bytes that were moved.
    @discardableResult
    package func take(
        upTo limit: Int = .max,
        from stream: HTTP2StreamID,
        into destination: inout ByteQueue
    ) -> Int {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return 0 }
        let count = min(limit, channel.pointee.streams[index].inbound.count)
        if destination.isEmpty, count == channel.pointee.streams[index].inbound.count {
            swap(&channel.pointee.streams[index].inbound, &destination)
        } else {
            channel.pointee.streams[index].inbound.move(count, to: &destination)
        }
        closeIfTaken(index)
        return count
    }

    /// The number of bytes of bodies that were ever received, on all streams.
    package var bodyBytesReceived: Int { channel.pointee.bodyBytesReceived }

    /// Returns the number of received bytes that wait on a stream.
    package func pendingInput(_ stream: HTTP2StreamID) -> Int {
        channel.pointee.streams.index(of: stream.rawValue).map {
            channel.pointee.streams[$0].inbound.count
        } ?? 0
    }

    /// Notes that received bytes were passed on, so that the peer may send as many more.
    ///
    /// - Parameters:
    ///   - count: The number of bytes; at most those that were received and not yet released.
    ///   - stream: The stream; one that no longer exists is ignored.
    package func release(_ count: Int, on stream: HTTP2StreamID) {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        let count = min(count, channel.pointee.streams[index].unreleased)
        channel.pointee.streams[index].unreleased -= count
        channel.pointee.unreleased -= count
        settleCredit()
        guard channel.pointee.streams[index].state.isDisjoint(with: [.ended, .closed]) else { return }
        nghttp2_session_consume_stream(session, stream.rawValue, count)
        grow(index, count)
    }

    /// Drops the received bytes that wait on a stream, and gives their credit back to the peer.
    package func discard(_ stream: HTTP2StreamID) {
        guard let index = channel.pointee.streams.index(of: stream.rawValue) else { return }
        channel.pointee.streams[index].inbound = ByteQueue()
        release(channel.pointee.streams[index].unreleased, on: stream)
        closeIfTaken(index)
    }

    /// Doubles the window of a stream whose reader keeps up with a sender that uses the whole window.
    private func grow(_ index: Int, _ count: Int) {
        let now = channel.pointee.now
        channel.pointee.streams[index].released += count
        let window = channel.pointee.streams[index].window
        guard channel.pointee.streams[index].released >= window else { return }
        let elapsed = now - channel.pointee.streams[index].windowStart
        channel.pointee.streams[index].released = 0
        channel.pointee.streams[index].windowStart = now
        let wider = min(2 * Int(window), Int(limits.largestWindow))
        let growth = channel.pointee.growth + wider - Int(window)
        guard !channel.pointee.isShort, wider > window, elapsed <= limits.windowGrowthInterval,
            growth <= growthLimit,
            channel.pointee.streams[index].unreleased <= window / 2
        else { return }
        channel.pointee.growth = growth
        channel.pointee.streams[index].window = Int32(clamping: wider)
        nghttp2_session_set_local_window_size(
            session,
            0,
            channel.pointee.streams[index].id,
            Int32(clamping: wider)
        )
    }

    /// The sum by which windows may grow so that all of them together, if full, stay below the limit of the
    /// connection.
    private var growthLimit: Int {
        let streams = max(activeStreams, Int(limits.concurrentStreams))
        return limits.connectionWaiting - streams * Int(localSettings.initialWindowSize)
    }

    private func closeIfTaken(_ index: Int) {
        guard channel.pointee.streams[index].state.contains(.closeWaits),
            channel.pointee.streams[index].inbound.isEmpty
        else { return }
        channel.pointee.streams[index].state.remove(.closeWaits)
        channel.pointee.events.append(.closed(HTTP2StreamID(rawValue: channel.pointee.streams[index].id)))
    }
}
