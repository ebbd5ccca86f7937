import Dispatch

/// A Dispatch source on one descriptor.
///
/// This is the only file that calls `setEventHandler`: the compiler does not check what such a
/// handler captures, so the closure comes in as `@Sendable`.
///
/// Sendable: the source is made in the initializer and only cancelled afterwards, which Dispatch
/// allows from anywhere.
final class EventSource: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    /// Calls `handler` on `queue` whenever `descriptor` is readable.
    ///
    /// - Parameters:
    ///   - descriptor: It stays open until `cancelled` has run.
    ///   - queue: Where the handlers run.
    ///   - handler: Runs when there is something to read.
    ///   - cancelled: Runs once after ``cancel()``; closes the descriptor.
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

    /// Calls `handler` on `queue` whenever the process gets `signal`, which is ignored otherwise.
    init(signal number: Int32, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        source.resume()
        self.source = source
    }

    /// Ends the source.
    func cancel() {
        source.cancel()
    }
}
