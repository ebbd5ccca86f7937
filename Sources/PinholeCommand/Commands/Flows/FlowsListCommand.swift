import ArgumentParser
import Glibc
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore

/// `pinhole flows list`.
struct FlowsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List exchanges, failed handshakes and relayed tunnels.",
        discussion: """
            EXAMPLES
              pinhole flows list --limit 20
              pinhole flows list --host api.example.com --method POST --status 5xx
              pinhole flows list --failed --since 1h
              pinhole flows list 'duration > 1s | size > 1MB'
              pinhole flows list '~d example.com ~b "pass(word|phrase)"'
                  a filter, mitmproxy's or a comparison: pinhole flows filter
              pinhole flows list --sort duration --reverse --limit 10
                  the ten slowest; --sort takes the fields of filters: status, time, size, host, url …
              pinhole flows list --follow
                  each new exchange at its end, a stream also at its start; another process may be recording
            """
    )

    @OptionGroup var source: CaptureSource
    @OptionGroup var filter: FilterOptions

    @Option(help: "The most items to list: the newest, or with --sort the first.")
    var limit = 100

    @Option(
        help: .value(
            "field",
            "The order: \(TrafficSort.Key.allCases.map(\.rawValue).joined(separator: ", "))."
        ),
        transform: { try FlagValue.choice($0, "a field to sort by") }
    )
    var sort: TrafficSort.Key?

    @Flag(help: "With --sort: the greatest first.")
    var reverse = false

    @Flag(help: "Show spare connections as well, which clients opened and did not need.")
    var spare = false

    @Flag(help: "List the files that --rotate has filled as well, each below its name.")
    var rotated = false

    @Flag(help: "Wait for new exchanges, and print them.")
    var follow = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(limit) else {
            throw ValidationError("--limit: expected 1 to 1000000, found \(limit)")
        }
        guard sort == nil || !follow else {
            throw ValidationError(
                "--follow: expected no --sort beside it, since new exchanges are printed in the order of their end"
            )
        }
        guard !rotated || sort == nil && !follow else {
            throw ValidationError("--rotated: expected neither --sort nor --follow beside it")
        }
        guard sort != nil || !reverse else {
            throw ValidationError(
                "--reverse: expected --sort beside it; --sort id --reverse has the newest first"
            )
        }
    }

    func run() async throws {
        let condition = try filter.condition(source)
        if rotated { return try listFiles(condition) }
        var listing = CaptureListing(reader: try source.open(), condition: condition)
        listing.showsSpares = spare || condition.root.asksForSpares
        guard follow else {
            let sort = sort.map { TrafficSort($0, isDescending: reverse) }
            let progress = ProgressLine.waiting("searching the capture")
            defer { progress.end() }
            listing.progress = { progress.tell($0, of: $1, "searching the capture") }
            let events = try sort.map { try listing.first(limit, sortedBy: $0) } ?? listing.newest(limit)
            progress.end()
            print(events)
            let hidden = json ? 0 : try listing.hiddenSpares()
            if hidden > 0 { StandardError.write("pinhole: \(Self.text(ofHidden: hidden))") }
            if events.isEmpty { throw CommandFailure.nothingFound(by: condition, in: listing.reader) }
            return
        }
        var followed = try FollowedListing(listing)
        print(try followed.present(limit))
        try await follow(&followed)
    }

    /// Lists the newest entries of the capture and of the files that were filled before it, each below its name.
    private func listFiles(_ condition: Filter) throws {
        let path = try source.path()
        var found: [(path: String, events: [TrafficEvent])] = []
        var rest = limit
        for file in (CaptureRotation.parts(of: path) + [path]).reversed() where rest > 0 {
            var listing = CaptureListing(reader: try CaptureReader(path: file), condition: condition)
            listing.showsSpares = spare || condition.root.asksForSpares
            let events = try listing.newest(rest)
            if !events.isEmpty { found.append((file, events)) }
            rest -= events.count
        }
        guard !found.isEmpty else { throw CommandFailure.nothingFound(by: condition, in: try source.open()) }
        for (file, events) in found.reversed() {
            if !json { StandardOutput.show(Plain.printable(file)) }
            print(events, of: json ? file : nil)
        }
    }

    /// Returns the line with the number of spare connections that the list hides.
    private static func text(ofHidden count: Int) -> String {
        count == 1
            ? "1 spare connection is hidden, which its client did not need (--spare shows it)"
            : "\(count) spare connections are hidden, which their clients did not need (--spare shows them)"
    }

    private func follow(_ followed: inout FollowedListing) async throws {
        while true {
            try await Task.sleep(for: Self.interval)
            let (events, isBehind) = try followed.next()
            guard print(events) else { return }
            if isBehind {
                StandardError.write(
                    "pinhole: entries are left out here, since more was recorded than a list can follow"
                        + " (`pinhole flows list` has them)"
                )
            }
        }
    }

    /// The interval at which a capture is asked for changes, which another process records.
    private static let interval = Duration.milliseconds(100)

    /// Prints the lines; returns false once the reader has closed the pipe.
    ///
    /// - Parameters:
    ///   - events: The entries.
    ///   - file: The file that each object of JSON names; `nil` if none does.
    /// - Returns: Whether they were written.
    @discardableResult
    private func print(_ events: [TrafficEvent], of file: String? = nil) -> Bool {
        guard !events.isEmpty else { return true }
        let table = FlowTable(
            style: .forDescriptor(STDOUT_FILENO),
            width: Terminal.width(STDOUT_FILENO),
            now: LoopClock().now()
        )
        let member = file.map { file in
            var name = JSONText()
            name.string(file)
            return "\"capture\":\(String(decoding: name.bytes, as: UTF8.self)),"
        }
        let lines =
            json ? events.map { "{\(member ?? "")\(TrafficJSON.text($0).dropFirst())" } : table.lines(events)
        return FileDescriptorOutput.write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
    }
}
