import PinholeLock
import PinholeModel
import PinholeRules
import PinholeStore

/// The answers of a capture, found by their requests.
///
/// Each request gets the answers that were recorded for it in their order, and then the last one again and again.
final class RecordedAnswers: Sendable {
    /// What was recorded for a request.
    struct Found: Sendable {
        /// The exchange, with the head of its response.
        let record: ExchangeRecord
        /// The body of its response; `nil` where it was captured in part.
        let body: [UInt8]?
    }

    /// The exchanges whose requests count as the same, but for their bodies.
    fileprivate struct Queue {
        struct Entry {
            let id: ExchangeID
            /// What the body hashes to; `nil` where it was captured in part, and so is like no other.
            let body: Int?
            var wasGiven = false
        }

        var entries: [Entry] = []
        /// All before it were given.
        var first = 0
    }

    private let replay: CaptureReplay
    private let reader: CaptureReader
    private let queues: Lock<[String: Queue]>

    /// Reads which requests a capture holds.
    ///
    /// - Parameter replay: The capture, and what is compared.
    /// - Throws: ``CaptureFailure`` where it cannot be read.
    init(_ replay: CaptureReplay) throws(CaptureFailure) {
        self.replay = replay
        reader = try CaptureReader(path: replay.file)
        queues = Lock(try Self.queues(replay, reader))
    }

    /// How many requests are told apart, not counting their bodies.
    var count: Int { queues.withLock { $0.count } }

    /// Takes the next answer to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: Its body; `nil` where it is not known, so that any will do.
    /// - Returns: What was recorded; `nil` where nothing was, or, with `once`, nothing is left.
    /// - Throws: ``CaptureFailure`` where the capture cannot be read.
    func next(for request: RuleRequest, body: [UInt8]?) throws(CaptureFailure) -> Found? {
        let hash = replay.ignored.contains(.body) ? nil : body.map(\.hashValue)
        let id = queues.withLock { queues in queues[replay.key(of: request)]?.take(hash, replay.isOnce) }
        guard let id, let record = try reader.exchange(id),
            let response = record.response
        else { return nil }
        let isWhole = response.body.isComplete && !response.body.isTruncated
        return Found(record: record, body: isWhole ? try reader.body(of: record, .response) : nil)
    }

    private static let pageSize = 1000

    private static func queues(
        _ replay: CaptureReplay,
        _ reader: CaptureReader
    ) throws(CaptureFailure) -> [String: Queue] {
        var queues: [String: Queue] = [:]
        var wanted = ExchangeFilter()
        wanted.onlyEnded = true
        while true {
            let page = try reader.exchanges(wanted, order: .oldestFirst, limit: pageSize)
            for summary in page where summary.isRepeatable {
                let needsBody = summary.requestBody.length > 0 && !replay.ignored.contains(.body)
                let record = replay.fields.isEmpty && !needsBody ? nil : try reader.exchange(summary.id)
                let body: Int? =
                    if !needsBody {
                        [UInt8]().hashValue
                    } else if let record, !record.request.body.isTruncated {
                        try reader.body(of: record, .request).hashValue
                    } else {
                        nil
                    }
                let request = RuleRequest(
                    scheme: summary.scheme,
                    authority: summary.authority,
                    method: summary.method,
                    path: summary.path,
                    fields: record?.request.fields ?? HeaderFields()
                )
                queues[replay.key(of: request), default: Queue()].entries
                    .append(Queue.Entry(id: summary.id, body: body))
            }
            guard page.count == pageSize, let last = page.last else { return queues }
            wanted.after = last.id
        }
    }
}

extension RecordedAnswers.Queue {
    /// Takes the next exchange whose body is this one; the last one again where none is left, unless each is given once.
    fileprivate mutating func take(_ body: Int?, _ isOnce: Bool) -> ExchangeID? {
        while first < entries.count, entries[first].wasGiven { first += 1 }
        let isMeant: (Entry) -> Bool = { body == nil || $0.body == body }
        if let index = entries[first...].firstIndex(where: { !$0.wasGiven && isMeant($0) }) {
            entries[index].wasGiven = true
            return entries[index].id
        }
        return isOnce ? nil : entries.last(where: isMeant)?.id
    }
}

extension ExchangeSummary {
    /// Whether the answer can be given again: there was one, and the connection did not become something else.
    fileprivate var isRepeatable: Bool {
        guard let status, status >= 200, method != "CONNECT" else { return false }
        return !notes.contains(.upgraded) && !notes.contains(.webSocket)
    }
}
