import Dispatch
import Glibc
import PinholeFilter
import PinholeLock
import PinholeModel

/// Judges pages of exchanges by the part of a filter that SQL cannot decide, on all cores.
///
/// A search through bodies decodes and reads gigabytes, of which each core does its share. Each lane has a reader of
/// its own, since a connection serves one thread at a time.
final class ExchangeJudges {
    private final class Lane: Sendable {
        private struct State {
            let flows = FlowMemory()
            var judge: FilterJudge
            var result: Result<[ExchangeRecord], CaptureFailure> = .success([])
            /// Whether the search was over before the end of the page.
            var hasEnded = false
        }

        let reader: CaptureReader
        private let state: Lock<State>

        init(_ reader: CaptureReader, _ rest: Filter) {
            self.reader = reader
            state = Lock(State(judge: FilterJudge(rest)))
        }

        var result: Result<[ExchangeRecord], CaptureFailure> { state.withLock(\.result) }
        var hasEnded: Bool { state.withLock(\.hasEnded) }

        func select(_ page: ArraySlice<ExchangeRecord>, _ isOver: (@Sendable () -> Bool)?) {
            state.withLock { state in
                do throws(CaptureFailure) {
                    let contents = ContentPage(page)
                    var selected: [ExchangeRecord] = []
                    for candidate in page {
                        if isOver?() == true {
                            state.hasEnded = true
                            break
                        }
                        var facts = CapturedFacts(candidate, reader, state.flows, contents)
                        if try state.judge.judge(&facts) == .yes { selected.append(candidate) }
                    }
                    state.result = .success(selected)
                } catch {
                    state.result = .failure(error)
                }
            }
        }
    }

    /// The number of exchanges from which on more than one core is worth its start.
    private static let worthwhile = 200
    private static let cores = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8))

    private let rest: Filter
    private let isOver: (@Sendable () -> Bool)?
    private var lanes: [Lane]
    private var hasAllLanes = false

    /// Prepares to judge.
    ///
    /// - Parameters:
    ///   - rest: The part of the filter.
    ///   - reader: The capture.
    ///   - isOver: Called before each exchange; `true` ends the judging.
    init(_ rest: Filter, _ reader: CaptureReader, isOver: (@Sendable () -> Bool)?) {
        self.rest = rest
        self.isOver = isOver
        lanes = [Lane(reader, rest)]
    }

    /// Whether the search was over before the end of the last page.
    var hasEnded: Bool { lanes.contains { $0.hasEnded } }

    /// Returns the exchanges that the filter selects, in their order.
    ///
    /// - Returns: The selected ones; fewer if the search is over.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    func selected(_ page: [ExchangeRecord]) throws(CaptureFailure) -> [ExchangeRecord] {
        guard page.count >= Self.worthwhile else { return try judge(page, on: 1) }
        // Most searches end within their first page.
        defer { openLanes() }
        return try judge(page, on: lanes.count)
    }

    private func judge(_ page: [ExchangeRecord], on count: Int) throws(CaptureFailure) -> [ExchangeRecord] {
        let share = (page.count + count - 1) / count
        let (lanes, isOver) = (lanes, isOver)
        DispatchQueue.concurrentPerform(iterations: count) { number in
            let start = min(number * share, page.count)
            lanes[number].select(page[start..<min(start + share, page.count)], isOver)
        }
        var selected: [ExchangeRecord] = []
        for lane in lanes.prefix(count) { selected += try lane.result.get() }
        return selected
    }

    /// Opens a lane for each further core; one that cannot be opened is done without.
    private func openLanes() {
        guard !hasAllLanes, let first = lanes.first else { return }
        hasAllLanes = true
        while lanes.count < Self.cores {
            guard let reader = try? CaptureReader(path: first.reader.path) else { return }
            lanes.append(Lane(reader, rest))
        }
    }
}
