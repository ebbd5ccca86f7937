import ArgumentParser
import Glibc
import PinholeClient
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore
import PinholeTrust

/// `pinhole replay`.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send recorded requests again, and compare responses.",
        discussion: """
            The companion client sends them (as “fetch” does), each over a connection of its own, with the recorded headers
            and bodies; no redirect is followed. The exit code is 0 when every request was answered, 1 when one was not
            (with --expect-same also when a status differs, with --test when anything does), 2 for wrong usage, 3 when it could not begin.

            EXAMPLES
              pinhole replay 12 15
                  two exchanges, as “pinhole flows list” numbers them
              pinhole replay --filter '~d api.example.com & ~m GET' --expect-same
                  a check after a deployment: does every status stay as it was?
              pinhole replay --filter all --to localhost:3000 --test --noise monday.sqlite tuesday.sqlite
                  a test: fails on any difference but those between two recordings of the same
              pinhole replay 12 --times 1000 --concurrency 20
              pinhole replay --filter '~u /v1/' --url-replace '|/v1/|/v2/|' --to http://127.0.0.1:3000
                  another version of the API, on another server
              pinhole replay 12 --set-header 'Authorization: Bearer abc' --set-query page=2 --body-file new.json
              pinhole replay --filter all --proxy http://127.0.0.1:8080 --cacert "$(pinhole ca path)"
                  through pinhole proxy, where the responses are captured

            docs/EXCHANGE.md#requests-once-more explains what is sent and compared.
            """
    )

    @OptionGroup var source: CaptureSource

    @Option(
        help: .value(
            "filter",
            "The requests that a filter matches, oldest first; “all” matches every request."
        )
    )
    var filter: String?

    @Option(help: "The number of rounds; each round sends every request.")
    var times = 1

    @Option(help: "The most requests at one time (1; with --keep-timing 100).")
    var concurrency: Int?

    @Flag(help: "Keep the recorded intervals between the requests.")
    var keepTiming = false

    @Flag(help: "Send also requests whose bodies were captured in part.")
    var incomplete = false

    @Flag(help: "The exit code is 1 when a status differs from the recorded one.")
    var expectSame = false

    @Flag(help: "The exit code is 1 when any part of a response differs from the recorded one.")
    var test = false

    @Flag(help: "Print one JSON object for each request, and one for all.")
    var json = false

    @OptionGroup var noise: NoiseOption

    @OptionGroup(title: "Edits") var edits: ReplayEditOptions
    @OptionGroup(title: "Trust") var trust: FetchTrustOptions
    @OptionGroup(title: "Connection") var way: FetchRouteOptions

    @Argument(
        help: .value("id", "Numbers of exchanges, or last."),
        transform: { WithheldValue($0, ChosenEntry.init(only:)) }
    )
    var ids: [WithheldValue<ChosenEntry>] = []

    func validate() throws {
        guard (1...1_000_000).contains(times) else {
            throw ValidationError("--times: expected 1 to 1000000, found \(times)")
        }
        if let concurrency, !(1...1000).contains(concurrency) {
            throw ValidationError("--concurrency: expected 1 to 1000, found \(concurrency)")
        }
        guard ids.isEmpty != (filter == nil) else {
            throw ValidationError(
                "expected numbers of exchanges or --filter FILTER (“all” for everything), found "
                    + (filter == nil ? "neither" : "both")
            )
        }
        _ = try FlagValue.filter(words, nil)
    }

    private var words: [String] { filter.map { $0 == "all" ? [] : [$0] } ?? [] }

    func run() async throws {
        let ids = try ids.map { try $0.required() }
        let edit = try edits.edit()
        let clients = try clients()
        let reader = try source.open()
        let items = try items(reader, ids)
        let comparison = try noise.comparison()
        guard !items.isEmpty else {
            throw CommandFailure(.negative, "nothing was found", remedy: "pinhole flows list")
        }
        let replay = ReplayRun(
            reader: reader,
            comparison: comparison,
            edit: edit,
            clients: clients,
            allowsIncomplete: incomplete,
            concurrency: concurrency ?? (keepTiming ? 100 : 1),
            keepsTiming: keepTiming
        )
        if let wait = replay.leastTime(items, times: times), wait >= .seconds(5) {
            StandardError.write(
                "the recorded distances are kept (--keep-timing): this takes \(wait.secondsText) or more"
            )
        }
        let text = ReplayText(
            style: .forDescriptor(STDOUT_FILENO),
            width: Terminal.width(STDOUT_FILENO)
        )
        var summary = ReplaySummary()
        let began = ContinuousClock.now
        let progress = ProgressLine(after: .seconds(1))
        let total = items.count * times
        progress.tell(0, of: Int64(total), "0 of \(Plain.count(total, "request"))")
        await replay.send(items, times: times) { result in
            summary.add(result)
            let line = json ? JSONLine.text(ReplayJSON.object(result)) : text.line(result)
            progress.aside { StandardOutput.write(line) }
            progress.advance(of: total, "\(summary.count) of \(Plain.count(total, "request"))")
        }
        progress.end()
        let took = ContinuousClock.now - began
        if json {
            StandardOutput.write(JSONLine.text(ReplayJSON.object(summary, took: took)))
        } else {
            for line in text.lines(summary, took: took) { StandardOutput.show(line) }
        }
        let isWrong = expectSame && summary.different > 0 || test && summary.changed > 0
        if summary.failed + summary.refused > 0 || isWrong {
            throw ExitCode(ExitStatus.negative.rawValue)
        }
    }

    /// Returns a client for each version of HTTP that was recorded.
    private func clients() throws -> (http1: PinholeClient, http2: PinholeClient) {
        var (settings, delegate) = try trust.settings()
        // A repeated request is for one's own server, whose certificate need not please a phone.
        settings.verifier = settings.verifier ?? .openssl
        try way.apply(to: &settings)
        settings.followsRedirects = false
        let http1 = try PinholeClient(settings, delegate: delegate)
        settings.protocols = [.http2, .http11]
        return (http1, try PinholeClient(settings, delegate: delegate))
    }

    private func items(_ reader: CaptureReader, _ ids: [ChosenEntry]) throws -> [ReplayRun.Item] {
        guard ids.isEmpty else {
            return try ids.map { id in
                let record = try id.exchange(in: reader, source)
                return ReplayRun.Item(id: record.id, started: record.timings.started)
            }
        }
        var wanted = ExchangeFilter(try FlagValue.filterInUse(words, try source.configuration.load().filters))
        wanted.onlyEnded = true
        var items: [ReplayRun.Item] = []
        try reader.eachExchange(wanted) { exchange in
            items.append(ReplayRun.Item(id: exchange.id, started: exchange.timings.started))
            return true
        }
        return items
    }
}
