import PinholeContent
import PinholeModel

/// Reads an element of a JSON session of Charles (`.chlsj`).
struct CharlesSessionReader {
    private let session: JSONValue
    private let settings: ImportSettings

    /// Creates a reader of the element.
    init(_ session: JSONValue, _ settings: ImportSettings) {
        self.session = session
        self.settings = settings
    }

    /// Whether the element is a request, and not a tunnel that Charles did not decrypt.
    static func isExchange(_ session: JSONValue) -> Bool {
        !(session["tunnel"]?.isTrue ?? false) && session["method"]?.text != "CONNECT"
    }

    /// Reads the exchange.
    ///
    /// - Throws: ``ImportRefusal`` with the member that cannot be used.
    func exchange() throws(ImportRefusal) -> ImportedExchange {
        let query = session["query"]?.text.map { "?" + $0 } ?? ""
        let url = try ImportedURL(
            scheme: session["scheme"]?.text ?? "",
            host: session["host"]?.text ?? "",
            port: session["port"]?.integer ?? session["actualPort"]?.integer,
            target: (session["path"]?.text ?? "/") + query,
            hostNames: settings.hostNames
        )
        let method = try ImportedHead.method(session["method"]?.text)
        let version = ImportedHead.version(session["protocolVersion"]?.text)
        let request = session["request"] ?? .null
        let started = moment("start")
        var exchange = ImportedExchange(
            to: url,
            method: method,
            head: try head(
                of: request,
                version,
                ImportedHead(method: method, target: url.path, version: version)
            ),
            started: started ?? settings.fallback
        )
        if started == nil { exchange.lacksDate(at: "times.start", session["times"]?["start"]?.summary) }
        exchange.record.request.body = body(of: request, exchange.record.request.fields)
        try readResponse(into: &exchange, version)
        readTimings(into: &exchange)
        readConnection(into: &exchange)
        exchange.note.comment = session["notes"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        return exchange
    }

    /// Returns the head, with the original first line if Charles recorded it.
    private func head(
        of message: JSONValue,
        _ version: String,
        _ made: ImportedHead
    ) throws(ImportRefusal) -> [UInt8] {
        let header = message["header"] ?? .null
        var head = made
        if let line = header["firstLine"]?.text, line.hasSuffix(version) || line.hasPrefix(version) {
            head = ImportedHead(startLine: line)
        }
        for field in header["headers"]?.elements ?? [] {
            head.add(field["name"]?.text ?? "", field["value"]?.text ?? "")
        }
        return try head.finished(settings.limits)
    }

    private func body(of message: JSONValue, _ fields: HeaderFields) -> BodyRecord {
        let content = message["body"] ?? .null
        var bytes = content["text"]?.text.map { Array($0.utf8) } ?? []
        if let encoded = content["encoded"]?.text { bytes = Base64.decode(encoded.utf8) ?? [] }
        let codings = fields.list("content-encoding").map { $0.lowercased() }
        if !bytes.isEmpty, !codings.isEmpty, (try? ContentDecoder.decode(bytes, codings: codings)) == nil {
            bytes = ContentEncoder.encode(bytes, codings: codings) ?? bytes
        }
        let isThere = !bytes.isEmpty
        return BodyRecord(captured: bytes, length: isThere ? nil : message["sizes"]?["body"]?.integer)
    }

    private func readResponse(
        into exchange: inout ImportedExchange,
        _ version: String
    ) throws(ImportRefusal) {
        let response = session["response"] ?? .null
        guard case .code(let status) = try ImportedStatus(response["status"]) else {
            let reason = session["errorMessage"]?.text ?? "the file has no response"
            exchange.record.outcome = .failed(reason)
            return
        }
        let made = ImportedHead(status: status, reason: "", version: version)
        var message = MessageRecord(head: try head(of: response, version, made))
        message.body = body(of: response, message.fields)
        exchange.record.status = status
        exchange.record.response = message
        let isWhole = session["status"]?.text.map { $0 == "COMPLETE" } ?? true
        exchange.record.response?.body.isComplete = isWhole
        exchange.record.outcome =
            isWhole ? .completed : .failed(session["errorMessage"]?.text ?? "the session was not complete")
    }

    private func readTimings(into exchange: inout ImportedExchange) {
        let started = exchange.record.timings.started
        let durations = session["durations"] ?? .null
        let stage = { (name: String) -> Duration? in
            guard let number = durations[name]?.number, (0...1e12).contains(number) else { return nil }
            return .microseconds(Int64((number * 1000).rounded()))
        }
        exchange.record.timings.resolve = stage("dns")
        exchange.record.timings.connect = stage("connect")
        exchange.record.timings.tls = stage("ssl")
        exchange.record.timings.requestEnded = moment("requestComplete")
        if exchange.record.response != nil {
            exchange.record.timings.responseStarted = moment("responseBegin")
        }
        exchange.record.timings.ended = moment("end") ?? started + (stage("total") ?? .zero)
    }

    private func readConnection(into exchange: inout ImportedExchange) {
        // The text is “name/address”, and “/address” for the client.
        let address = { (text: String?) in text?.split(separator: "/").last.map(String.init) }
        let port = exchange.record.authority.port
        if let text = address(session["remoteAddress"]?.text) {
            exchange.connection.server = Self.authority(text, Int64(port))
        }
        if let text = address(session["clientAddress"]?.text) {
            exchange.connection.client = Self.authority(text, session["clientPort"]?.integer ?? 0)
        }
        guard let version = session["ssl"]?["protocol"]?.text else { return }
        var handshake = HandshakeRecord(
            peer: .server,
            started: exchange.record.timings.started,
            duration: exchange.record.timings.tls ?? .zero
        )
        handshake.version = version
        handshake.cipher = session["ssl"]?["cipherSuite"]?.text
        handshake.applicationProtocol = session["alpn"]?["protocol"]?.text
        exchange.connection.serverHandshake = handshake
    }

    private func moment(_ name: String) -> Timestamp? {
        session["times"]?[name]?.text.flatMap(ISO8601.parse)
    }

    private static func authority(_ text: String, _ port: Int64) -> String {
        text.contains(":") && !text.contains(".") ? "[\(text)]:\(port)" : "\(text):\(port)"
    }
}
