import Dispatch
import Synchronization

/// Delivers the signals of the process as a sequence, so that they do not end the process.
package final class SignalWatch: Sendable {
    /// The received signals, in their order.
    package let signals: AsyncStream<Int32>
    private let sources: [EventSource]
    private let queue = DispatchQueue(label: "pinhole.signals")

    /// Starts to watch the signals with these `numbers`.
    package init(_ numbers: [Int32]) {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.signals = signals
        sources = numbers.map { [queue] number in
            EventSource(signal: number, on: queue) { continuation.yield(number) }
        }
    }

    /// Ends the watch.
    package func cancel() {
        for source in sources { source.cancel() }
    }
}
