import PinholeClient
import PinholeFormats
import PinholeModel
import PinholeStore
import PinholeWire

/// Sends recorded requests again, several of them concurrently.
struct ReplayRun: Sendable {
    /// An exchange of the capture with the time at which it began.
    struct Item: Sendable, Equatable {
        let id: ExchangeID
        let started: Timestamp
    }

    let reader: CaptureReader
    /// Knows what changes in every answer.
    let comparison: CaptureComparison
    let edit: ReplayEdit
    /// The client for requests of HTTP/1, and the one for requests of HTTP/2.
    let clients: (http1: PinholeClient, http2: PinholeClient)
    let allowsIncomplete: Bool
    /// The number of requests that are under way at one time.
    let concurrency: Int
    /// Whether the times between requests are the recorded ones.
    let keepsTiming: Bool

    /// Returns the minimum duration of a run that keeps the recorded times; `nil` if they are not kept.
    func leastTime(_ items: [Item], times: Int) -> Duration? {
        let moments = items.map(\.started)
        guard keepsTiming, let first = moments.min(), let last = moments.max() else { return nil }
        return (last - first) * times
    }

    /// Sends all requests.
    ///
    /// - Parameters:
    ///   - items: The exchanges, in the order of sending.
    ///   - times: The number of rounds; a round begins when the one before it is over.
    ///   - tell: Called with the result of each request, as soon as it is known.
    func send(_ items: [Item], times: Int, tell: (ReplayResult) -> Void) async {
        for round in 1...times {
            await withTaskGroup(of: ReplayResult.self) { group in
                let begin = ContinuousClock.now
                let first = items.map(\.started).min()
                var rest = items[...]
                var running = 0
                while running > 0 || !rest.isEmpty {
                    if running < concurrency, let item = rest.popFirst() {
                        let offset = keepsTiming ? first.map { item.started - $0 } : nil
                        group.addTask {
                            if let offset { try? await Task.sleep(until: begin + offset, clock: .continuous) }
                            return await send(item.id, round: round)
                        }
                        running += 1
                    } else if let result = await group.next() {
                        running -= 1
                        tell(result)
                    }
                }
            }
        }
    }

    private func send(_ id: ExchangeID, round: Int) async -> ReplayResult {
        let record: ExchangeRecord
        let body: [UInt8]
        do throws(CaptureFailure) {
            guard let found = try reader.exchange(id) else {
                return Self.missing(id, round, "the capture has no exchange \(id.rawValue) any more")
            }
            record = found
            body = try reader.body(of: found, .request)
        } catch {
            return Self.missing(id, round, error.description)
        }
        if let obstacle = edit.obstacle(record, allowsIncomplete: allowsIncomplete) {
            return result(record, round, outcome: .refused(obstacle))
        }
        let request: ClientRequest
        do throws(ClientFailure) {
            request = try edit.request(record, body: body)
        } catch {
            return result(record, round, outcome: .refused(error.detail))
        }
        let isHTTP2 = record.request.head.firstLine.hasSuffix("HTTP/2")
        let outcome = await (isHTTP2 ? clients.http2 : clients.http1).fetch(request)
        switch outcome.result {
        case .failure(let failure):
            return result(record, round, request, outcome: .failed(failure.detail))
        case .success(let response):
            let answer = ReplayAnswer(
                status: response.head.status,
                length: Int64(response.body.count),
                duration: Self.duration(outcome.story)
            )
            return result(
                record,
                round,
                request,
                outcome: .answered(answer, differences: differences(record, response))
            )
        }
    }

    private func differences(_ record: ExchangeRecord, _ response: ClientResponse) -> [String] {
        guard let recorded = record.response, let status = record.status else {
            return ["no response was recorded"]
        }
        let isWhole = recorded.body.isComplete && !recorded.body.isTruncated
        let body = isWhole ? try? reader.body(of: record, .response) : nil
        let before = Self.facts(status, recorded.fields, body)
        let now = Self.facts(response.head.status, response.head.fields, body == nil ? nil : response.body)
        let found = FactDifference.all(before, now)
        let told = comparison.withoutNoise(found, of: ExchangePair.Item(record), in: "response").map(\.text)
        return body == nil ? told + ["the recorded body is not whole"] : told
    }

    private static func facts(_ status: Int, _ fields: HeaderFields, _ body: [UInt8]?) -> MessageFacts {
        var facts = MessageFacts()
        facts.add("status", String(status))
        facts.add(fields, namesCookiesOnly: true)
        if let body { facts.add(body: body, fields) }
        return facts
    }

    /// Returns the time from the sent request to the end, without the time for the connection.
    private static func duration(_ story: FetchTranscript) -> Duration {
        let sent = story.entries.last { if case .request = $0.step { true } else { false } }
        return (story.entries.last?.after ?? .zero) - (sent?.after ?? .zero)
    }

    private func result(
        _ record: ExchangeRecord,
        _ round: Int,
        _ request: ClientRequest? = nil,
        outcome: ReplayResult.Outcome
    ) -> ReplayResult {
        ReplayResult(
            id: record.id,
            round: round,
            method: request?.method ?? record.method,
            url: request?.url.description ?? record.url,
            recorded: ReplayAnswer(record, of: try? reader.flow(record.flow)),
            outcome: outcome
        )
    }

    private static func missing(_ id: ExchangeID, _ round: Int, _ reason: String) -> ReplayResult {
        ReplayResult(id: id, round: round, method: "", url: "", recorded: nil, outcome: .refused(reason))
    }
}

extension [UInt8] {
    /// The first line, without its line break.
    fileprivate var firstLine: String {
        String(decoding: prefix { $0 != 0x0d && $0 != 0x0a }, as: UTF8.self)
    }
}
