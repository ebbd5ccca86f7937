import PinholeClient
import PinholeFormats
import PinholeModel
import PinholeRules
import PinholeStore
import PinholeTestKit
import PinholeWire

@testable import PinholeCommand
@testable import PinholeProxy

/// The actions on traffic, as the parts of the program decide about them that show, change, hold and replay it.
extension CapabilityCapture {
    /// Says what `flows show` shows of the item: its content, or the facts that stand in place of it.
    func see(_ wire: Capability) throws -> String {
        let text = try shown(wire).joined(separator: "\n")
        if text.contains(Self.content) { return "yes" }
        let facts = [("server", Self.host(wire)), ("times", "closed"), ("lengths", "5 B received")]
        return facts.filter { text.contains($0.1) }.map(\.0).joined(separator: ", ")
    }

    /// Says what rules can change: everything, the headers without the body, or the speed.
    func change(_ wire: Capability) throws -> String {
        guard let record = try exchange(wire) else {
            let book = try rules(#"{"do": "throttle", "downKilobits": 1}"#)
            let flow = try reader.flow(FlowID(rawValue: Self.number(wire)))
            return flow.map { book.byteActions(of: $0).isEmpty } ?? true ? "no" : "throttle only"
        }
        let book = try rules(#"{"do": "rewriteRequest", "set": ["X-New: 1"]}, {"do": "dropMessage"}"#)
        let request = ruleRequest(record)
        guard book.plan(request, flow: { nil })?.request.fields.first("x-new") == "1" else { return "no" }
        if wire.isWebSocket {
            let response = RuleResponse(status: record.status ?? 0, fields: HeaderFields())
            return book.messages(of: request, response, flow: { nil }) == nil ? "headers alone" : "yes"
        }
        let obstacles = try self.obstacles(wire, record)
        return obstacles.request ?? obstacles.response == nil ? "yes" : "headers, not the stream"
    }

    /// Says which messages a breakpoint can hold.
    func hold(_ wire: Capability) throws -> String {
        guard let record = try exchange(wire) else { return "no" }
        let obstacles = try self.obstacles(wire, record)
        guard obstacles.request == nil else { return "no" }
        if obstacles.response == nil { return "yes" }
        return wire.isWebSocket ? "the opening request" : "the request"
    }

    /// Says whether `replay` can send the item again.
    func replay(_ wire: Capability) throws -> String {
        let edit = ReplayEdit()
        guard let record = try exchange(wire), edit.obstacle(record, allowsIncomplete: false) == nil else {
            return "no"
        }
        let request = try edit.request(record, body: try reader.body(of: record, .request))
        // A server of gRPC refuses a call without TE, which belongs to the connection and is not sent again.
        let needsTE = record.request.fields.first("te") != nil
        if needsTE, !request.fields.contains(where: { $0.name.lowercased() == "te" }) { return "no" }
        return version(record) == "HTTP/1.0" ? "as HTTP/1.1" : "yes"
    }

    private func exchange(_ wire: Capability) throws -> ExchangeRecord? {
        try reader.exchange(ExchangeID(rawValue: Self.number(wire)))
    }

    private func version(_ record: ExchangeRecord) -> String {
        let line = String(decoding: record.request.head.prefix { $0 != 13 }, as: UTF8.self)
        return line.split(separator: " ").last.map(String.init) ?? ""
    }

    private func rules(_ json: String) throws -> RuleBook {
        RuleBook(try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules"))
    }

    private func ruleRequest(_ record: ExchangeRecord) -> RuleRequest {
        RuleRequest(
            scheme: record.scheme,
            authority: record.authority,
            method: record.method,
            path: record.path,
            fields: record.request.fields
        )
    }

    /// The reasons why the messages of an exchange cannot be held, as they come from a peer that does not announce the
    /// length of a body.
    private func obstacles(
        _ wire: Capability,
        _ record: ExchangeRecord
    ) throws -> (request: String?, response: String?) {
        let fields = record.request.fields
        let request =
            if version(record) == "HTTP/2" {
                try RequestHead(stream: fields, endsStream: false)
            } else {
                RequestHead(
                    method: record.method,
                    target: .origin(record.path),
                    fields: fields,
                    framing: wire.isWebSocket ? .none : .chunked
                )
            }
        let response = ResponseHead(
            status: record.status ?? 0,
            reason: "",
            fields: record.response?.fields ?? HeaderFields(),
            framing: .chunked
        )
        let limits = Limits()
        return (
            Holding.obstacle(to: request, limits), Holding.obstacle(to: response, of: request, limits)
        )
    }

    private func shown(_ wire: Capability) throws -> [String] {
        guard let record = try exchange(wire) else {
            let flow = try reader.flow(FlowID(rawValue: Self.number(wire)))
            return flow.map { FlowText(record: $0, style: .plain, width: nil).lines } ?? []
        }
        let stream = try StreamTranscript(record, reader, schema: nil, limit: 10)
        var lines = ExchangeText(
            record: record,
            request: try reader.body(of: record, .request),
            response: try reader.body(of: record, .response),
            setUpBefore: nil,
            stream: stream,
            style: .plain,
            width: nil
        )
        .lines
        if let stream { lines += StreamText(transcript: stream, style: .plain).lines }
        guard wire.isWebSocket else { return lines }
        let transcript = WebSocketTranscript(of: record, in: reader)
        var entries: [WebSocketTranscript.Entry] = []
        while let entry = try transcript.next() { entries.append(entry) }
        return lines + WebSocketText(record: record, entries: entries, style: .plain).lines
    }
}
