import PinholeContent
import PinholeModel

/// Reads an entry of an HTTP Archive of any exporter.
struct HAREntryReader {
    private let entry: JSONValue
    private let settings: ImportSettings

    /// Creates a reader of the entry's object.
    init(_ entry: JSONValue, _ settings: ImportSettings) {
        self.entry = entry
        self.settings = settings
    }

    /// Reads the exchange.
    ///
    /// - Throws: ``ImportRefusal`` with the member that cannot be used.
    func exchange() throws(ImportRefusal) -> ImportedExchange {
        guard let request = entry["request"] else {
            throw ImportRefusal("request", expected: "an object", found: entry["request"] ?? .null)
        }
        guard let url = request["url"]?.text else {
            throw ImportRefusal("request.url", expected: "a URL", found: request["url"] ?? .null)
        }
        let target = try ImportedURL(url, hostNames: settings.hostNames)
        let method = try ImportedHead.method(request["method"]?.text)
        let version = ImportedHead.version(request["httpVersion"]?.text)
        let path = method == "OPTIONS" && target.target.isEmpty ? "*" : target.path
        let started = entry["startedDateTime"]?.text.flatMap(ISO8601.parse)
        var head = ImportedHead(method: method, target: path, version: version)
        addFields(of: request, to: &head)
        var exchange = ImportedExchange(
            to: target,
            method: method,
            head: try head.finished(settings.limits),
            started: started ?? settings.fallback
        )
        if started == nil { exchange.lacksDate(at: "startedDateTime", entry["startedDateTime"]?.summary) }
        if target.hasUserInformation, exchange.record.request.fields.first("authorization") == nil {
            exchange.doubt(
                .userInformation,
                "request.url: expected no user information (RFC 9110 §4.2.4), or an Authorization header"
            )
        }
        readBody(of: request, into: &exchange)
        try readResponse(into: &exchange, requestVersion: version)
        exchange.record.timings = HARTimingsReader(entry).timings(
            from: exchange.record.timings.started,
            hasResponse: exchange.record.response != nil
        )
        readConnection(into: &exchange)
        readOwnFields(into: &exchange)
        HARMessageReader(entry, limits: settings.limits).read(into: &exchange)
        exchange.note.comment = entry["comment"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        exchange.note.isMarked = entry["_marked"]?.isTrue ?? false
        return exchange
    }

    /// Whether Pinhole wrote the entry, which then has members that other exporters lack.
    private var isOwn: Bool { entry["_outcome"] != nil && entry["_flow"] != nil }

    /// Adds field lines, each as `{name, value}`, or `[name, value]` as in Slack's files.
    private func addFields(of message: JSONValue, to head: inout ImportedHead) {
        for field in message["headers"]?.elements ?? [] {
            let pair = field.elements
            let name = field["name"]?.text ?? pair.first?.text
            let value = field["value"]?.text ?? (pair.count > 1 ? pair[1].text : nil)
            if let name { head.add(name, value ?? "") }
        }
    }

    private func trailers(of message: JSONValue) -> [UInt8] {
        var section = ImportedHead(startLine: "")
        for field in message["_trailers"]?.elements ?? [] {
            section.add(field["name"]?.text ?? "", field["value"]?.text ?? "")
        }
        return Array(section.bytes.dropFirst(2))
    }

    private func readBody(of request: JSONValue, into exchange: inout ImportedExchange) {
        exchange.record.request.trailers = trailers(of: request)
        guard let post = request["postData"] else {
            if isOwn { readSize(of: request, into: &exchange.record.request.body) }
            return
        }
        let encoding = post["_encoding"]?.text ?? post["encoding"]?.text
        var bytes = bytes(
            post["text"]?.text,
            encoding: encoding,
            type: exchange.record.request.fields.first("content-type"),
            at: "request.postData.text",
            into: &exchange
        )
        if bytes.isEmpty { bytes = HARForm(post).body(into: &exchange) }
        let fields = exchange.record.request.fields
        exchange.record.request.body = BodyRecord(captured: coded(bytes, fields, isCoded: isOwn))
        if isOwn { readSize(of: request, into: &exchange.record.request.body) }
    }

    private func readResponse(
        into exchange: inout ImportedExchange,
        requestVersion: String
    ) throws(ImportRefusal) {
        let response = entry["response"] ?? .null
        let error = response["_error"]?.text
        let status = try ImportedStatus(response["status"])
        guard status != .noResponse, status != .missing || hasContent(response) else {
            exchange.record.outcome = .failed(error ?? "the file has no response")
            if hasContent(response) {
                let found = response["status"]?.summary ?? "nothing"
                exchange.doubt(
                    .response,
                    "response.status: expected no headers and no content beside \(found)"
                )
            }
            return
        }
        let code: Int? = if case .code(let code) = status { code } else { nil }
        let version = response["httpVersion"]?.text.map { ImportedHead.version($0) } ?? requestVersion
        var head = ImportedHead(
            status: code ?? 0,
            reason: response["statusText"]?.text ?? "",
            version: version
        )
        addFields(of: response, to: &head)
        var message = MessageRecord(head: try head.finished(settings.limits))
        message.body = body(of: response, message.fields, into: &exchange)
        message.trailers = trailers(of: response)
        exchange.record.status = code
        exchange.record.response = message
        exchange.record.informational = (response["_informational"]?.elements ?? []).compactMap {
            $0.text.flatMap { try? ImportedHead(startLine: $0).finished(settings.limits) }
        }
        let failure = code == nil ? error.flatMap { $0.isEmpty ? nil : $0 } : nil
        exchange.record.outcome = failure.map { .failed($0) } ?? .completed
    }

    /// Whether a response has fields or content.
    private func hasContent(_ response: JSONValue) -> Bool {
        response["headers"]?.elements.isEmpty == false || response["content"]?["text"]?.text?.isEmpty == false
    }

    private func body(
        of response: JSONValue,
        _ fields: HeaderFields,
        into exchange: inout ImportedExchange
    ) -> BodyRecord {
        let content = response["content"] ?? .null
        let bytes = bytes(
            content["text"]?.text,
            encoding: content["encoding"]?.text,
            type: fields.first("content-type"),
            at: "response.content.text",
            into: &exchange
        )
        let isCoded = isOwn && (content["_coded"]?.isTrue ?? false)
        var body = BodyRecord(captured: coded(bytes, fields, isCoded: isCoded))
        let sizes = [response["bodySize"]?.integer, content["size"]?.integer].compactMap(\.self)
        let size = sizes.first { $0 > 0 && FieldRange.lengths.contains($0) }
        if size == nil, let wrong = sizes.first(where: { $0 > 0 }) {
            exchange.doubt(.size, "response.bodySize: expected at most 2^60, found \(wrong)")
        }
        let isCut = content["_truncated"]?.isTrue ?? content["truncated"]?.isTrue ?? false
        // Browsers leave bodies out, mostly of images, and write only their sizes; Firefox writes an empty text.
        if (bytes.isEmpty || isCut) && exchange.record.method != "HEAD" {
            body.length = max(body.length, size ?? 0)
        }
        if content["_incomplete"]?.isTrue ?? false { body.isComplete = false }
        return body
    }

    /// Reads the length and completeness of a body from an entry that Pinhole wrote.
    private func readSize(of message: JSONValue, into body: inout BodyRecord) {
        let size = message["bodySize"]?.integer ?? 0
        if FieldRange.lengths.contains(size) { body.length = max(body.length, size) }
        if message["_incomplete"]?.isTrue ?? false { body.isComplete = false }
    }

    /// Returns the bytes of a text; a text that is declared as Base64 but is not is kept unchanged.
    private func bytes(
        _ text: String?,
        encoding: String?,
        type: String?,
        at member: String,
        into exchange: inout ImportedExchange
    ) -> [UInt8] {
        guard let text else { return [] }
        guard encoding?.lowercased() == "base64" else { return HARText.bytes(text, type) }
        if let bytes = Base64.decode(text.utf8) { return bytes }
        exchange.doubt(.base64, "\(member): expected Base64, found \(TerminalText.quoted(text, longest: 20))")
        return Array(text.utf8)
    }

    /// Returns the body as it was sent; files have the decoded content, and the head names the codings.
    private func coded(_ bytes: [UInt8], _ fields: HeaderFields, isCoded: Bool) -> [UInt8] {
        let codings = fields.list("content-encoding").map { $0.lowercased() }
        guard !bytes.isEmpty, !codings.isEmpty, !isCoded else { return bytes }
        // Some exporters write the body as it was sent.
        if !isOwn, (try? ContentDecoder.decode(bytes, codings: codings)) != nil { return bytes }
        return ContentEncoder.encode(bytes, codings: codings) ?? bytes
    }

    private func readConnection(into exchange: inout ImportedExchange) {
        let authority = exchange.record.authority
        // Firefox writes the port in this member, which does not identify the host.
        let name = entry["connection"]?.text ?? ""
        if !name.isEmpty { exchange.connection.key = "\(name) \(exchange.record.scheme) \(authority)" }
        if let text = entry["serverIPAddress"]?.text {
            let address = text.contains(":") && !text.hasPrefix("[") ? "[\(text)]" : text
            exchange.connection.server = try? Authority(address, defaultPort: authority.port).description
        }
        exchange.record.proxyUser = entry["_proxyUser"]?.text
        exchange.connection.clientProcess = entry["_clientProcess"].flatMap(clientProcess)
        guard let version = entry["_serverTLS"]?.text else { return }
        let timings = exchange.record.timings
        let duration = timings.tls ?? .zero
        let isBefore = entry["_setUpBefore"] != nil
        var handshake = HandshakeRecord(
            peer: .server,
            started: isBefore ? timings.started - duration : timings.started,
            duration: duration
        )
        handshake.version = version
        handshake.cipher = entry["_serverCipher"]?.text
        exchange.connection.serverHandshake = handshake
    }

    private func clientProcess(_ fact: JSONValue) -> ClientProcess? {
        guard let pid = fact["pid"]?.integer.flatMap(Int32.init(exactly:)), let name = fact["name"]?.text
        else {
            return nil
        }
        return ClientProcess(pid: pid, name: name, path: fact["path"]?.text)
    }

    private func readOwnFields(into exchange: inout ImportedExchange) {
        guard isOwn else { return }
        exchange.record.outcome = ExchangeOutcome(
            name: entry["_outcome"]?.text ?? "",
            detail: entry["_detail"]?.text ?? ""
        )
        exchange.record.notes = (entry["_notes"]?.elements ?? []).compactMap {
            $0.text.flatMap(ExchangeNote.init(rawValue:))
        }
    }
}
