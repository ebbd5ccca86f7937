package import PinholeFilter
import PinholeModel
package import PinholeStore

/// Counts, bytes and times of exchanges, grouped by one of their facts.
package struct ExchangeGroups: Sendable {
    /// The fact by which exchanges are grouped.
    package enum Key: String, CaseIterable, Sendable {
        /// The host and, unless it is the usual one, the port.
        case host
        /// The status; `none` without a response.
        case status
        /// The method of the request.
        case method
        /// The media type of the response, in a word.
        case type
        /// The program that made the connection.
        case process
        /// The user who logged in to the proxy.
        case user

        fileprivate func name(of row: TrafficRow, _ exchange: ExchangeRecord) -> String {
            let none = "none"
            return switch self {
            case .host: exchange.authority.text(defaultPort: exchange.scheme.defaultPort)
            case .status: exchange.status.map(String.init) ?? none
            case .method: exchange.method
            case .type: row.contentType.map(TypeWord.shown) ?? none
            case .process: row.connection?.clientProcess?.name ?? none
            case .user: exchange.proxyUser ?? none
            }
        }
    }

    /// The exchanges that share a fact.
    package struct Group: Sendable {
        /// The fact.
        package let name: String
        /// The number of exchanges.
        package fileprivate(set) var count = 0
        /// The number of exchanges that failed.
        package fileprivate(set) var failed = 0
        /// The bytes of the requests' bodies.
        package fileprivate(set) var sent: Int64 = 0
        /// The bytes of the responses' bodies.
        package fileprivate(set) var received: Int64 = 0
        /// The bytes of the messages of WebSockets, in both directions.
        package fileprivate(set) var messages: Int64 = 0
        fileprivate var durations: [Duration] = []

        /// The percentiles of the times from the first byte of the request to the end; `nil` if none has ended.
        package var times: Percentiles? { Percentiles(durations) }

        fileprivate mutating func add(_ exchange: ExchangeRecord) {
            count += 1
            if exchange.isFailed { failed += 1 }
            sent = sent.addingClamped(exchange.request.body.length)
            received = received.addingClamped(exchange.response?.body.length ?? 0)
            messages = messages.addingClamped(exchange.messageBytes)
            if let ended = exchange.timings.ended { durations.append(ended - exchange.timings.started) }
        }
    }

    private static let page = 500

    /// The groups, in no order.
    package let groups: [Group]
    /// All exchanges together.
    package let all: Group

    /// Reads the exchanges that a filter selects.
    ///
    /// - Parameters:
    ///   - key: The fact by which they are grouped.
    ///   - condition: The filter.
    ///   - reader: The capture.
    ///   - progress: Called after each page with the number of exchanges so far and the highest of their numbers.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package init(
        by key: Key,
        _ condition: Filter,
        _ reader: CaptureReader,
        progress: (Int, Int64) -> Void = { _, _ in }
    ) throws(CaptureFailure) {
        var filter = TrafficFilter(condition)
        filter.flows = nil
        var groups: [String: Group] = [:]
        var all = Group(name: "all")
        var last: Int64 = 0
        while true {
            let rows = try reader.traffic(filter, after: last, order: .oldestFirst, limit: Self.page)
            for row in rows {
                guard case .exchange(let exchange) = row.kind else { continue }
                let name = key.name(of: row, exchange)
                groups[name, default: Group(name: name)].add(exchange)
                all.add(exchange)
            }
            guard rows.count == Self.page, let end = rows.last?.id else { break }
            last = end
            progress(all.count, last)
        }
        self.groups = Array(groups.values)
        self.all = all
    }
}
