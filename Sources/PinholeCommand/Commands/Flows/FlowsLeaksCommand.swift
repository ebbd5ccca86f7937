import ArgumentParser
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

/// `pinhole flows leaks`.
struct FlowsLeaksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leaks",
        abstract:
            "Show which secrets several servers have seen: who got them first, who later, in which spelling.",
        discussion: """
            Secrets are what “pinhole flows redact --known-only” would replace. They are found in URLs, headers, bodies and messages,
            as they are, escaped in part or as a whole (URLs, forms, HTML, JSON, quoted-printable), in Base64, in hexadecimal digits
            and in UTF-16. The exit code is 1 if there are any.

            EXAMPLES
              pinhole flows leaks
              pinhole flows leaks --since 1h 'host ~ *.example.com'
              pinhole flows leaks --json | jq -r 'select(.kind == "email").servers[].host'
            """
    )

    @OptionGroup var source: CaptureSource
    @OptionGroup var filter: FilterOptions
    @OptionGroup var secrets: RedactionOptions

    @Flag(help: "Show the values themselves.")
    var showValues = false

    @Flag(help: "Print a JSON object for each secret.")
    var json = false

    func run() throws {
        let condition = try filter.condition(source)
        let leaks = try survey(condition).leaks
        for leak in leaks {
            if json {
                StandardOutput.write(JSONLine.text(LeakJSON(leak, showsValue: showValues)))
            } else {
                for line in lines(leak) { StandardOutput.show(line) }
            }
        }
        guard leaks.isEmpty else { throw ExitCode(ExitStatus.negative.rawValue) }
        if !json { StandardOutput.show("no secret was seen by more than one server") }
    }

    private func survey(_ condition: Filter) throws -> LeakSurvey {
        let reader = try source.open()
        let redactor = try secrets.redactor()
        let progress = try CaptureProgress("searching", of: reader, readings: 2)
        defer { progress.end() }
        return try LeakSurvey(redactor, ExchangeFilter(condition), reader, progress: progress.tell)
    }

    private func lines(_ leak: LeakSurvey.Leak) -> [String] {
        let value = String(decoding: leak.secret.value, as: UTF8.self)
        let shown = showValues ? Plain.printable(value) : "\(Plain.printable(String(value.prefix(3))))…"
        let servers = "\(leak.sightings.count) servers"
        return ["\(leak.secret.kind.rawValue) \(shown)  \(leak.secret.value.count) bytes, \(servers)"]
            + leak.sightings.enumerated().map { index, sighting in
                let word = index == 0 ? "first" : "then "
                let way = sighting.isSentByServer ? "sent it in the" : "got it in the"
                let spelling = sighting.spelling == .plain ? "" : ", spelled in \(sighting.spelling.rawValue)"
                return
                    "  \(word) \(sighting.host) \(way) \(sighting.place) of exchange \(sighting.exchange.rawValue)"
                    + spelling
            }
    }
}
