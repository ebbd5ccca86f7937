import PinholeContent
import PinholeModel
import PinholeStore

/// Makes the records of a redacted copy: each is built anew from what a list of safe things has.
///
/// A member of a record that this file does not name is absent from the copy. So a new member is safe until somebody
/// decides what becomes of it.
final class StructureRecords: CopyChanges {
    private let redactor: ValueRedactor
    /// The number of the last text that was a message of its own.
    private var texts: Int64 = 1 << 62
    private var isOpen = false

    /// Prepares the records of a copy.
    init(_ redactor: ValueRedactor) { self.redactor = redactor }

    /// The number of bodies that were left out.
    var bodiesLeftOut: Int { redactor.bodiesLeftOut }

    // MARK: Names

    func endOfExchange() -> Bool {
        defer { isOpen = false }
        return isOpen
    }

    func decide() {
        redactor.names.finish()
        isOpen = false
    }

    private func endMessage(_ number: Int64) { if redactor.names.end(of: number) { isOpen = true } }

    // MARK: Flows

    func changed(_ flow: FlowRecord) -> FlowRecord {
        var clean = FlowRecord(
            id: flow.id,
            opened: flow.opened,
            client: redactor.peer(flow.client),
            listener: redactor.peer(flow.listener)
        )
        clean.closed = flow.closed
        clean.proxyUser = token(flow.proxyUser)
        clean.listenerKind = flow.listenerKind
        clean.inbound = flow.inbound
        clean.authority = flow.target.map { redactor.authority($0).description } ?? token(flow.authority)
        clean.treatment = flow.treatment
        clean.reason = token(flow.reason)
        clean.server = flow.server.map(redactor.peer)
        clean.nextHop = token(flow.nextHop)
        clean.dials = flow.dials.map { dial in
            DialRecord(
                address: redactor.peer(dial.address),
                started: dial.started,
                duration: dial.duration,
                failure: token(dial.failure)
            )
        }
        clean.clientHello = flow.clientHello.map { changed($0, flow.target?.host) }
        clean.clientHandshake = flow.clientHandshake.map { changed($0, flow.target?.host) }
        clean.serverHandshake = flow.serverHandshake.map { changed($0, flow.target?.host) }
        clean.clientEnd = flow.clientEnd
        clean.bytesFromClient = flow.bytesFromClient
        clean.bytesFromServer = flow.bytesFromServer
        clean.exchanges = flow.exchanges
        clean.outcome = flow.outcome.map { Outcome($0.kind, fault: $0.fault, detail: token($0.detail) ?? "") }
        return clean
    }

    private func changed(_ hello: ClientHelloRecord, _ target: Host?) -> ClientHelloRecord {
        var clean = ClientHelloRecord()
        clean.serverName = hello.serverName.map { host($0, target) }
        clean.applicationProtocols = hello.applicationProtocols.map(applicationProtocol)
        clean.versions = hello.versions
        clean.cipherSuites = hello.cipherSuites
        clean.extensions = hello.extensions
        clean.groups = hello.groups
        clean.keyShares = hello.keyShares
        clean.signatureSchemes = hello.signatureSchemes
        clean.ja4 = hello.ja4.flatMap { RegisteredValues.isJA4($0) ? $0 : token($0) }
        return clean
    }

    private func changed(_ handshake: HandshakeRecord, _ target: Host?) -> HandshakeRecord {
        var clean = HandshakeRecord(
            peer: handshake.peer,
            started: handshake.started,
            duration: handshake.duration
        )
        clean.version = handshake.version.map(nameOfTLS)
        clean.cipher = handshake.cipher.map(nameOfTLS)
        clean.group = handshake.group.map(nameOfTLS)
        clean.offeredGroups = handshake.offeredGroups
        clean.offeredShares = handshake.offeredShares
        clean.applicationProtocol = handshake.applicationProtocol.map(applicationProtocol)
        clean.serverName = handshake.serverName.map { host($0, target) }
        clean.isResumed = handshake.isResumed
        // Certificates name hosts, and those of the proxy's own CA name the machine.
        if !redactor.hidesHosts, handshake.peer == .server {
            clean.presentedChain = handshake.presentedChain
            clean.validatedChain = handshake.validatedChain
        }
        clean.verification = token(handshake.verification)
        clean.exemption = token(handshake.exemption)
        clean.requestedClientCertificate = handshake.requestedClientCertificate
        clean.failure = handshake.failure.map { failure in
            HandshakeFailure(
                failure.cause,
                isHint: failure.isHint,
                endedBy: failure.endedBy,
                alert: failure.alert,
                bytesAfterHandshake: failure.bytesAfterHandshake,
                detail: token(failure.detail) ?? ""
            )
        }
        return clean
    }

    private func nameOfTLS(_ name: String) -> String {
        RegisteredValues.isOfTLS(name) ? name : token(name) ?? ""
    }

    private func applicationProtocol(_ name: String) -> String {
        RegisteredValues.applicationProtocols.contains(name) ? name : token(name) ?? ""
    }

    /// Returns the name of a server, which stays as the host of the flow does.
    private func host(_ name: String, _ target: Host?) -> String {
        guard let host = try? Host(name) else { return token(name) ?? "" }
        return host == target && !redactor.hidesHosts ? host.description : redactor.host(host)
    }

    private func token(_ text: String?) -> String? {
        text.map {
            $0.isEmpty ? "" : String(decoding: redactor.tokens.text(Array($0.utf8)[...]), as: UTF8.self)
        }
    }

    // MARK: Exchanges

    func changed(_ record: ExchangeRecord) -> ExchangeRecord {
        var clean = ExchangeRecord(
            id: record.id,
            flow: record.flow,
            scheme: record.scheme,
            authority: redactor.authority(record.authority),
            proxyUser: token(record.proxyUser),
            method: String(decoding: redactor.method(Array(record.method.utf8)[...]), as: UTF8.self),
            path: String(decoding: redactor.target(Array(record.path.utf8)[...]), as: UTF8.self),
            request: changed(record.request),
            timings: record.timings
        )
        endMessage(record.id.rawValue * 2)
        clean.status = record.status
        clean.response = record.response.map(changed)
        clean.informational = record.informational.map { redactor.head($0) }
        endMessage(record.id.rawValue * 2 + 1)
        for column in ExchangeFields.texts {
            column.copy(record, to: &clean) { text in
                column.redacted == .operations
                    ? operations(text)
                    : String(decoding: redactor.value(Array(text.utf8)[...], depth: 0), as: UTF8.self)
            }
        }
        clean.protocolStatus = record.protocolStatus
        clean.outcome = record.outcome.map { ExchangeOutcome($0.kind, token($0.detail) ?? "") }
        clean.notes = record.notes
        clean.rules = record.rules.map { hit in
            RuleHit(
                rule: token(hit.rule) ?? "",
                kind: RegisteredValues.ruleKinds.contains(hit.kind) ? hit.kind : token(hit.kind) ?? "",
                effect: token(hit.effect) ?? ""
            )
        }
        clean.messages = record.messages
        clean.messageBytes = record.messageBytes
        return clean
    }

    /// Returns the types of operations with tokens for their names.
    private func operations(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let bare = word.hasSuffix(",") ? word.dropLast() : word
            let types = ["query", "mutation", "subscription"]
            let clean = types.contains(String(bare)) ? String(bare) : token(String(bare)) ?? ""
            return bare.count < word.count ? clean + "," : clean
        }.joined(separator: " ")
    }

    private func changed(_ message: MessageRecord) -> MessageRecord {
        var clean = MessageRecord(head: [])
        clean.body.length = message.body.length
        clean.body.isComplete = message.body.isComplete
        let fields = message.fields
        let content = content(message, fields)
        let body = content.flatMap { redactor.body($0[...], type: fields.first("content-type")) }
        if let body {
            clean.body.inline = body
            clean.body.capturedLength = Int64(body.count)
            clean.body.length = clean.body.capturedLength
        } else {
            redactor.bodiesLeftOut += 1
        }
        let isChanged = body.map { !$0.isEmpty } ?? false
        clean.head = redactor.head(
            message.head,
            dropping: isChanged ? ["content-encoding"] : [],
            length: isChanged ? body?.count : nil
        )
        clean.trailers = redactor.section(message.trailers[...])
        return clean
    }

    /// Returns the body without codings; `nil` if only a part of it was captured, or it cannot be decoded.
    private func content(_ message: MessageRecord, _ fields: HeaderFields) -> [UInt8]? {
        guard !message.body.isTruncated else { return nil }
        let codings = fields.list("content-encoding")
        guard !codings.isEmpty else { return message.body.inline }
        return try? ContentDecoder.decode(message.body.inline, codings: codings, limit: BodyForm.limit)
    }

    // MARK: Messages and notes

    func changed(_ entry: WebSocketTranscript.Entry) -> WebSocketMessage {
        let message = entry.message
        var clean = WebSocketMessage(
            exchange: message.exchange,
            number: message.number,
            sender: message.sender,
            kind: message.kind,
            started: message.started
        )
        clean.ended = message.ended
        clean.frames = message.frames
        clean.isComplete = message.isComplete
        clean.notes = message.notes
        clean.detail = token(message.detail)
        clean.length = message.length
        if message.kind == .text, entry.trouble == nil, !message.isTruncated, UTF8.isValid(entry.content[...])
        {
            clean.inline = text(entry.content[...])
            clean.length = Int64(clean.inline.count)
        } else if message.kind == .close, entry.content.count >= 2 {
            // The code is a number of 1000 to 4999 (RFC 6455 §7.4), the reason a text.
            let reason = entry.content[2...]
            let code = UInt16(entry.content[0]) << 8 | UInt16(entry.content[1])
            clean.inline = (1000...4999).contains(code) ? Array(entry.content[..<2]) : [0x03, 0xea]
            if !reason.isEmpty { clean.inline += redactor.tokens.text(reason).prefix(16) }
            clean.length = Int64(clean.inline.count)
        } else if !entry.content.isEmpty {
            redactor.bodiesLeftOut += 1
        }
        clean.capturedLength = Int64(clean.inline.count)
        // A message that is read again is the same message.
        endMessage(1 << 61 | (message.exchange.rawValue &<< 24 &+ message.number) & (1 << 61 - 1))
        return clean
    }

    /// Returns a text message; the types of packets in front of JSON, as Engine.IO and Socket.IO have them, stay.
    private func text(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = text.prefix(2).prefix { (0x30...0x36).contains($0) }
        let rest = text[digits.endIndex...]
        if !digits.isEmpty, rest.first == 0x5b || rest.first == 0x7b, let json = redactor.json(rest) {
            return digits + json
        }
        return redactor.value(text)
    }

    func wholeMessage(_ text: [UInt8]) -> [UInt8] {
        let clean = redactor.value(text[...])
        texts += 1
        endMessage(texts)
        return clean
    }

    func changed(_ note: TrafficNote) -> TrafficNote {
        var clean = TrafficNote()
        clean.isMarked = note.isMarked
        clean.comment = token(note.comment)
        return clean
    }
}
