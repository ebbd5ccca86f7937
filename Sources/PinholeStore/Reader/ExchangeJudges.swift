import PinholeFilter
import PinholeModel

/// Judges pages of exchanges by the part of a filter that SQL cannot decide, on all cores.
///
/// A search through bodies decodes and reads gigabytes, of which each core does its share.
final class ExchangeJudges {
    private struct Memory {
        let flows = FlowMemory()
        var judge: FilterJudge
    }

    private let isOver: (@Sendable () -> Bool)?
    private let lanes: CaptureLanes<Memory>
    /// Whether the search was over before the end of the last page.
    private(set) var hasEnded = false

    /// Prepares to judge.
    ///
    /// - Parameters:
    ///   - rest: The part of the filter.
    ///   - reader: The capture.
    ///   - isOver: Called before each exchange; `true` ends the judging.
    /// - Throws: Nothing that the reader did not.
    init(_ rest: Filter, _ reader: CaptureReader, isOver: (@Sendable () -> Bool)?) throws(CaptureFailure) {
        self.isOver = isOver
        lanes = try CaptureLanes(reader) { Memory(judge: FilterJudge(rest)) }
    }

    /// Returns the exchanges that the filter selects, in their order.
    ///
    /// - Returns: The selected ones; fewer if the search is over.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    func selected(_ page: [ExchangeRecord]) throws(CaptureFailure) -> [ExchangeRecord] {
        let isOver = isOver
        let parts = try lanes.results(page) { (part, reader, memory) throws(CaptureFailure) in
            let contents = ContentPage(part)
            var selected: [ExchangeRecord] = []
            for candidate in part {
                if isOver?() == true { return (selected, hasEnded: true) }
                var facts = CapturedFacts(candidate, reader, memory.flows, contents)
                if try memory.judge.judge(&facts) == .yes { selected.append(candidate) }
            }
            return (selected, hasEnded: false)
        }
        hasEnded = parts.contains(where: \.hasEnded)
        return parts.flatMap(\.0)
    }
}
