import ArgumentParser
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
