import PinholeModel
import PinholeStore
import Synchronization

/// Passes records to the capture, and yields each exchange that has ended.
final class ExchangeSink: FlowSink {
    /// The exchanges, each when it ends.
    let exchanges: AsyncStream<Exchange>

    private let store: CaptureStore?
    private let ids = Atomic<Int64>(0)
    private let continuation: AsyncStream<Exchange>.Continuation

    /// The number of exchanges that may wait for a reader; if more end, the oldest ones are dropped.
    private static let room = 1000

    init(_ store: CaptureStore?) {
        self.store = store
        (exchanges, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.room))
    }

    func nextID() -> Int64 { store?.nextID() ?? ids.add(1, ordering: .relaxed).newValue }

    func record(_ events: [FlowEvent]) {
        store?.record(events)
        for event in events {
            guard case .exchange(let record) = event, let exchange = Exchange(record) else { continue }
            continuation.yield(exchange)
        }
    }

    var isCongested: Bool { store?.isCongested ?? false }

    func whenRelieved(_ action: @escaping @Sendable () -> Void) {
        if let store { store.whenRelieved(action) } else { action() }
    }

    /// Closes the capture, and ends the stream of exchanges.
    func close() {
        store?.close()
        continuation.finish()
    }
}
