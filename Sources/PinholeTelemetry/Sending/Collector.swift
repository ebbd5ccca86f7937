package import PinholeClient
import PinholeModel
import PinholeStore
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
        /// The longest wait.
        package var most = Duration.seconds(30)
        /// The number of tries.
        package var tries = Int.max

        /// Creates the usual waits.
        package init() {}

        /// Returns the wait after a try, of which a random part is left out so that many proxies do not come at once.
        func wait(after tries: Int, asked: Duration?) -> Duration {
            if let asked { return min(max(asked, first), .seconds(300)) }
            let whole = min(first * (1 << min(tries - 1, 16)), most)
            return whole * Double.random(in: 0.5...1)
        }
    }

    private let url: ClientURL
    private let settings: CollectorSettings
    private let client: PinholeClient
    private let patience: Patience

    /// Creates a collector.
    ///
    /// - Parameters:
    ///   - url: The URL of the traces.
    ///   - settings: The encoding, and the fields of each request.
    ///   - client: Sends the requests; it must not follow redirects.
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
        var request = ClientRequest(url, method: "POST", body: body)
        request.fields = [("Content-Type", settings.encoding.type)]
        request.fields += settings.fields.map { ($0.name, $0.value) }
        var tries = 0
        while true {
            let reason: String
            var asked: Duration?
            switch await client.fetch(request).result {
            case .success(let response):
                switch response.head.status {
                case 200..<300: return .delivered(CollectorAnswer(response))
                case 429, 502, 503, 504:
                    reason = "it answered with status \(response.head.status)"
                    asked = Self.wait(asked: response.head.fields)
                default: return .refused(Self.text(of: response))
                }
            case .failure(let failure): reason = failure.detail
            }
            tries += 1
            guard !Task.isCancelled, tries < patience.tries else { return .unreached(reason) }
            await failed(reason)
            try? await Task.sleep(for: patience.wait(after: tries, asked: asked))
            if Task.isCancelled { return .unreached(reason) }
        }
    }

    /// Returns the wait in Retry-After: a number of seconds, or a date, which is compared with the collector's own clock
    /// (RFC 9110 §10.2.3, §6.6.1); `nil` if there is none.
    static func wait(asked fields: HeaderFields) -> Duration? {
        guard let text = fields.first("retry-after") else { return nil }
        if let seconds = Int64(text) { return .seconds(min(max(seconds, 0), 86_400)) }
        guard let end = HTTPDate.parse(text), let now = fields.first("date").flatMap(HTTPDate.parse) else {
            return nil
        }
        return max(.zero, end - now)
    }

    /// Returns the status and the beginning of the body of an answer, if that is a text.
    private static func text(of response: ClientResponse) -> String {
        let status = "it answered with status \(response.head.status)"
        let type = response.head.fields.first("content-type") ?? ""
        guard type.hasPrefix("text/") || type.contains("json") else { return status }
        return "\(status): \(TerminalText.line(String(decoding: response.body.prefix(300), as: UTF8.self)))"
    }
}
