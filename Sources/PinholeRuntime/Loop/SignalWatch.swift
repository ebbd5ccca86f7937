import Dispatch
import Synchronization

/// Hands over the signals that the process gets, one after the other, instead of letting them end it.
package final class SignalWatch: Sendable {
    /// The signals as they come.
    package let signals: AsyncStream<Int32>
    private let sources: [EventSource]
    private let queue = DispatchQueue(label: "pinhole.signals")

    /// Watches `numbers` from now on.
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
