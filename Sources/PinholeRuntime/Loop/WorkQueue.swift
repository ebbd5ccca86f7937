import Dispatch

/// Does one thing after the other, off the event loops: what may wait for a file or somebody else.
package final class WorkQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue.
    ///
    /// - Parameter label: Its name, for debuggers.
    package init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Does something, once what came before is done.
    package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
