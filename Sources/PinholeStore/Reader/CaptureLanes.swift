import Dispatch
import Glibc
import PinholeLock
package import PinholeModel

/// Work on the contents of a capture, of which each core does its share.
///
/// Each lane has a reader of its own, since a connection serves one thread at a time, and a memory of its own.
package final class CaptureLanes<Memory> {
    private final class Lane: Sendable {
        let reader: CaptureReader
        let memory: Lock<Memory>

        init(_ reader: CaptureReader, _ memory: consuming sending Memory) {
            self.reader = reader
            self.memory = Lock(memory)
        }
    }

    private let remember: () throws(CaptureFailure) -> sending Memory
    private var lanes: [Lane]
    private var hasAllLanes = false

    /// Opens the first lane.
    ///
    /// - Parameters:
    ///   - reader: The capture.
    ///   - remember: Makes the memory of a lane.
    /// - Throws: The error of `remember`.
    package init(
        _ reader: CaptureReader,
        _ remember: @escaping () throws(CaptureFailure) -> sending Memory
    ) throws(CaptureFailure) {
        self.remember = remember
        lanes = [Lane(reader, try remember())]
    }

    /// Does work on values, in as many parts as there are lanes.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - work: Does one part.
    /// - Returns: The results of the parts, in the order of the values.
    /// - Throws: The first error of `work`, in the order of the values.
    package func results<Value: Sendable, Result: Sendable>(
        _ values: [Value],
        _ work: @Sendable (ArraySlice<Value>, CaptureReader, inout Memory) throws(CaptureFailure) -> Result
    ) throws(CaptureFailure) -> [Result] {
        let count = values.count < CaptureCores.worthwhile ? 1 : lanes.count
        // Most searches end within their first page.
        defer { if values.count >= CaptureCores.worthwhile { openLanes() } }
        let share = (values.count + count - 1) / count
        let lanes = lanes
        let done = Lock([Swift.Result<Result, CaptureFailure>?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { number in
            let start = min(number * share, values.count)
            let part = values[start..<min(start + share, values.count)]
            let lane = lanes[number]
            let result = lane.memory.withLock { memory in
                Swift.Result { () throws(CaptureFailure) in try work(part, lane.reader, &memory) }
            }
            done.withLock { $0[number] = result }
        }
        var results: [Result] = []
        for result in done.withLock({ $0 }) { if let result { results.append(try result.get()) } }
        return results
    }

    /// Opens a lane for each further core; one that cannot be opened is done without.
    private func openLanes() {
        guard !hasAllLanes, let first = lanes.first else { return }
        hasAllLanes = true
        while lanes.count < CaptureCores.count {
            guard let reader = try? CaptureReader(path: first.reader.path), let memory = try? remember()
            else { return }
            lanes.append(Lane(reader, memory))
        }
    }
}

extension CaptureLanes where Memory: Sendable {
    /// The memories of all lanes.
    package var memories: [Memory] { lanes.map { $0.memory.withLock { $0 } } }
}

private enum CaptureCores {
    /// The number of values from which on more than one core is worth its start.
    static let worthwhile = 200
    static let count = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8))
}

extension CaptureReader {
    /// Reads all exchanges that `filter` selects, with their heads and the bytes of their bodies in the record.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - lanes: The lanes of this capture.
    ///   - work: Called with each exchange, on any core.
    ///   - use: Called with each result, oldest exchange first.
    /// - Throws: ``CaptureFailure`` if the file cannot be read, or the error of `work`.
    package func eachWholeExchange<Memory, Result: Sendable>(
        _ filter: ExchangeFilter,
        on lanes: CaptureLanes<Memory>,
        _ work: @Sendable (ExchangeRecord, CaptureReader, inout Memory) throws(CaptureFailure) -> Result,
        _ use: (Result) -> Void
    ) throws(CaptureFailure) {
        var ids: [ExchangeID] = []
        func useAll() throws(CaptureFailure) {
            let parts = try lanes.results(ids) { (part, reader, memory) throws(CaptureFailure) in
                var results: [Result] = []
                try reader.eachExchange(part) { record throws(CaptureFailure) in
                    results.append(try work(record, reader, &memory))
                }
                return results
            }
            for part in parts { part.forEach(use) }
            ids.removeAll(keepingCapacity: true)
        }
        try eachExchange(filter) { summary throws(CaptureFailure) in
            ids.append(summary.id)
            if ids.count == Self.candidatesAtOnce { try useAll() }
            return true
        }
        try useAll()
    }

    /// The number of exchanges with their contents that a core has in memory at one time.
    private static let wholeAtOnce = 64

    private func eachExchange(
        _ ids: ArraySlice<ExchangeID>,
        _ use: (ExchangeRecord) throws(CaptureFailure) -> Void
    ) throws(CaptureFailure) {
        for start in stride(from: ids.startIndex, to: ids.endIndex, by: Self.wholeAtOnce) {
            let some = ids[start..<min(start + Self.wholeAtOnce, ids.endIndex)]
            for record in try exchanges(Array(some)) { if let record { try use(record) } }
        }
    }
}
