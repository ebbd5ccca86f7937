import ArgumentParser
import Glibc
import PinholeFiles
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore
import PinholeTelemetry
import PinholeWire

/// `pinhole flows export`.
struct FlowsExportCommand: AsyncParsableCommand {
    /// The message of an exchange that `--raw` writes.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case request
        case response
        case both
    }

    /// The number of exchanges and flows whose spans go in one request.
    private static let rows = 500

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "Write recorded traffic as HAR, packets, JSON lines, a flow file of mitmproxy, curl commands, CSV or bytes.",
        discussion: """
            EXAMPLES
              pinhole flows export --format mitm --output api.mitm --host api.example.com
                  har, jsonl, mitm, curl, raw, pcapng or csv of the matching exchanges, on standard output without --output
              pinhole flows export --format jsonl --since 1h | jq -r 'select(.status >= 500) | .entry.request.url'
              pinhole flows export --har api.har --host api.example.com
                  HTTP Archive 1.2; “-” is standard output
              pinhole flows export --har errors.har 'status >= 500 & !(path ~ /health*)'
              pinhole flows export --har api.har --proto api.pb
                  messages of streams too, those of gRPC by the names of a descriptor set
              pinhole flows export --pcapng api.pcapng --host api.example.com
                  packets that Wireshark decrypts: connections between client and server, as if there were no proxy
              pinhole flows export --curl 12
                  a command for sh that sends the request again; “--curl last” is that of the newest exchange
              pinhole flows export --curl 'method == POST & status >= 400'
                  that of the newest exchange that the filter matches, so for --code and --raw
              pinhole flows export --code 12 --language httpx
                  a program: fetch, axios, requests, httpx, go, java, swift, csharp; or httpie, wget, powershell
              pinhole flows export --raw 12 --part response > response.http
              pinhole flows export --otlp http://127.0.0.1:4318 --since 1h
                  spans for a collector of OpenTelemetry
            """
    )

    @OptionGroup var source: CaptureSource
    @OptionGroup var filter: FilterOptions

    @Option(help: "Write the matching exchanges as har, jsonl, mitm, curl, raw, pcapng or csv.")
    var format: TrafficExport.Format?

    @Option(help: .value("file", "The file that --format writes; “-” is standard output."))
    var output = "-"

    @Option(help: .value("file", "The same as --format har --output FILE."))
    var har: String?

    @Option(help: .value("file", "The same as --format pcapng --output FILE."))
    var pcapng: String?

    @Option(
        help: .value(
            "id or filter",
            "Print a curl command for an exchange: its number, last, or a filter (its newest match)."
        ),
        transform: { try ChosenEntry([$0]) }
    )
    var curl: ChosenEntry?

    @Option(
        help: .value("id or filter", "Print a program or command that sends the request of an exchange."),
        transform: { word in
            guard RequestCode.Language(argument: word) == nil else {
                throw ValidationError("expected an exchange, such as --code last --language \(word)")
            }
            return try ChosenEntry([word])
        }
    )
    var code: ChosenEntry?

    @Option(help: .value("name", "The language of --code, or its library or tool (curl)."))
    var language: RequestCode.Language?

    @Option(
        help: .value("id or filter", "Write the messages of an exchange."),
        transform: { try ChosenEntry([$0]) }
    )
    var raw: ChosenEntry?

    @Option(help: "request, response or both, for --raw and --format raw.")
    var part = Part.both

    @OptionGroup var protos: ProtoOptions

    @OptionGroup var telemetry: TelemetryOptions

    @Flag(help: "Write tokens in place of values, as “pinhole flows redact” does.")
    var redact = false

    func validate() throws {
        let wanted = [
            format != nil, har != nil, pcapng != nil, curl != nil, code != nil, raw != nil,
            telemetry.otlp != nil,
        ]
        guard language == nil || code != nil else {
            throw ValidationError("--language: expected --code ID beside it")
        }
        guard wanted.count(where: \.self) == 1 else {
            throw ValidationError(
                "expected one of --format FORMAT, --har FILE, --pcapng FILE, --curl ID, --code ID, --raw ID and --otlp URL"
            )
        }
        if let chosen = curl ?? code ?? raw, chosen.number != nil, !filter.isEmpty {
            throw ValidationError("expected either the number of an exchange or a filter, found both")
        }
        guard !redact || curl == nil && code == nil && raw == nil else {
            throw ValidationError("--redact: expected --format, --har or --pcapng beside it")
        }
        guard protos.proto.isEmpty || har != nil || format == .har else {
            throw ValidationError(
                "--proto: expected --har FILE beside it; the other formats write bytes as they came"
            )
        }
    }

    func run() async throws {
        let condition = try filter.condition(source)
        let schema = try await protos.schema()
        let reader = try source.open()
        if let format { try write(reader, condition, format, schema, to: output) }
        if let har { try write(reader, condition, .har, schema, to: har) }
        if let pcapng { try write(reader, condition, .pcapng, schema, to: pcapng) }
        if let chosen = curl ?? code {
            let record = try chosen.exchange(in: reader, source, condition)
            try printCode(record, curl == nil ? language ?? .curl : .curl, reader)
        }
        if let raw { try writeMessages(try raw.exchange(in: reader, source, condition), reader) }
        if telemetry.otlp != nil { try await send(reader, condition) }
    }

    private func write(
        _ reader: CaptureReader,
        _ condition: Filter,
        _ format: TrafficExport.Format,
        _ schema: ProtobufSchema?,
        to path: String
    ) throws(CaptureFailure) {
        let owner: BodyOwner? =
            switch part {
            case .request: .request
            case .response: .response
            case .both: nil
            }
        var export = TrafficExport(format: format, filter: TrafficFilter(condition), part: owner)
        if redact { export.redaction = .structure(StructureRedaction.Options()) }
        let stream = { (record: ExchangeRecord) throws(CaptureFailure) -> String? in
            guard let schema else { return nil }
            let transcript = try StreamTranscript(record, reader, schema: schema, limit: .max)
            return transcript.map { JSONLine.text(StreamJSON($0)) }
        }
        let progress = try CaptureProgress(
            path,
            of: reader,
            isWanted: path != "-" || isatty(STDOUT_FILENO) == 0
        )
        defer { progress.end() }
        let tell = { (count: TrafficExport.Count, id: Int64) in
            progress.tell(count.exchanges + count.flows, id)
        }
        guard path != "-" else {
            try export.write(to: STDOUT_FILENO, from: reader, progress: tell, stream: stream)
            return
        }
        guard !Self.isDatabase(path) else {
            throw .output("\(path) is a capture or another database, which would be lost; name another file")
        }
        // The file contains bodies and cookies, so only its owner may read it.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .output("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let count = try export.write(to: descriptor, from: reader, progress: tell, stream: stream)
        progress.end()
        let flows = count.flows == 0 ? "" : " and \(Plain.count(count.flows, "flow"))"
        StandardError.write("wrote \(Plain.count(count.exchanges, "exchange"))\(flows) to \(path)")
    }

    /// Sends the spans of what the filter selects.
    private func send(_ reader: CaptureReader, _ condition: Filter) async throws {
        guard let collector = try telemetry.settings.collector(patience: .short) else { return }
        let spans = TrafficSpans()
        let resource = telemetry.settings.resource
        let progress = try CaptureProgress(collector.name, of: reader)
        defer { progress.end() }
        var (last, sent): (Int64, Int) = (0, 0)
        while true {
            let rows = try reader.traffic(
                TrafficFilter(condition),
                after: last,
                order: .oldestFirst,
                limit: Self.rows
            )
            guard let end = rows.last?.id else { break }
            let batch = SpanBatch(resource, try spans.spans(of: rows.map(\.id), in: reader).spans)
            if !batch.spans.isEmpty {
                try CollectorSettings.check(await collector.send(collector.encode(batch)), collector)
            }
            (last, sent) = (end, sent + batch.spans.count)
            progress.tell(sent, end)
        }
        progress.end()
        StandardError.write("sent \(sent) spans to \(collector.name)")
    }

    /// Whether `path` is an SQLite database or its journal.
    private static func isDatabase(_ path: String) -> Bool {
        let names =
            [path]
            + ["-wal", "-shm", "-journal"].filter(path.hasSuffix).map { String(path.dropLast($0.count)) }
        return names.contains { name in
            File.kind(of: name) == .regular
                && (try? File.content(of: name, upTo: 16)) == Array("SQLite format 3\0".utf8)
        }
    }

    private func printCode(
        _ record: ExchangeRecord,
        _ language: RequestCode.Language,
        _ reader: CaptureReader
    ) throws {
        let text = RequestCode.text(record, body: try reader.body(of: record, .request), in: language)
        StandardOutput.write(String(text.dropLast()))
    }

    private func writeMessages(_ record: ExchangeRecord, _ reader: CaptureReader) throws {
        let export = RawExport(reader)
        if part != .response { try export.write(record, .request, to: STDOUT_FILENO) }
        if part != .request { try export.write(record, .response, to: STDOUT_FILENO) }
    }
}

extension TrafficExport.Format: ExpressibleByArgument {}
extension RequestCode.Language: ExpressibleByArgument {
    /// Accepts the name of a language, too, for its most common library.
    package init?(argument: String) {
        switch argument.lowercased() {
        case "python": self = .requests
        case "javascript", "js", "node": self = .fetch
        case "c#": self = .csharp
        case let name: self.init(rawValue: name)
        }
    }
}
