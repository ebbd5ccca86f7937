import ArgumentParser
import Glibc
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

/// `pinhole flows diff`.
struct FlowsDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two captures or two exchanges: what changed from one run to the other.",
        discussion: """
            Exchanges are paired by method, path and order. Server, path, query, headers, cookies, the values of JSON and of
            forms, lines of text, trailers and messages of WebSockets are compared. Date, Age, and the headers of the
            connection and the framing are not. The exit code is 0 if nothing differs, 1 if something does.

            EXAMPLES
              pinhole flows diff 12 15
                  two exchanges of the capture
              pinhole flows diff before.sqlite after.sqlite --filter 'host ~ api.*'
                  two runs of a program
              pinhole flows diff before.sqlite after.sqlite --noise before.sqlite again.sqlite
                  without what differed between two runs of the same: dates, identifiers, tokens
              pinhole flows diff before.sqlite after.sqlite --json | jq -r '.differences[]?.name'
            """
    )

    @OptionGroup var source: CaptureSource
    @OptionGroup var noise: NoiseOption

    @Option(help: .value("filter", "Compare only exchanges that this filter matches."))
    var filter: String?

    @Flag(help: "Print a JSON object for each pair, and one for all.")
    var json = false

    @Argument(help: .value("before", "A capture, or an exchange: its number, or last."))
    var before: String

    @Argument(help: .value("after", "Another capture, or another exchange."))
    var after: String

    func validate() throws {
        _ = try FlagValue.filter(filter.map { [$0] } ?? [], nil)
        guard ChosenEntry.isOnly(before) == ChosenEntry.isOnly(after) else {
            throw ValidationError(
                "expected two captures or two numbers of exchanges, found \(before) and \(after)"
            )
        }
    }

    func run() throws {
        let saved = try source.configuration.load().filters
        let condition = ExchangeFilter(try FlagValue.filterInUse(filter.map { [$0] } ?? [], saved))
        let comparison = try noise.comparison(condition)
        var output = DifferenceOutput(
            names: [before, after],
            isJSON: json,
            style: .forDescriptor(STDOUT_FILENO),
            width: Terminal.width(STDOUT_FILENO)
        )
        if ChosenEntry.isOnly(before) {
            let reader = try source.open()
            let recordings = try [before, after].map { word in
                try Self.exchange(try ChosenEntry(only: word).exchange(in: reader, source).id, reader)
            }
            try comparison.compareFirst(recordings[0], recordings[1]) { output.tell($0) }
        } else {
            let recordings = try [before, after].map { file in
                try CaptureComparison.Recording(CaptureSource.open(file), condition)
            }
            let total = recordings.map(\.items.count).max() ?? 0
            let progress = ProgressLine()
            defer { progress.end() }
            try comparison.compare(recordings[0], recordings[1], nearest: Self.mostNearest) { result in
                if result.isSame { output.tell(result) } else { progress.aside { output.tell(result) } }
                progress.advance(of: total, "comparing: \(Plain.count(total, "exchange"))")
            }
        }
        output.finish()
        if output.summary.isDifferent { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    /// The number of exchanges without a partner for which the nearest one is looked for.
    private static let mostNearest = 1000

    private static func exchange(
        _ id: ExchangeID,
        _ reader: CaptureReader
    ) throws -> CaptureComparison.Recording {
        var filter = ExchangeFilter()
        filter.among = [id]
        let recording = try CaptureComparison.Recording(reader, filter)
        guard !recording.items.isEmpty else {
            throw CommandFailure(
                .negative,
                "no exchange that is over has the number \(id.rawValue)",
                remedy: "pinhole flows list"
            )
        }
        return recording
    }
}
