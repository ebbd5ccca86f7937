import ArgumentParser
import PinholeFilter
import PinholeFormats
import PinholeRuntime
import PinholeSession
import PinholeStore

/// `pinhole flows redact`.
struct FlowsRedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Copy a capture with tokens in place of its values, to hand it on.",
        discussion: """
            The copy has names, methods, statuses, media types, lengths, times, registered values of registered headers and
            words of paths. Every other value becomes a token, and equal values get equal tokens. A body whose structure is
            not read is left out. Then the copy is read again, byte by byte: if anything is neither on a list of safe words
            nor a token, nothing is written and the exit code is 1.

            EXAMPLES
              pinhole flows redact pinhole.sqlite clean.sqlite
              pinhole flows redact pinhole.sqlite clean.sqlite --keep-path '/zoo/*/visits' --keep-name zookeeper
                  these segments of paths and this name stay, too
              pinhole flows redact pinhole.sqlite clean.sqlite --filter 'host ~ api.*' --hide-hosts
                  the names of hosts become tokens, and certificates are left out
              pinhole flows redact pinhole.sqlite clean.sqlite --known-only
                  everything stays but secrets that are recognised; this proves nothing
              pinhole flows export --har clean.har --redact
                  the same, as a HAR

            docs/EXCHANGE.md#without-secrets explains what stays.
            """
    )

    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var structure: StructureOptions
    @OptionGroup var known: KnownSecretOptions

    @Option(help: .value("filter", "Copy only what this filter matches."))
    var filter: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(help: .value("in", "The capture."))
    var source: String

    @Argument(help: .value("out", "The copy, which must not exist."))
    var target: String

    func validate() throws {
        if known.knownOnly, structure.isUsed {
            throw ValidationError(
                "--known-only: expected no --keep-name, --keep-path or --hide-hosts beside it"
            )
        }
        _ = try FlagValue.filter(filter.map { [$0] } ?? [], nil)
    }

    func run() throws {
        let saved = try configuration.load().filters
        let condition = try FlagValue.filterInUse(filter.map { [$0] } ?? [], saved)
        let redaction =
            known.knownOnly ? .known(try known.redactor()) : Redaction.structure(structure.options)
        let summary = try redaction.write(
            source,
            TrafficFilter(condition),
            to: target,
            now: LoopClock().now()
        )
        guard summary.entries > 0 else {
            throw CommandFailure.nothingFound(by: condition, in: try CaptureSource.open(source))
        }
        known.knownOnly ? showKnown(summary) : showStructure(summary)
    }

    private func showKnown(_ summary: Redaction.Summary) {
        if json {
            let secrets = summary.secrets.map { ($0.key.rawValue, $0.value) }
            return Self.write([
                "type": "redaction", "entries": summary.entries,
                "secrets": Dictionary(uniqueKeysWithValues: secrets), "common": summary.common,
                "bodiesLeftOut": summary.bodiesLeftOut,
            ])
        }
        StandardOutput.show("\(Plain.count(summary.entries, "entry", "entries")) in \(target)")
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

extension FlowsRedactCommand {
    /// Writes the result; docs/EXCHANGE.md describes the keys.
    private static func write(_ result: JSONObject) { StandardOutput.write(JSONLine.text(result)) }

    private func showStructure(_ summary: Redaction.Summary) {
        if json {
            let options = structure.options
            return Self.write([
                "type": "redaction", "entries": summary.entries, "bodiesLeftOut": summary.bodiesLeftOut,
                "keptNames": options.names, "keptPaths": options.paths, "hidesHosts": options.hidesHosts,
            ])
        }
        StandardOutput.show("\(Plain.count(summary.entries, "entry", "entries")) in \(target)")
        StandardOutput.show("proven: every value in the file is a token or on a list of safe words")
        if summary.bodiesLeftOut > 0 {
            StandardOutput.show("left out: \(summary.bodiesLeftOut) bodies whose structure is not read")
        }
        for widened in structure.widened { StandardOutput.show(widened) }
    }
}
