import PinholeCrypto
import PinholeFormats
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeStore

/// The answers of a capture by their requests.
///
/// The answers to a request are given in the order in which they were recorded; then the last one is repeated.
final class RecordedAnswers: Sendable {
    /// The recorded answer to a request.
    struct Found: Sendable {
        /// The recorded exchange, with the head of its response.
        let record: ExchangeRecord
        /// The body of the response; `nil` if it was captured only in part.
        let body: Body?
    }

    /// The body of a recorded response.
    enum Body: Sendable {
        /// A short body, which lies in memory.
        case bytes([UInt8])
        /// A long body, which is read while it is sent: many clients that do not read would fill the memory.
        case later(AnswerContent)
    }

    /// The exchanges whose requests count as the same.
    fileprivate struct Queue {
        var exchanges: [ExchangeID] = []
        /// The number of answers that were given.
        var given = 0
    }

    private let replay: CaptureReplay
    private let reader: CaptureReader
    private let queues: Lock<[String: Queue]>

    /// Reads the requests of a capture.
    ///
    /// - Parameter replay: The capture, and the parts of requests that are compared.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    init(_ replay: CaptureReplay) throws(CaptureFailure) {
        self.replay = replay
        reader = try CaptureReader(path: replay.file)
        queues = Lock(try Self.queues(replay, reader))
    }

    /// The warning about the capture; `nil` if it is complete.
    var warning: String? { reader.warning }

    /// The number of different requests.
    var count: Int { queues.withLock { $0.count } }

    /// Takes the next answer to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body of the request, as sent; `nil` if it is not compared or could not be held.
    /// - Returns: The recorded answer; `nil` if there is none, or, with `once`, if none is left.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
    func next(for request: RuleRequest, _ body: [UInt8]? = nil) throws(CaptureFailure) -> Found? {
        guard let key = replay.key(of: request, body) else { return nil }
        let id = queues.withLock { $0[key]?.take(replay.isOnce) }
        guard let id, let record = try reader.exchange(id),
            let response = record.response
        else { return nil }
        let isWhole = response.body.isComplete && !response.body.isTruncated
        guard isWhole else { return Found(record: record, body: nil) }
        return Found(record: record, body: try self.body(of: record, length: response.body.length))
    }

    /// Returns, in words, the recorded request that is most like one that was not recorded.
    ///
    /// - Parameter request: The request that has no answer.
    /// - Returns: The nearest request and its differences; `nil` if none is near.
    func nearest(to request: RuleRequest) -> String? {
        let wanted = ExchangePair.Item(
            id: ExchangeID(rawValue: 0),
            method: request.method,
            scheme: request.scheme,
            authority: request.authority,
            target: request.path
        )
        let items = (try? ExchangePair.items(reader, ExchangeFilter(), limit: Self.nearLimit)) ?? []
        // Of the requests with an equal path, the one with the fewest differences is meant.
        let near = ExchangePair.Index(items).nearest(to: wanted).map { found in
            items.filter { $0.method == found.method && $0.path == found.path }
        }
        let ranked = (near ?? []).map { (item: $0, differences: $0.differences(from: wanted)) }
        guard let best = ranked.min(by: { $0.differences.count < $1.differences.count }) else { return nil }
        let text = best.differences.map(\.text).joined(separator: "; ")
        return "exchange \(best.item.id.rawValue), \(best.item.method) \(best.item.server)\(best.item.target)"
            + (text.isEmpty ? "" : ": \(text)")
    }

    /// The number of recorded requests in which the nearest one is looked for.
    private static let nearLimit = 20_000

    private func body(of record: ExchangeRecord, length: Int64) throws(CaptureFailure) -> Body {
        guard length > Self.wholeLimit else { return .bytes(try reader.body(of: record, .response)) }
        // Each read searches for the beginning of its range, so a piece is as long as a few recorded parts.
        let content = AnswerContent(length: Int(length), pieceSize: 256 << 10) { [reader] range in
            try? reader.body(of: record, .response, range: Int64(range.lowerBound)..<Int64(range.upperBound))
        }
        return .later(content)
    }

    /// The length in bytes of the longest body that is read at once.
    private static let wholeLimit: Int64 = 64 << 10

    private static func queues(
        _ replay: CaptureReplay,
        _ reader: CaptureReader
    ) throws(CaptureFailure) -> [String: Queue] {
        var queues: [String: Queue] = [:]
        var wanted = ExchangeFilter()
        wanted.onlyEnded = true
        try reader.eachExchange(wanted) { exchange throws(CaptureFailure) in
            guard exchange.isRepeatable else { return true }
            let needsRecord = !replay.fields.isEmpty || replay.match == .strict
            let record = needsRecord ? try reader.exchange(exchange.id) : nil
            let request = RuleRequest(
                scheme: exchange.scheme,
                authority: exchange.authority,
                method: exchange.method,
                path: exchange.path,
                fields: record?.request.fields ?? HeaderFields()
            )
            let body = try record.flatMap { (record) throws(CaptureFailure) in
                try Self.requestBody(of: record, replay, reader)
            }
            guard let key = replay.key(of: request, body) else { return true }
            queues[key, default: Queue()].exchanges.append(exchange.id)
            return true
        }
        return queues
    }
}

extension RecordedAnswers {
    /// Returns the body by which a recorded request is compared; `nil` if none is, or if it was captured in part.
    private static func requestBody(
        of record: ExchangeRecord,
        _ replay: CaptureReplay,
        _ reader: CaptureReader
    ) throws(CaptureFailure) -> [UInt8]? {
        let body = record.request.body
        guard replay.match == .strict, body.length > 0 else { return [] }
        guard body.isComplete, !body.isTruncated else { return nil }
        return try reader.body(of: record, .request)
    }
}

extension CaptureReplay {
    /// Returns a text that is equal for equal requests; `nil` if the body is needed for it and absent.
    fileprivate func key(of request: RuleRequest, _ body: [UInt8]?) -> String? {
        guard match == .strict else { return key(of: request) }
        guard let body else { return nil }
        let digest = Digest.sha256(body).map { String($0, radix: 16) }.joined(separator: " ")
        return "\(key(of: request))\n\n\(digest)"
    }
}

extension RecordedAnswers.Queue {
    /// Takes the next exchange; after the last one, repeats it or, if each is given once, returns `nil`.
    fileprivate mutating func take(_ isOnce: Bool) -> ExchangeID? {
        guard given < exchanges.count else { return isOnce ? nil : exchanges.last }
        defer { given += 1 }
        return exchanges[given]
    }
}

extension ExchangeRecord {
    /// Whether the answer can be repeated: it is a final answer, and the connection did not change its protocol.
    fileprivate var isRepeatable: Bool {
        guard let status, status >= 200, method != "CONNECT" else { return false }
        return !notes.contains(.upgraded) && !notes.contains(.webSocket)
    }
}
