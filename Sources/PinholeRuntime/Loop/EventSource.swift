import Dispatch

/// A Dispatch source on one descriptor.
///
/// This is the only file that calls `setEventHandler`. The compiler does not check what such a handler
/// captures, so the closure is declared `@Sendable` here.
///
/// Sendable: the source is made in the initializer and only cancelled afterwards, which Dispatch permits from
/// any thread.
final class EventSource: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    /// Calls `handler` on `queue` whenever `descriptor` is readable.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which must stay open until `cancelled` has run.
    ///   - queue: The queue on which the handlers run.
    ///   - handler: Runs when there is data to read.
    ///   - cancelled: Runs once after ``cancel()``, and closes the descriptor.
    init(
        readable descriptor: Int32,
        on queue: DispatchQueue,
        handler: @escaping @Sendable () -> Void,
        cancelled: @escaping @Sendable () -> Void
    ) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler(handler: cancelled)
        source.resume()
        self.source = source
    }

    /// Calls `handler` on `queue` whenever the process receives `signal`.
    ///
    /// The signal's default action does not happen any more.
    init(signal number: Int32, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        source.resume()
        self.source = source
    }

    /// Cancels the source.
    func cancel() {
        source.cancel()
    }
}
