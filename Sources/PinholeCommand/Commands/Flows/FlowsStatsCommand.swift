import ArgumentParser
import Glibc
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

/// `pinhole flows stats`.
struct FlowsStatsCommand: ParsableCommand {
    /// The order of the groups.
    enum Order: String, CaseIterable, ExpressibleByArgument {
        case count
        case bytes
        case time
        case name
    }

    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count exchanges, bytes and times by host, status, method, type, process or user.",
        discussion: """
            EXAMPLES
              pinhole flows stats
                  by host, the hosts with most exchanges first
              pinhole flows stats --by process --sort bytes
              pinhole flows stats --by type --since 1h 'host ~ *.example.com'
              pinhole flows stats --by host --json | jq -r 'select(.p90 > 1000) | .name'
            """
    )

    @OptionGroup var source: CaptureSource
    @OptionGroup var filter: FilterOptions

    @Option(help: .value("fact", "The fact by which exchanges are grouped."))
    var by = ExchangeGroups.Key.host

    @Option(
        help: .value(
            "order",
            "The order, largest first: by count, bytes, time (the 90th percentile) or name."
        )
    )
    var sort = Order.count

    @Option(help: .value("n", "The largest number of groups."))
    var limit = 50

    @Flag(help: "Print a JSON object for each group, and one for all.")
    var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit: expected 1 or more, found \(limit)") }
    }

    func run() throws {
        let condition = try filter.condition(source)
        let reader = try source.open()
        let found = try groups(condition, reader)
        guard found.all.count > 0 else { throw CommandFailure.nothingFound(by: condition, in: reader) }
        let groups = found.groups.sorted(by: isBefore)
        if json {
            for group in groups.prefix(limit) {
                StandardOutput.write(JSONLine.text(ExchangeGroupJSON(group, by: by)))
            }
            return StandardOutput.write(JSONLine.text(ExchangeGroupJSON(found.all, by: nil)))
        }
        let shown = Array(groups.prefix(limit))
        for line in lines(shown, found.all) { StandardOutput.show(line) }
        if groups.count > shown.count {
            StandardError.write(
                "pinhole: \(groups.count - shown.count) more (--limit \(groups.count) shows all)"
            )
        }
    }

    private func groups(
        _ condition: Filter,
        _ reader: CaptureReader
    ) throws(CaptureFailure) -> ExchangeGroups {
        let progress = try CaptureProgress("reading", of: reader)
        defer { progress.end() }
        return try ExchangeGroups(by: by, condition, reader, progress: progress.tell)
    }

    private func isBefore(_ left: ExchangeGroups.Group, _ right: ExchangeGroups.Group) -> Bool {
        switch sort {
        case .count where left.count != right.count: left.count > right.count
        case .bytes where left.bytes != right.bytes: left.bytes > right.bytes
        case .time where left.slow != right.slow: left.slow > right.slow
        case .count, .bytes, .time, .name: left.name < right.name
        }
    }

    private func lines(_ groups: [ExchangeGroups.Group], _ all: ExchangeGroups.Group) -> [String] {
        // Only WebSockets have messages.
        let messages = all.messages > 0 ? ["messages"] : []
        let heads = ["count", "failed", "sent", "received"] + messages + ["p50", "p90", "most"]
        let rows = (groups + [all]).map { cells($0, withMessages: all.messages > 0) }
        let widths = heads.indices.map { index in
            ([heads[index]] + rows.map { $0[index + 1] }).map(TextLayout.columns).max() ?? 0
        }
        let used = widths.reduce(0) { $0 + $1 + 2 }
        let room = max(12, (Terminal.width(STDOUT_FILENO) ?? 120) - used)
        let names = rows.map { TextLayout.middle(Plain.printable($0[0]), room) }
        let width = max(by.rawValue.count, names.map(TextLayout.columns).max() ?? 0)
        let style = Style.forDescriptor(STDOUT_FILENO)
        let line = { (name: String, values: [String]) in
            name.padded(to: width) + zip(values, widths).map { "  " + $0.leftPadded(to: $1) }.joined()
        }
        return [style.paint(line(by.rawValue, heads), .faint)]
            + zip(names, rows).map { line($0, Array($1.dropFirst())) }
    }

    private func cells(_ group: ExchangeGroups.Group, withMessages: Bool) -> [String] {
        let times = group.times.map { [$0.p50, $0.p90, $0.most].map(Plain.duration) } ?? ["-", "-", "-"]
        return [
            group.name, "\(group.count)", "\(group.failed)", Plain.size(group.sent),
            Plain.size(group.received),
        ] + (withMessages ? [Plain.size(group.messages)] : []) + times
    }
}

extension ExchangeGroups.Key: ExpressibleByArgument {}

extension ExchangeGroups.Group {
    fileprivate var bytes: Int64 { sent.addingClamped(received).addingClamped(messages) }
    fileprivate var slow: Duration { times?.p90 ?? .zero }
}
