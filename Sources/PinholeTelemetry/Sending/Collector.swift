package import PinholeClient
import PinholeContent
import PinholeModel
import PinholeWire

/// A collector of OpenTelemetry, which takes spans over HTTP (OTLP 1.x, “OTLP/HTTP”).
package final class Collector: Sendable {
    /// The end of a delivery.
    package enum Delivery: Sendable, Equatable {
        /// The collector has the spans, except for those that it rejected.
        case delivered(CollectorAnswer)
        /// The collector will never take the spans, for a reason.
        case refused(String)
        /// The collector could not be reached, for a reason, until the task was cancelled or all tries were made.
        case unreached(String)
    }

    /// The waits between tries (OTLP 1.x, “Retryable response codes”, demands that they grow).
    package struct Patience: Sendable {
        /// The wait after the first try.
        package var first = Duration.milliseconds(500)
        /// The longest wait, also if the collector asks for a longer one.
        package var most = Duration.seconds(30)
        /// The tries in a row in which the collector could not be reached, after which no more follow.
        package var tries = Int.max
        /// The time after which no more tries follow; `nil` for no end.
        package var time: Duration?
        /// The time for one try, since a collector is not trusted and may send its answer byte by byte.
        package var answer = Duration.seconds(30)

        /// Creates the usual waits.
        package init() {}

        /// Returns the wait after a try, of which a random part is left out so that many proxies do not come at once.
        func wait(after tries: Int, asked: Duration?) -> Duration {
            if let asked { return min(max(asked, first), most) }
            let whole = min(first * (1 << min(tries - 1, 16)), most)
            return whole * Double.random(in: 0.5...1)
        }
    }

    /// The bytes of an answer's body that are read: enough for `ExportTraceServiceResponse` with its message.
    package static let answerBytes = 8 << 10

    private let url: ClientURL
    private let settings: CollectorSettings
    private let client: PinholeClient
    private let patience: Patience

    /// Creates a collector.
    ///
    /// - Parameters:
    ///   - url: The URL of the traces.
    ///   - settings: The encoding, and the fields of each request.
    ///   - client: Sends the requests; it must not follow redirects, and reads ``answerBytes`` of an answer.
    ///   - patience: The waits between tries.
    package init(
        _ url: ClientURL,
        _ settings: CollectorSettings,
        client: PinholeClient,
        patience: Patience = Patience()
    ) {
        self.url = url
        self.settings = settings
        self.client = client
        self.patience = patience
    }

    /// The URL without a name and a password, for messages.
    package var name: String { url.description }

    /// Returns a batch in the encoding of the collector.
    package func encode(_ batch: SpanBatch) -> [UInt8] { batch.encoded(settings.encoding) }

    /// Sends spans, again and again while the collector cannot be reached or is too busy.
    ///
    /// - Parameters:
    ///   - body: The spans, as ``encode(_:)`` returned them.
    ///   - failed: Called after a try that failed, with the reason.
    /// - Returns: The end.
    package func send(
        _ body: [UInt8],
        failed: (String) async -> Void = { _ in }
    ) async -> Delivery {
        let request = request(body)
        let end = patience.time.map { ContinuousClock.now + $0 }
        var (tries, unreached) = (0, 0)
        while true {
            let reason: String
            var asked: Duration?
            switch await fetch(request) {
            case .success(let response):
                unreached = 0
                switch response.head.status {
                case 200..<300: return .delivered(CollectorAnswer(response))
                case 429, 502, 503, 504:
                    reason = "it answered with status \(response.head.status)"
                    asked = Self.wait(asked: response.head.fields)
                default: return .refused(Self.text(of: response))
                }
            case .failure(let failure):
                unreached += 1
                reason = failure.detail
            }
            tries += 1
            let wait = patience.wait(after: tries, asked: asked)
            let isLate = end.map { ContinuousClock.now + wait > $0 } ?? false
            guard !Task.isCancelled, unreached < patience.tries, !isLate else { return .unreached(reason) }
            await failed(reason)
            try? await Task.sleep(for: wait)
            if Task.isCancelled { return .unreached(reason) }
        }
    }

    private func request(_ body: [UInt8]) -> ClientRequest {
        var request = ClientRequest(url, method: "POST", body: body)
        request.fields = [("Content-Type", settings.encoding.type)]
        // OTLP/HTTP, “Request”: the body may be compressed with gzip.
        if settings.compresses, let packed = ContentEncoder.encode(body, codings: ["gzip"]) {
            request.body = packed
            request.fields.append(("Content-Encoding", "gzip"))
        }
        request.fields += settings.fields.map { ($0.name, $0.value) }
        return request
    }

    /// Fetches once, within the time for one try.
    private func fetch(_ request: ClientRequest) async -> Result<ClientResponse, ClientFailure> {
        await withTaskGroup(of: Result<ClientResponse, ClientFailure>?.self) { group in
            group.addTask { await self.client.fetch(request).result }
            group.addTask {
                try? await Task.sleep(for: self.patience.answer)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            return .failure(
                ClientFailure(
                    .timedOut,
                    check: "collector",
                    "its response did not end within \(patience.answer.milliseconds / 1000) seconds"
                )
            )
        }
    }

    /// Returns the wait in Retry-After: a number of seconds, or a date, which is compared with the collector's own clock
    /// (RFC 9110 §10.2.3, §6.6.1); `nil` if there is none.
    static func wait(asked fields: HeaderFields) -> Duration? {
        guard let text = fields.first("retry-after") else { return nil }
        if let seconds = Int64(text) { return .seconds(min(max(seconds, 0), 86_400)) }
        // A number that no Int64 holds is a long wait, too.
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return .seconds(86_400) }
        guard let end = HTTPDate.parse(text), let now = fields.first("date").flatMap(HTTPDate.parse) else {
            return nil
        }
        return min(max(.zero, end - now), .seconds(86_400))
    }

    /// Returns the status and the beginning of the body of an answer, if that is a text.
    private static func text(of response: ClientResponse) -> String {
        let status = "it answered with status \(response.head.status)"
        let type = response.head.fields.first("content-type") ?? ""
        guard type.hasPrefix("text/") || type.contains("json") else { return status }
        return "\(status): \(TerminalText.line(String(decoding: response.body.prefix(300), as: UTF8.self)))"
    }
}
