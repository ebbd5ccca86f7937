import ArgumentParser
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeStore

/// `pinhole flows redact`.
struct FlowsRedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Copy a capture without its secrets, to hand it on.",
        discussion: """
            Credentials, cookies, tokens, e-mail addresses, numbers of cards and telephones are replaced by tags, equal values
            by equal tags: in heads, URLs, bodies, trailers and messages of WebSockets. Then the whole copy is searched for
            every replaced value, in plain, percent, Base64, hexadecimal, HTML and JSON spelling, also in compressed bodies. If
            one is left, nothing is written and the exit code is 1.

            EXAMPLES
              pinhole flows redact pinhole.sqlite clean.sqlite
              pinhole flows redact pinhole.sqlite clean.sqlite --name X-Customer --values names.txt
                  also the values of a field, and those in a file, one in each line
              pinhole flows redact pinhole.sqlite clean.sqlite --filter 'host ~ api.*' --keep email
              pinhole flows export --har clean.har --redact
                  the same, as a HAR

            docs/EXCHANGE.md#without-secrets explains what is found.
            """
    )

    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var secrets: RedactionOptions

    @Option(help: ArgumentHelp("Copy only what this filter matches.", valueName: "filter"))
    var filter: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("The capture.", valueName: "in"))
    var source: String

    @Argument(help: ArgumentHelp("The copy, which must not exist.", valueName: "out"))
    var target: String

    func validate() throws { _ = try FlagValue.filter(filter.map { [$0] } ?? [], nil) }

    func run() throws {
        let saved = try configuration.load().filters
        let condition = try FlagValue.filterInUse(filter.map { [$0] } ?? [], saved)
        var redaction = CaptureRedaction(try secrets.redactor(), filter: TrafficFilter(condition))
        let summary: CaptureRedaction.Summary
        do throws(CaptureRedaction.Failure) {
            summary = try redaction.write(source, to: target, now: LoopClock().now())
        } catch {
            throw CommandFailure(error)
        }
        guard summary.entries > 0 else {
            throw CommandFailure.nothingFound(by: condition, in: try CaptureSource.open(source))
        }
        if json { return StandardOutput.write(JSONLine.text(RedactionJSON(summary))) }
        StandardOutput.show("\(Counted.entries(summary.entries)) in \(target)")
        let counts = Secret.Kind.allCases.compactMap { kind in
            summary.secrets[kind].map { "\($0) of the kind \(kind.rawValue)" }
        }
        StandardOutput.show(
            counts.isEmpty ? "no secret was found" : "replaced: " + counts.joined(separator: ", ")
        )
        if summary.common > 0 {
            StandardOutput.show(
                "\(summary.common) of them too short or common to be searched for: replaced only where they were found"
            )
        }
        if summary.bodiesLeftOut > 0 {
            StandardOutput.show("left out: \(summary.bodiesLeftOut) bodies that could not be decoded")
        }
    }
}

extension CommandFailure {
    /// Creates the failure of a redaction.
    init(_ failure: CaptureRedaction.Failure) {
        switch failure {
        case .capture(let failure): self.init(failure)
        case .left: self.init(.negative, failure.description)
        }
    }
}

/// The result of a redaction as JSON; docs/EXCHANGE.md describes the keys.
private struct RedactionJSON: Encodable {
    let type = "redaction"
    let entries: Int
    let secrets: [String: Int]
    let common: Int
    let bodiesLeftOut: Int

    private enum CodingKeys: CodingKey { case type, entries, secrets, common, bodiesLeftOut }

    init(_ summary: CaptureRedaction.Summary) {
        entries = summary.entries
        secrets = Dictionary(uniqueKeysWithValues: summary.secrets.map { ($0.key.rawValue, $0.value) })
        common = summary.common
        bodiesLeftOut = summary.bodiesLeftOut
    }
}
