import PinholeModel

/// An entry of an HTTP Archive.
struct HAREntry {
    /// The exchange that the entry describes.
    let record: ExchangeRecord
    /// The captured bytes of the request's body.
    let requestBody: [UInt8]
    /// The captured bytes of the response's body.
    let responseBody: [UInt8]
    /// The flow of the exchange; `nil` if it was removed.
    let flow: FlowRecord?
    /// The user's mark and comment.
    var note = TrafficNote()

    /// Writes the members of the entry's object.
    func writeMembers(to json: inout JSONText) {
        let before = record.timings.setUpBefore(flow)
        let timings = HARTimings(record.timings, setUpBefore: before)
        // In HAR an entry begins with its first stage.
        json.member("startedDateTime", ISO8601.text(record.timings.started - (before ?? .zero)))
        json.member("time", milliseconds: timings.total)
        json.name("request")
        HARRequest(record: record, body: requestBody).write(to: &json)
        json.name("response")
        HARResponse(record: record, body: responseBody).write(to: &json)
        json.name("cache")
        json.object { _ in }
        json.name("timings")
        timings.write(to: &json)
        if let address = serverAddress { json.member("serverIPAddress", address) }
        json.member("connection", String(record.flow.rawValue))
        if let before { json.member("_setUpBefore", milliseconds: before) }
        writeOwnFields(to: &json)
    }

    private func writeOwnFields(to json: inout JSONText) {
        json.member("_id", record.id.rawValue)
        json.member("_flow", record.flow.rawValue)
        json.member("_outcome", record.outcome?.kind.rawValue ?? "running")
        if let detail = record.outcome?.detail { json.member("_detail", detail) }
        if note.isMarked { json.member("_marked", true) }
        if let comment = note.comment { json.member("comment", comment) }
        json.name("_notes")
        json.array { json in
            for note in record.notes { json.string(note.rawValue) }
        }
        json.member("_truncated", isTruncated)
        if record.notes.contains(.webSocket) { json.member("_resourceType", "websocket") }
        if let user = record.proxyUser { json.member("_proxyUser", user) }
        if let process = flow?.clientProcess {
            json.name("_clientProcess")
            json.object { json in
                json.member("pid", Int64(process.pid))
                json.member("name", process.name)
                if let path = process.path { json.member("path", path) }
            }
        }
        guard let handshake = flow?.serverHandshake else { return }
        if let version = handshake.version { json.member("_serverTLS", version) }
        if let cipher = handshake.cipher { json.member("_serverCipher", cipher) }
    }

    private var isTruncated: Bool {
        record.request.body.isTruncated || (record.response?.body.isTruncated ?? false)
    }

    private var serverAddress: String? {
        guard let server = flow?.server, let authority = try? Authority(server) else { return nil }
        return authority.host.address?.description
    }
}

/// The timings of an entry; `nil` for a stage that did not occur or is not known.
struct HARTimings {
    private let blocked: Duration?
    private let dns: Duration?
    private let connect: Duration?
    private let tls: Duration?
    private let send: Duration
    private let wait: Duration
    private let receive: Duration

    /// Derives the stages.
    ///
    /// HAR requires `send`, `wait` and `receive`, so a stage that was never reached is 0.
    ///
    /// - Parameters:
    ///   - timings: The times at which the stages were reached.
    ///   - setUpBefore: The time of a set-up before the request arrived; it takes nothing from the time after that.
    init(_ timings: ExchangeTimings, setUpBefore: Duration?) {
        blocked = timings.blocked
        dns = timings.resolve
        tls = timings.tls
        // In HAR the TLS handshake is a part of connecting.
        connect =
            timings.connect == nil && timings.tls == nil
            ? nil : (timings.connect ?? .zero) + (timings.tls ?? .zero)
        let setUp = setUpBefore == nil ? (dns ?? .zero) + (connect ?? .zero) : .zero
        let before = (blocked ?? .zero) + setUp
        let requestEnded = timings.requestEnded ?? timings.ended
        let responseStarted = timings.responseStarted ?? timings.ended
        send = max((requestEnded.map { $0 - timings.started } ?? before) - before, .zero)
        let sent = timings.started + before + send
        wait = max(responseStarted.map { $0 - sent } ?? .zero, .zero)
        let answered = sent + wait
        receive = max(timings.ended.map { $0 - answered } ?? .zero, .zero)
    }

    /// The sum of the stages, as HAR requires.
    var total: Duration {
        (blocked ?? .zero) + (dns ?? .zero) + (connect ?? .zero) + send + wait + receive
    }

    /// Writes the object.
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("blocked", milliseconds: blocked)
            json.member("dns", milliseconds: dns)
            json.member("connect", milliseconds: connect)
            json.member("send", milliseconds: send)
            json.member("wait", milliseconds: wait)
            json.member("receive", milliseconds: receive)
            json.member("ssl", milliseconds: tls)
        }
    }
}
