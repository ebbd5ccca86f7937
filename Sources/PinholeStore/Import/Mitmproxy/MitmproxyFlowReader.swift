import PinholeModel

/// Reads a flow of mitmproxy that is an exchange of HTTP.
struct MitmproxyFlowReader {
    private let flow: TNetstring
    private let settings: ImportSettings

    /// Creates a reader of the flow's dictionary.
    init(_ flow: TNetstring, _ settings: ImportSettings) {
        self.flow = flow
        self.settings = settings
    }

    /// Reads the exchange.
    ///
    /// - Throws: ``ImportRefusal`` with the member that cannot be used.
    func exchange() throws(ImportRefusal) -> ImportedExchange {
        guard let request = flow["request"] else {
            throw ImportRefusal("request", expected: "a dictionary", found: .null)
        }
        let path = request["path"]?.text ?? "/"
        let url = try ImportedURL(
            scheme: request["scheme"]?.text ?? "",
            host: request["host"]?.text ?? "",
            port: request["port"]?.integer,
            target: path == "*" ? "" : path,
            hostNames: settings.hostNames
        )
        let method = try ImportedHead.method(request["method"]?.text)
        let started = Self.moment(request["timestamp_start"])
        var exchange = ImportedExchange(
            to: url,
            method: method,
            head: try head(of: request, url, method, path),
            started: started ?? settings.fallback
        )
        if started == nil {
            let found = request["timestamp_start"]?.fact.summary
            exchange.lacksDate(at: "request.timestamp_start", found, expected: "seconds since 1970")
        }
        exchange.record.request.body = body(of: request, exchange.record.request.fields, "request")
        exchange.record.request.trailers = trailers(of: request)
        try readResponse(into: &exchange)
        readTimings(of: request, into: &exchange)
        MitmproxyConnectionReader(flow).read(into: &exchange)
        readMessages(into: &exchange)
        readNotes(into: &exchange)
        return exchange
    }

    private func head(
        of request: TNetstring,
        _ url: ImportedURL,
        _ method: String,
        _ path: String
    ) throws(ImportRefusal) -> [UInt8] {
        let version = ImportedHead.version(request["http_version"]?.text)
        var head = ImportedHead(method: method, target: path == "*" ? "*" : url.path, version: version)
        if !version.hasPrefix("HTTP/1") {
            // mitmproxy keeps the values of pseudo-fields, but not the fields.
            let own = url.authority.text(defaultPort: url.scheme.defaultPort)
            let authority = request["authority"]?.text ?? ""
            head.add(":method", method)
            head.add(":scheme", url.scheme.rawValue)
            head.add(":authority", authority.isEmpty ? own : authority)
            head.add(":path", path == "*" ? "*" : url.path)
        }
        addFields(request["headers"], to: &head)
        return try head.finished(settings.limits)
    }

    private func addFields(_ fields: TNetstring?, to head: inout ImportedHead) {
        for field in fields?.elements ?? [] {
            let pair = field.elements
            if pair.count == 2, let name = pair[0].bytes, let value = pair[1].bytes { head.add(name, value) }
        }
    }

    private func trailers(of message: TNetstring) -> [UInt8] {
        var section = ImportedHead(startLine: "")
        addFields(message["trailers"], to: &section)
        return Array(section.bytes.dropFirst(2))
    }

    private func body(of message: TNetstring, _ fields: HeaderFields, _ name: String) -> BodyRecord {
        let bytes = message["content"]?.bytes
        // If mitmproxy streams a body, it keeps none of it.
        let announced = bytes == nil ? fields.first("content-length").flatMap { Int64($0) } : nil
        let own = flow["metadata"]?["pinhole_\(name)_length"]?.integer
        var body = BodyRecord(captured: bytes ?? [], length: own ?? announced)
        if flow["metadata"]?["pinhole_\(name)_incomplete"]?.isTrue ?? false { body.isComplete = false }
        return body
    }

    private func readResponse(into exchange: inout ImportedExchange) throws(ImportRefusal) {
        let error = flow["error"]?["msg"]?.text
        guard let response = flow["response"], let status = response["status_code"]?.integer,
            (100...999).contains(status)
        else {
            exchange.record.outcome = .failed(error ?? "the file has no response")
            return
        }
        var head = ImportedHead(
            status: Int(status),
            reason: response["reason"]?.text ?? "",
            version: ImportedHead.version(response["http_version"]?.text)
        )
        addFields(response["headers"], to: &head)
        var message = MessageRecord(head: try head.finished(settings.limits))
        message.body = body(of: response, message.fields, "response")
        message.trailers = trailers(of: response)
        exchange.record.status = Int(status)
        exchange.record.response = message
        exchange.record.outcome = error.map { .failed($0) } ?? .completed
    }

    private func readTimings(of request: TNetstring, into exchange: inout ImportedExchange) {
        let started = exchange.record.timings.started
        let ended = Self.moment(request["timestamp_end"])
        exchange.record.timings.requestEnded = ended
        if let response = flow["response"] {
            exchange.record.timings.responseStarted = Self.moment(response["timestamp_start"])
        }
        exchange.record.timings.ended =
            Self.moment(flow["response"]?["timestamp_end"]) ?? Self.moment(flow["error"]?["timestamp"])
            ?? ended ?? started
        // Only a connection that was opened for this exchange is part of its time.
        guard let dialed = Self.moment(flow["server_conn"]?["timestamp_start"]), dialed >= started,
            let connected = Self.moment(flow["server_conn"]?["timestamp_tcp_setup"]), connected >= dialed,
            connected <= exchange.record.timings.ended ?? connected
        else { return }
        exchange.record.timings.blocked = dialed - started
        exchange.record.timings.connect = connected - dialed
        let secured =
            flow["server_conn"]?["timestamp_tls_setup"] ?? flow["server_conn"]?["timestamp_ssl_setup"]
        if let secured = Self.moment(secured), secured >= connected {
            exchange.record.timings.tls = secured - connected
        }
    }

    private func readMessages(into exchange: inout ImportedExchange) {
        guard let webSocket = flow["websocket"] else { return }
        for element in webSocket["messages"]?.elements ?? [] {
            let parts = element.elements
            guard parts.count >= 4, let opcode = parts[0].integer, let content = parts[2].bytes,
                let kind = UInt8(exactly: opcode).flatMap(WebSocketMessage.Kind.init(rawValue:))
            else { continue }
            exchange.add(
                kind,
                from: parts[1].isTrue ? .client : .server,
                content,
                at: Self.moment(parts[3]),
                notes: (parts.count > 4 && parts[4].isTrue ? [.dropped] : [])
                    + (parts.count > 5 && parts[5].isTrue ? [.injected] : [])
            )
        }
        if let code = webSocket["close_code"]?.integer.flatMap({ UInt16(exactly: $0) }) {
            let reason = Array((webSocket["close_reason"]?.text ?? "").utf8)
            exchange.add(
                .close,
                from: webSocket["closed_by_client"]?.isTrue ?? false ? .client : .server,
                [UInt8(code >> 8), UInt8(code & 0xff)] + reason,
                at: Self.moment(webSocket["timestamp_end"])
            )
        }
        exchange.beginWebSocket()
    }

    private func readNotes(into exchange: inout ImportedExchange) {
        // The mark is a text since format 13; before that it was a Boolean.
        exchange.note.isMarked = flow["marked"].map { $0.isTrue || !($0.text ?? "").isEmpty } ?? false
        exchange.note.comment = flow["comment"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        guard let own = flow["metadata"], let outcome = own["pinhole_outcome"]?.text else { return }
        exchange.record.outcome = ExchangeOutcome(name: outcome, detail: own["pinhole_detail"]?.text ?? "")
        exchange.record.notes = (own["pinhole_notes"]?.elements ?? []).compactMap {
            $0.text.flatMap(ExchangeNote.init(rawValue:))
        }
    }

    /// Converts seconds since 1970; `nil` if the number is missing or out of range.
    static func moment(_ value: TNetstring?) -> Timestamp? {
        guard let seconds = value?.number, (0...4e9).contains(seconds) else { return nil }
        return Timestamp(microseconds: Int64((seconds * 1e6).rounded()))
    }
}

extension ImportedExchange {
    /// Adds a message with its whole payload.
    mutating func add(
        _ kind: WebSocketMessage.Kind,
        from sender: Side,
        _ payload: [UInt8],
        at moment: Timestamp?,
        notes: [WebSocketMessage.Note] = []
    ) {
        var message = WebSocketMessage(
            exchange: record.id,
            number: Int64(messages.count) + 1,
            sender: sender,
            kind: kind,
            started: moment ?? messages.last?.started ?? record.timings.started
        )
        message.inline = payload
        message.capturedLength = Int64(payload.count)
        message.length = message.capturedLength
        message.isComplete = true
        message.notes = notes
        messages.append(message)
    }
}

extension ExchangeOutcome {
    /// Creates the outcome with a name from an export of Pinhole.
    init(name: String, detail: String) {
        self.init(
            Kind(rawValue: name) ?? .failed,
            name == "running" ? "it went on when it was exported" : detail
        )
    }
}
