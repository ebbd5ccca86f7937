import ArgumentParser
import Foundation
import PinholeModel
import PinholeRuntime
import PinholeStore

/// Which exchanges and flows are meant.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A host, or a glob such as '*.example.com', with or without a port.",
            valueName: "glob"
        ),
        transform: { try FlagValue.parse(InternationalName.ascii($0), HostPattern.init) }
    )
    var host: HostPattern?

    @Option(help: "The method.")
    var method: String?

    @Option(
        help: ArgumentHelp("404, 4xx or 400-499.", valueName: "status"),
        transform: { try FlagValue.parse($0, StatusRange.init).range }
    )
    var status: ClosedRange<Int>?

    @Option(help: ArgumentHelp("A text that the URL contains.", valueName: "text"))
    var url: String?

    @Option(
        help: ArgumentHelp("Not before: 90s, 10m, 2h, 3d ago, or 2026-01-31T12:00:00Z.", valueName: "when"),
        transform: { text in
            try FlagValue.parse(text) { (text) throws(AddressFailure) in
                try Moment(text, now: LoopClock().now()).timestamp
            }
        }
    )
    var since: Timestamp?

    @Flag(help: "Only what failed.")
    var failed = false

    /// The filter for exchanges.
    var exchanges: ExchangeFilter {
        var filter = ExchangeFilter()
        filter.host = host
        filter.method = method
        filter.status = status
        filter.text = url
        filter.since = since
        filter.onlyFailed = failed
        return filter
    }

    /// The filter for flows; `nil` where only exchanges can be meant.
    var flows: FlowFilter? {
        guard method == nil, status == nil, url == nil else { return nil }
        var filter = FlowFilter()
        filter.host = host
        filter.since = since
        filter.onlyFailed = failed
        filter.onlyClosed = true
        return filter
    }
}

/// A status or several: `404`, `4xx`, `400-499`.
struct StatusRange: Equatable {
    /// The first and the last.
    let range: ClosedRange<Int>

    /// Parses a range.
    init(_ text: String) throws(AddressFailure) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if text.count == 3, text.lowercased().hasSuffix("xx"), let hundreds = text.first?.wholeNumberValue {
            range = hundreds * 100...hundreds * 100 + 99
        } else if parts.count == 1, let status = parts[0], (100...999).contains(status) {
            range = status...status
        } else if parts.count == 2, let low = parts[0], let high = parts[1], 0 <= low, low <= high {
            range = low...high
        } else {
            throw AddressFailure(text, expected: "a status such as 404, 4xx or 400-499")
        }
    }
}

/// A moment as people write it: so long ago, or a date.
struct Moment: Equatable {
    /// The moment.
    let timestamp: Timestamp

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// Parses `90s`, `10m`, `2h`, `3d` (before `now`), or an ISO 8601 date and time in UTC.
    init(_ text: String, now: Timestamp) throws(AddressFailure) {
        if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int64(text.dropLast()),
            (0...1_000_000).contains(count)
        {
            timestamp = now - .seconds(count * unit)
        } else if let date = try? Date(text, strategy: .iso8601) {
            timestamp = Timestamp(seconds: Int64(date.timeIntervalSince1970))
        } else if let date = try? Date("\(text)T00:00:00Z", strategy: .iso8601) {
            timestamp = Timestamp(seconds: Int64(date.timeIntervalSince1970))
        } else {
            throw AddressFailure(text, expected: "90s, 10m, 2h, 3d, 2026-01-31 or 2026-01-31T12:00:00Z")
        }
    }
}
