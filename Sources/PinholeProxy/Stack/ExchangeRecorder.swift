import PinholeContent
import PinholeModel
import PinholeRules
import PinholeWire

/// Builds the record of one exchange from its messages, and keeps a copy of its bodies up to the limits.
struct ExchangeRecorder: ~Copyable {
    private var record: ExchangeRecord?
    /// The reader of a WebSocket that the exchange has opened; boxed, because few exchanges have one.
    private var webSocket: Boxed<WebSocketRelay>?
    private var requestPace = BodyPace()
    private var responsePace = BodyPace()
    /// The time at which the exchange of a stream was last recorded.
    private var recorded: Timestamp?
    /// Whether the exchange was recorded before its end.
    ///
    /// From then on, its bodies are recorded in parts.
    private var wasRecorded = false
    /// The number of bytes of interim responses that may still be kept.
    private var interimRoom = 0
    /// Whether the client ended the exchange because of an error.
    private var wasBrokenOff = false
    private var scope = ExchangeScope()
    private let policy: Shared<ProxyPolicy>
    private let keepsBodies: Bool

    init(_ policy: Shared<ProxyPolicy>, keepsBodies: Bool) {
        self.policy = policy
        self.keepsBodies = keepsBodies
    }

    private var limits: Limits { @inline(__always) _read { yield policy.value.limits } }

    /// The number of bytes of the response's body that have passed; `nil` if there is no response.
    var responseLength: Int64? { record?.response?.body.length }

    /// Begins the record of an exchange.
    ///
    /// - Parameters:
    ///   - new: The first state of the record.
    ///   - isStream: Whether the request's body is a stream by its media type, so that the exchange is recorded at
    ///     once.
    ///   - flow: The record of its flow, which is evaluated only if the scope of the capture depends on it.
    ///   - events: The list to which records are appended.
    mutating func begin(
        _ new: consuming ExchangeRecord,
        isStream: Bool,
        of flow: @autoclosure () -> FlowRecord,
        into events: inout [FlowEvent]
    ) {
        let started = new.timings.started
        scope.begin(new, in: policy.value.captured, flow: flow)
        record = consume new
        requestPace = BodyPace()
        responsePace = BodyPace()
        recorded = nil
        wasRecorded = false
        wasBrokenOff = false
        interimRoom = limits.interimCapture
        guard isStream else { return }
        requestPace.beginStream()
        recordAsItStands(at: started, into: &events)
    }

    /// Records the current state of an open exchange that contains a stream.
    private mutating func recordAsItStands(at now: Timestamp, into events: inout [FlowEvent]) {
        guard record != nil, scope.isSelected == true else { return }
        recorded = now
        recordAsItStands(into: &events)
    }

    /// Whether an open exchange was not recorded yet, and belongs in the capture as far as is known.
    var isUnrecorded: Bool { record != nil && !wasRecorded && scope.isSelected == true }

    /// Records the current state of the exchange if it began before `moment` and was not recorded yet, so that slow
    /// exchanges are visible before they end.
    mutating func recordSlow(before moment: Timestamp, into events: inout [FlowEvent]) {
        guard isUnrecorded, let started = record?.timings.started, started <= moment else { return }
        recordAsItStands(into: &events)
    }

    /// Judges the exchange again, because more is known about it.
    ///
    /// The record is passed only if it is read: it has 600 bytes.
    private mutating func judge() {
        if scope.isSelected == nil { scope.judge(record) }
    }

    /// Notes that the client ended the exchange with an error code.
    mutating func noteClientError() { wasBrokenOff = true }

    mutating func note(_ note: ExchangeNote) {
        guard record?.notes.contains(note) == false else { return }
        record?.notes.append(note)
    }

    /// Records the user who sent the request.
    mutating func note(user: String) {
        record?.belong(to: user)
        judge()
    }

    /// Records the actions of rules.
    mutating func note(_ hits: [RuleHit]) {
        note(.ruled)
        record?.rules += hits
    }

    mutating func noteTimings(resolve: Duration?, connect: Duration?, tls: Duration?, at now: Timestamp) {
        guard var timings = record?.timings else { return }
        if let connect {
            let known = connect + (resolve ?? .zero) + (tls ?? .zero)
            timings.blocked = max(.zero, (now - timings.started) - known)
        }
        timings.resolve = resolve ?? timings.resolve
        timings.connect = connect ?? timings.connect
        timings.tls = tls ?? timings.tls
        record?.timings = timings
    }

    /// Records a response head.
    mutating func noteResponse(_ head: ResponseHead, at now: Timestamp, into events: inout [FlowEvent]) {
        guard !head.isInformational else { return noteInformational(head.recorded) }
        record?.answer(
            MessageRecord(head: head.recorded),
            fields: head.fields,
            status: head.receivedStatus,
            at: now
        )
        judge()
        let tellsLength = head.framing != .chunked && head.framing != .untilClose
        noteBegun(head.fields, tellsLength: tellsLength, at: now, into: &events)
    }

    /// Records the exchange when its response begins, if the response is a stream or the exchange is already in the
    /// capture.
    private mutating func noteBegun(
        _ fields: HeaderFields,
        tellsLength: Bool,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        // A body with a known length is soon complete, so it is not treated as a stream.
        guard !tellsLength, StreamFormat(fields) != nil else {
            if wasRecorded { recordAsItStands(into: &events) }
            return
        }
        responsePace.beginStream()
        recordAsItStands(at: now, into: &events)
    }

    private mutating func noteInformational(_ head: [UInt8]) {
        guard head.count <= interimRoom else { return note(.interimLeftOut) }
        interimRoom -= head.count
        record?.informational.append(head)
    }

    private mutating func noteResponse(_ message: MessageRecord, status: Int, at now: Timestamp) {
        record?.answer(message, fields: message.fields, status: status, at: now)
        judge()
    }

    /// The number of the exchange; `nil` if none is open.
    var exchangeID: ExchangeID? { record?.id }

    /// Records that a request is sent in a changed form, together with its original form.
    mutating func noteReplacedRequest(
        _ head: [UInt8],
        _ original: RuleRequest,
        as request: RuleRequest
    ) {
        record?.replaceRequest(head, original, as: request)
    }

    /// Records a held response in the form in which it is sent on.
    mutating func noteHeldResponse(_ head: [UInt8], status: Int, at now: Timestamp) {
        noteResponse(MessageRecord(head: head), status: status, at: now)
    }

    /// Records an answer of the proxy itself.
    ///
    /// If `body` is `nil`, the content is recorded while it is sent.
    mutating func noteAnswer(_ head: [UInt8], _ body: [UInt8]?, status: Int, at now: Timestamp) {
        guard record != nil else { return }
        var message = MessageRecord(head: head)
        if let body {
            message.body.inline = body
            message.body.length = Int64(body.count)
            message.body.capturedLength = Int64(body.count)
            message.body.isComplete = true
        }
        noteResponse(message, status: status, at: now)
    }

    mutating func noteTrailers(_ section: [UInt8], of owner: BodyOwner) {
        record?.end(owner, with: section)
    }

    mutating func noteEnd(of owner: BodyOwner, at now: Timestamp) {
        switch owner {
        case .request:
            record?.request.body.isComplete = true
            record?.timings.requestEnded = now
            record?.noteOperations()
        case .response:
            record?.response?.body.isComplete = true
        }
        judge()
    }

    /// Keeps a copy of the first `count` bytes of `source`, as far as the limits allow.
    mutating func tee(
        _ count: Int,
        of source: borrowing ByteQueue,
        owner: BodyOwner,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        guard let id = record?.id else { return }
        let stream: Timestamp?
        let keeps = keepsBodies && scope.isSelected != false ? policy : nil
        let before = events.count
        // The bodies are changed in place: the compiler (6.3) leaks a body that is taken out of a noncopyable record.
        switch owner {
        case .request:
            if requestPace.notePiece(at: now, pause: limits.streamPause) { recorded = nil }
            stream = requestPace.isStream ? now : nil
            let place = Place(id: id, owner: owner, stream: stream, wasRecorded: wasRecorded)
            record?.request.body.pass(count, of: source, place, keeps, into: &events)
        case .response:
            if responsePace.notePiece(at: now, pause: limits.streamPause) { recorded = nil }
            stream = responsePace.isStream ? now : nil
            let place = Place(id: id, owner: owner, stream: stream, wasRecorded: wasRecorded)
            record?.response?.body.pass(count, of: source, place, keeps, into: &events)
        }
        scope.sift(after: before, &events)
        guard stream != nil else { return }
        if let recorded, now - recorded < limits.streamRecordInterval { return }
        recordAsItStands(at: now, into: &events)
    }

    /// The message that a piece of a body belongs to.
    fileprivate struct Place {
        let id: ExchangeID
        let owner: BodyOwner
        /// The time at which the piece arrived, if the body is a stream; otherwise `nil`.
        let stream: Timestamp?
        /// Whether earlier parts of the body are already in the capture.
        let wasRecorded: Bool
    }

    /// Begins a relay: bytes that pass from now on belong to the exchange, if there is one.
    ///
    /// The exchange is recorded at once, because the relay may last for hours.
    ///
    /// - Parameters:
    ///   - rules: The rules for the messages of a WebSocket; `nil` if there are none.
    ///   - events: The list to which records are appended.
    mutating func beginRelay(_ rules: MessageRules?, into events: inout [FlowEvent]) {
        guard let record, let answer = record.response?.fields else { return }
        if WebSocketAgreement.isOpened(status: record.status, answer: answer) {
            beginWebSocket(WebSocketAgreement(answer: answer), rules)
        }
        recordAsItStands(into: &events)
    }

    /// Records the current state of the exchange, which continues.
    mutating func recordAsItStands(into events: inout [FlowEvent]) {
        guard let record, scope.isSelected == true else { return }
        wasRecorded = true
        events.append(.exchange(record))
    }

    /// Begins a WebSocket: bytes that are relayed from now on are its messages.
    mutating func beginWebSocket(_ agreement: WebSocketAgreement, _ rules: MessageRules?) {
        guard let id = record?.id else { return }
        let tap = WebSocketTap(id, agreement: agreement, limits: limits, keepsPayloads: keepsBodies)
        webSocket = Boxed(WebSocketRelay(tap, rules: rules, agreement: agreement))
        note(.webSocket)
    }

    /// The number of the exchange if it has opened a WebSocket; otherwise `nil`.
    var openWebSocket: ExchangeID? { hasWebSocket ? record?.id : nil }

    private var hasWebSocket: Bool {
        switch webSocket {
        case .some: true
        case .none: false
        }
    }

    /// Whether bytes of a WebSocket must pass through ``edit(into:_:)``, and are not only watched.
    var isEditing: Bool {
        switch webSocket {
        case .some(let relay): relay.value.isEditing
        case .none: false
        }
    }

    /// Calls `body` with the WebSocket.
    ///
    /// - Parameters:
    ///   - events: The list to which records are appended.
    ///   - body: A function that changes the WebSocket.
    /// - Returns: The bytes for both sides; empty if there is no WebSocket.
    /// - Throws: Any error that `body` throws.
    mutating func edit<Failure: Error>(
        into events: inout [FlowEvent],
        _ body: (inout WebSocketRelay, inout [FlowEvent]) throws(Failure) -> WebSocketOutput
    ) throws(Failure) -> WebSocketOutput {
        guard let relay = webSocket.take() else { return WebSocketOutput() }
        let before = events.count
        defer { scope.sift(after: before, &events) }
        do throws(Failure) {
            let output = try body(&relay.value, &events)
            if relay.value.tap.failure != nil { note(.webSocketBroken) }
            webSocket = consume relay
            return output
        } catch {
            webSocket = consume relay
            throw error
        }
    }

    /// Records the first `count` bytes of `source`, which are relayed: messages of a WebSocket, or bytes of another
    /// protocol.
    mutating func relay(
        _ count: Int,
        of source: borrowing ByteQueue,
        from side: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        guard let relay = webSocket.take() else {
            let owner = side == .client ? BodyOwner.request : .response
            return tee(count, of: source, owner: owner, at: now, into: &events)
        }
        let before = events.count
        relay.value.watch(source.slice(count), from: side, at: now, into: &events)
        scope.sift(after: before, &events)
        if relay.value.tap.failure != nil { note(.webSocketBroken) }
        webSocket = consume relay
    }

    private mutating func endWebSocket(into events: inout [FlowEvent]) {
        guard let relay = webSocket.take() else { return }
        let before = events.count
        relay.value.end(into: &events)
        scope.sift(after: before, &events)
        record?.messages = relay.value.tap.messages
        record?.messageBytes = relay.value.tap.payloadBytes
        record?.noteClose(relay.value.tap.closeCode)
        // RFC 9110 §15.2.2: neither message has a body; the bytes that followed are recorded as messages.
        record?.response?.body.isComplete = true
    }

    /// Ends the record and appends it to `events`, after all its parts.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the exchange.
    ///   - now: The time.
    ///   - flow: The record of its flow, which is evaluated only if the scope of the capture depends on it.
    ///   - events: The list to which records are appended.
    /// - Returns: The outcome that is recorded.
    mutating func end(
        _ outcome: ExchangeOutcome,
        at now: Timestamp,
        of flow: @autoclosure () -> FlowRecord,
        into events: inout [FlowEvent]
    ) -> ExchangeOutcome {
        endWebSocket(into: &events)
        guard let ended = record.take() else { return outcome }
        return end(ended, outcome, at: now, of: flow, into: &events)
    }

    /// Ends a record, which moves into `events`: a copy would retain each part of it.
    private mutating func end(
        _ ended: consuming ExchangeRecord,
        _ outcome: ExchangeOutcome,
        at now: Timestamp,
        of flow: () -> FlowRecord,
        into events: inout [FlowEvent]
    ) -> ExchangeOutcome {
        ended.timings.ended = now
        let settled = wasBrokenOff ? outcome : ended.settled(outcome)
        ended.outcome = settled
        ended.noteProtocolStatus(isOwn: true) { bytes, codings, isBase64 in
            let stream = ContentStream(codings: codings, isBase64: isBase64)
            stream.append(bytes)
            return stream.failure == nil ? stream.content : nil
        }
        scope.end(ended, in: policy.value.captured, flow: flow, into: &events)
        return settled
    }
}

extension ExchangeRecord {
    /// The shortest waiting time of a long poll; shorter waits count as waits for a page.
    private static let longPoll = Duration.seconds(5)

    /// Returns the final outcome of an exchange that its client closed, which is no failure for endless exchanges.
    fileprivate func settled(_ outcome: ExchangeOutcome) -> ExchangeOutcome {
        // A server may answer before the request is over, such as with 413; the client then need not send the rest
        // (RFC 9110 §9.3.5, RFC 9112 §9.5).
        if [.failed, .abortedByClient].contains(outcome.kind), let response,
            response.body.isComplete, !request.body.isComplete
        {
            return .completed
        }
        guard case .aborted(by: .client, let detail) = outcome else { return outcome }
        if isEndless {
            return .closedByClient("the client closed a stream that has no end of its own: \(detail)")
        }
        let waited = (timings.ended ?? timings.started) - timings.started
        guard response == nil, request.body.isComplete, waited >= Self.longPoll else { return outcome }
        return .closedByClient(
            "the client waited for \(waited.secondsText), got no response and closed: \(detail)"
        )
    }

    /// Whether the exchange lasts until a side closes it: a WebSocket, or a stream of events or messages.
    private var isEndless: Bool {
        if notes.contains(.webSocket) { return true }
        guard let response, !response.body.isComplete else { return false }
        let fields = response.fields
        return StreamFormat(fields) != nil && fields.first("content-length") == nil
    }
}

/// Whether the exchanges that ended last were closed by their client without a failure.
struct QuietEnd {
    private var time = Timestamp(microseconds: 0)
    private var isQuiet = false

    /// Notes the end of an exchange; of exchanges that end at the same time, all must have ended quietly.
    mutating func note(_ outcome: ExchangeOutcome, at now: Timestamp) {
        // A complete answer is whole, whatever the client leaves unsent.
        let isWhole = outcome.kind == .closedByClient || outcome.kind == .completed
        isQuiet = isWhole && (isQuiet || time != now)
        time = now
    }

    /// Sets the outcome of a flow: the flow has not failed if its client only closed endless streams.
    func settle(_ flow: inout FlowRecord, at now: Timestamp) {
        guard isQuiet, time == now, let outcome = flow.outcome, outcome.kind == .aborted,
            outcome.fault == .client
        else { return }
        flow.outcome = Outcome(.completed, detail: outcome.detail)
    }
}

extension BodyRecord {
    /// Counts the first `count` bytes of `source`, and keeps them as far as the limits allow; keeps nothing if
    /// `policy` is `nil`.
    fileprivate mutating func pass(
        _ count: Int,
        of source: borrowing ByteQueue,
        _ place: ExchangeRecorder.Place,
        _ policy: Shared<ProxyPolicy>?,
        into events: inout [FlowEvent]
    ) {
        length += Int64(count)
        guard let limits = policy?.value.limits else { return }
        let kept = Int(min(Int64(count), limits.bodyCapture - capturedLength))
        // Once bytes were left out, nothing more is kept, so that the kept bytes are a prefix of the body.
        guard kept > 0, capturedLength + Int64(count) == length else { return }
        capturedLength += Int64(kept)
        if let stream = place.stream {
            events.appendPiece(place.id, place.owner, source.prefix(kept), at: stream)
        } else if !place.wasRecorded, inline.count + kept <= limits.bodyInline,
            capturedLength <= Int64(limits.bodyInline)
        {
            inline.append(contentsOf: source.slice(kept))
        } else {
            events.append(.bodyPart(place.id, place.owner, source.prefix(kept)))
        }
    }
}

extension [FlowEvent] {
    /// Appends a piece of a stream, or joins it to the last piece if both arrived at the same time.
    fileprivate mutating func appendPiece(
        _ id: ExchangeID,
        _ owner: BodyOwner,
        _ bytes: [UInt8],
        at now: Timestamp
    ) {
        guard case .bodyPiece(id, owner, var before, now) = last, before.count < Self.joinedBytes else {
            return append(.bodyPiece(id, owner, bytes, now))
        }
        removeLast()
        before.append(contentsOf: bytes)
        append(.bodyPiece(id, owner, before, now))
    }

    private static var joinedBytes: Int { 64 << 10 }
}

// Swift 6.3 never releases the value that is replaced if a part of an optional is set in a noncopyable type, as in
// `record?.path = path`. So everything but numbers is set in functions of the record.
extension ExchangeRecord {
    fileprivate mutating func answer(
        _ message: MessageRecord,
        fields: HeaderFields,
        status: Int,
        at now: Timestamp
    ) {
        timings.responseStarted = now
        self.status = status
        noteResponse(fields)
        response = message
    }

    fileprivate mutating func replaceRequest(
        _ head: [UInt8],
        _ original: RuleRequest,
        as request: RuleRequest
    ) {
        self.request.head = head
        method = request.method
        // The parts that did not change keep their original bytes, because a path need not be text.
        guard request.url != original.url else { return }
        scheme = request.scheme
        authority = request.authority
        path = request.path
    }

    fileprivate mutating func belong(to user: String) { proxyUser = user }

    fileprivate mutating func noteClose(_ code: UInt16?) {
        protocolStatus = code.map { .webSocket(close: Int64($0)) }
    }

    fileprivate mutating func noteOperations() { graphQL = operations }

    fileprivate mutating func end(_ owner: BodyOwner, with trailers: [UInt8]) {
        switch owner {
        case .request: request.trailers = trailers
        case .response: response?.trailers = trailers
        }
    }
}
