import ArgumentParser
import PinholeModel
import PinholeRules
import PinholeSession

/// `--replay` and `--offline`: answers without servers.
struct RecordedOptions: ParsableArguments {
    @Option(
        help: .value(
            "capture",
            "Answer requests from this capture if no rule does; servers are not contacted (docs/EXCHANGE.md#recorded-responses)."
        )
    )
    var replay: String?

    @Option(help: .value("what", "The treatment of other requests: refuse or pass."))
    var replayUnknown = CaptureReplay.Unknown.refuse

    @Option(help: .value("part", "Do not compare scheme, host, port, query or query:NAME; may be repeated."))
    var replayIgnore: [String] = []

    @Option(help: .value("name", "Compare this header of requests, too; may be repeated."))
    var replayHeader: [String] = []

    @Option(help: .value("how", "Whether bodies of requests are compared, too: loose or strict."))
    var replayMatch = CaptureReplay.Match.loose

    @Flag(help: "Give each recorded response once; without it the last one is repeated.")
    var replayOnce = false

    @Option(
        help: .value(
            "how",
            "Whether Date, Expires, Last-Modified and the dates of cookies move with the time: move or keep."
        )
    )
    var replayDates = CaptureReplay.Dates.move

    @Flag(help: "Contact no server and resolve no name: a request that no rule answers is refused.")
    var offline = false

    func validate() throws {
        let isPlain =
            replayIgnore.isEmpty && replayHeader.isEmpty && !replayOnce && replayMatch == .loose
            && replayDates == .move
        guard replay != nil || isPlain else {
            throw ValidationError("--replay-…: expected --replay CAPTURE beside it")
        }
        _ = try rule()
    }

    /// Applies the flags, which win over the file; their rule is the last one, so that other rules answer first.
    func apply(to configuration: inout Configuration) throws(CommandFailure) {
        do {
            guard let rule = try rule() else {
                if offline { configuration.upstream.isOffline = true }
                return
            }
            configuration.rules.rules.append(rule)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        if offline || replayUnknown == .refuse { configuration.upstream.isOffline = true }
    }

    /// Returns the flags as a rule; `nil` without `--replay`.
    private func rule() throws -> Rule? {
        guard let replay else { return nil }
        do throws(DocumentFailure) {
            return try Rule(
                .object([
                    "name": .string("--replay"), "do": .string(RuleKind.replay.rawValue),
                    "file": .string(replay), "unknown": .string(replayUnknown.rawValue),
                    "ignore": .array(replayIgnore.map(JSONValue.string)),
                    "headers": .array(replayHeader.map(JSONValue.string)), "once": .boolean(replayOnce),
                    "match": .string(replayMatch.rawValue), "dates": .string(replayDates.rawValue),
                ]),
                number: 1,
                path: ""
            )
        } catch {
            let flag = error.path.hasPrefix(".headers") ? "--replay-header" : "--replay-ignore"
            throw ValidationError("\(flag): expected \(error.expected), found \(error.found)")
        }
    }
}

extension CaptureReplay.Unknown: ExpressibleByArgument {}
extension CaptureReplay.Match: ExpressibleByArgument {}
extension CaptureReplay.Dates: ExpressibleByArgument {}
