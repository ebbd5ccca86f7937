import ArgumentParser
import Glibc
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

/// `pinhole flows show`.
struct FlowsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one exchange or one flow: messages, timings, both handshakes, both chains.",
        discussion: """
            EXAMPLES
              pinhole flows show 12
                  an exchange, or a failed or relayed tunnel, by its number in the list
              pinhole flows show 'status >= 500'
                  the newest exchange that the filter matches; “last” is the newest of all
              pinhole flows show 12 --body | jq .
                  the body of the response alone, without content codings; --part request is the other one
              pinhole flows show 12 --json | jq -r .response.head
              pinhole flows show 12 --messages 1000
                  more of the messages of a WebSocket, an event stream, JSON lines or gRPC
              pinhole flows show 12 --proto api.proto
                  messages of gRPC by the names of a .proto file and its imports
              pinhole flows show 12 --json | jq -c '.stream.messages[].event'
            """
    )

    @OptionGroup var source: CaptureSource

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Print a body alone, without content codings; laid out only on a terminal.")
    var body = false

    @Option(help: "request or response, for --body (response).")
    var part: FlowsExportCommand.Part?

    @Option(help: "The number of first messages of a WebSocket or a stream to show (50; with --json all).")
    var messages: Int?

    @OptionGroup var protos: ProtoOptions

    @Argument(
        help: .value(
            "id or filter",
            "The number, as “pinhole flows list” shows it; last; or a filter: the newest exchange that it matches."
        )
    )
    var wanted: [String]

    /// The number of messages that are shown without `--messages`.
    private static let shownMessages = 50

    func validate() throws {
        guard part == nil || body else { throw ValidationError("--part: expected --body beside it") }
        guard part != .both else { throw ValidationError("--part: expected request or response, found both") }
        guard !body || !json else { throw ValidationError("--body and --json exclude each other") }
        _ = try ChosenEntry(wanted)
        guard (messages ?? 0) >= 0 else {
            throw ValidationError("--messages: expected 0 or more, found \(messages ?? 0)")
        }
    }

    func run() async throws {
        let schema = try await protos.schema()
        let reader = try source.open()
        let id = try ChosenEntry(wanted).id(in: reader, source)
        let exchange = try reader.exchange(ExchangeID(rawValue: id))
        let flow = try reader.flow(exchange?.flow ?? FlowID(rawValue: id))
        let style = Style.forDescriptor(STDOUT_FILENO)
        let width = Terminal.layoutWidth(STDOUT_FILENO)
        if body { return try printBody(of: exchange, id, reader, width == nil ? nil : style) }
        if let exchange {
            let request = try reader.body(of: exchange, .request)
            let response = try reader.body(of: exchange, .response)
            let entries = try self.entries(of: exchange, reader)
            let stream = try StreamTranscript(
                exchange,
                reader,
                schema: schema,
                limit: messages ?? (json ? .max : Self.shownMessages)
            )
            if json {
                let detail = ExchangeDetailJSON(
                    exchange,
                    request: request,
                    response: response,
                    messages: entries,
                    stream: stream,
                    flow: flow
                )
                return StandardOutput.write(JSONLine.text(detail))
            }
            let text = ExchangeText(
                record: exchange,
                request: request,
                response: response,
                setUpBefore: exchange.timings.setUpBefore(flow),
                stream: stream,
                style: style,
                width: width
            )
            for line in text.lines { StandardOutput.write(line) }
            if let stream {
                for line in StreamText(transcript: stream, style: style).lines {
                    StandardOutput.write(line)
                }
            }
            if exchange.notes.contains(.webSocket) {
                let text = WebSocketText(record: exchange, entries: entries, style: style)
                for line in text.lines { StandardOutput.write(line) }
            }
        }
        guard let flow else { return try checkFound(exchange, id) }
        if json { return StandardOutput.write(JSONLine.text(FlowDetailJSON(flow))) }
        if exchange != nil { StandardOutput.write("") }
        for line in FlowText(record: flow, style: style, width: width).lines {
            StandardOutput.write(line)
        }
    }

    /// Prints a body alone: bytes without content codings, or their layout in a style.
    private func printBody(
        of exchange: ExchangeRecord?,
        _ id: Int64,
        _ reader: CaptureReader,
        _ style: Style?
    ) throws {
        guard let exchange else { throw CommandFailure.noExchange("\(id)") }
        let isRequest = part == .request
        let message = isRequest ? exchange.request : exchange.response
        guard let message, message.body.capturedLength > 0 else {
            let other = isRequest ? exchange.response : exchange.request
            throw CommandFailure(
                .negative,
                "nothing is recorded of a body in the \(isRequest ? "request" : "response") of exchange \(id)",
                remedy: other.map { $0.body.capturedLength > 0 } == true
                    ? "--part \(isRequest ? "response" : "request")" : nil
            )
        }
        let decoded = DecodedBody(message, try reader.body(of: exchange, isRequest ? .request : .response))
        if let style {
            let type = message.fields.first("content-type") ?? ""
            let isWhole = !message.body.isTruncated && decoded.failure == nil
            for line in BodyLayout.lines(decoded.bytes, type: type, isWhole: isWhole) {
                StandardOutput.write(line.painted(style))
            }
        } else {
            StandardOutput.write(bytes: decoded.bytes)
        }
        if let failure = decoded.failure {
            StandardError.write("pinhole: \(decoded.bytes.count) bytes were decoded: \(failure)")
        }
        if message.body.isTruncated {
            let counts = (message.body.capturedLength, message.body.length)
            StandardError.write("pinhole: \(Plain.size(counts.0)) of \(Plain.size(counts.1)) were recorded")
        }
    }

    private func entries(
        of exchange: ExchangeRecord,
        _ reader: CaptureReader
    ) throws(CaptureFailure) -> [WebSocketTranscript.Entry] {
        guard exchange.notes.contains(.webSocket) else { return [] }
        let limit = messages ?? (json ? .max : Self.shownMessages)
        let transcript = WebSocketTranscript(of: exchange, in: reader)
        var entries: [WebSocketTranscript.Entry] = []
        while entries.count < limit, let entry = try transcript.next() { entries.append(entry) }
        return entries
    }

    private func checkFound(_ exchange: ExchangeRecord?, _ id: Int64) throws(CommandFailure) {
        guard exchange == nil else { return }
        throw CommandFailure(.negative, "nothing has the number \(id)", remedy: "pinhole flows list")
    }
}
