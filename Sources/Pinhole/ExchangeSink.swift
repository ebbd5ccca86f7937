import PinholeModel
import PinholeStore
import Synchronization

/// Gives what is recorded to the capture, and tells of exchanges that are over.
final class ExchangeSink: FlowSink {
    /// The exchanges, as they end.
    let exchanges: AsyncStream<Exchange>

    private let store: CaptureStore?
    private let ids = Atomic<Int64>(0)
    private let continuation: AsyncStream<Exchange>.Continuation

    /// Exchanges that wait for somebody who reads them; older ones are not told where there are more.
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

    /// Ends the capture, and what is told.
    func close() {
        store?.close()
        continuation.finish()
    }
}
