import Dispatch
import Glibc
import PinholeLock

/// Work on many values, of which each core takes the next one.
package enum CoreWork {
    /// More cores would have more memory for their caches than they save time.
    private static let cores = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 4))

    private struct Progress<Result: Sendable>: Sendable {
        var next = 0
        var results: [Result?]
    }

    /// Returns the results for all values, in the order of the values.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - prepare: Makes what one core keeps from value to value.
    ///   - work: Makes the result.
    /// - Returns: The results.
    package static func results<Value: Sendable, Memory, Result: Sendable>(
        for values: [Value],
        with prepare: @Sendable () -> Memory,
        _ work: @Sendable (Value, Memory) -> Result
    ) -> [Result] {
        let progress = Lock(Progress<Result>(results: Array(repeating: nil, count: values.count)))
        DispatchQueue.concurrentPerform(iterations: min(cores, values.count)) { _ in
            let memory = prepare()
            while let index = progress.withLock({ progress in
                defer { progress.next += 1 }
                return progress.next < values.count ? progress.next : nil
            }) {
                let result = work(values[index], memory)
                progress.withLock { $0.results[index] = result }
            }
        }
        return progress.withLock { $0.results.compactMap(\.self) }
    }
}
