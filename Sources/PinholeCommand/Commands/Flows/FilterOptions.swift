import ArgumentParser
import PinholeFilter
import PinholeModel
import PinholeRuntime
import PinholeSession

/// The options that select exchanges and flows.
struct FilterOptions: ParsableArguments {
    @Option(
        help: .value("glob", "A host, or a glob such as '*.example.com', with or without a port."),
        transform: { try FlagValue.parse(InternationalName.ascii($0), HostPattern.init) }
    )
    var host: HostPattern?

    @Option(help: "The method.")
    var method: String?

    @Option(
        help: .value("status", "404, 4xx or 400-499."),
        transform: { try FlagValue.parse($0, StatusRange.init).range }
    )
    var status: ClosedRange<Int64>?

    @Option(help: .value("text", "A text that the URL contains."))
    var url: String?

    @Option(
        help: .value("when", "Not before: 90s, 10m, 2h, 3d ago, or 2026-01-31T12:00:00Z."),
        transform: FlagValue.moment
    )
    var since: Timestamp?

    @Flag(help: "Only failed exchanges and connections.")
    var failed = false

    @Argument(
        help: .value(
            "filter",
            "A filter, such as 'status >= 400 & ~d example.com'; “pinhole flows filter” explains it."
        )
    )
    var expression: [String] = []

    /// Whether nothing was given, so that everything is selected.
    var isEmpty: Bool {
        let given = [host != nil, method != nil, status != nil, url != nil, since != nil, failed]
        return expression.isEmpty && !given.contains(true)
    }

    func validate() throws { _ = try FlagValue.filter(expression, nil) }

    /// Combines all options into one filter.
    ///
    /// - Parameter source: The source of the configuration with the saved filters.
    /// - Returns: The filter; without options, it matches everything.
    /// - Throws: ``CommandFailure`` for the configuration, or `ValidationError` that shows the place in the filter.
    func condition(_ source: CaptureSource) throws -> Filter {
        var nodes = [try FlagValue.filterInUse(expression, try source.configuration.load().filters).root]
        if let host { nodes.append(.host(host)) }
        if let method { nodes.append(.text(.method, .equal(method))) }
        if let status {
            nodes.append(.number(.status, .atLeast, status.lowerBound))
            nodes.append(.number(.status, .atMost, status.upperBound))
        }
        if let url { nodes.append(.text(.url, .contains(url))) }
        if let since { nodes.append(.number(.time, .atLeast, since.microseconds)) }
        if failed { nodes.append(.flag(.failed)) }
        return Filter(.all(of: nodes))
    }
}
