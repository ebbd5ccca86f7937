import PinholeModel
import PinholeRules
import PinholeWire

/// Builds the record of the exchange under way from what passes, and keeps a capped copy of its bodies.
struct ExchangeRecorder: ~Copyable {
    private var record: ExchangeRecord?
    /// Reads along where the exchange became a WebSocket; boxed, since hardly any does.
    private var webSocket: Boxed<WebSocketRelay>?
    private var requestPace = BodyPace()
    private var responsePace = BodyPace()
    /// When a stream was last recorded as it stood.
    private var recorded: Timestamp?
    /// Whether the exchange was recorded while it went on: what passes of its bodies from then on is, in parts.
    private var wasRecorded = false
    /// Bytes that are still kept of interim responses.
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

    /// Whether an exchange is under way.
    var isActive: Bool { record != nil }

    /// The bytes of the response's body that have passed; `nil` while there is no response.
    var responseLength: Int64? { record?.response?.body.length }

    /// Begins the record.
    ///
    /// - Parameters:
    ///   - new: The record.
    ///   - isStream: Whether the request's body is a stream by its type: it is recorded as it stands.
    ///   - flow: The flow that it belongs to; asked for where what is recorded depends on it.
    ///   - events: Takes what is recorded.
    mutating func begin(
        _ new: ExchangeRecord,
        isStream: Bool,
        of flow: @autoclosure () -> FlowRecord,
        into events: inout [FlowEvent]
    ) {
        record = new
        scope.begin(new, in: policy.value.captured, flow: flow)
        requestPace = BodyPace()
        responsePace = BodyPace()
        recorded = nil
        wasRecorded = false
        wasBrokenOff = false
        interimRoom = limits.interimCapture
        guard isStream else { return }
        requestPace.beginStream()
        recordAsItStands(at: new.timings.started, into: &events)
    }

    /// Records an exchange that goes on.
    private mutating func recordAsItStands(at now: Timestamp, into events: inout [FlowEvent]) {
        guard record != nil, scope.isMeant == true else { return }
        recorded = now
        recordAsItStands(into: &events)
    }

    /// Whether an exchange goes on that was not recorded yet, and is meant as far as is known.
    var isUnrecorded: Bool { record != nil && !wasRecorded && scope.isMeant == true }

    /// Records the exchange under way as it stands, where it began before `moment` and was not recorded yet: what takes
    /// long is seen while it does.
    mutating func recordSlow(before moment: Timestamp, into events: inout [FlowEvent]) {
        guard isUnrecorded, let started = record?.timings.started, started <= moment else { return }
        recordAsItStands(into: &events)
    }

    /// Notes that the client named an error as it ended the exchange.
    mutating func noteClientError() { wasBrokenOff = true }

    mutating func note(_ note: ExchangeNote) {
        guard record?.notes.contains(note) == false else { return }
        record?.notes.append(note)
    }

    /// Notes whose request it is.
    mutating func note(user: String) {
        record?.belong(to: user)
        scope.judge(record)
    }

    /// Notes which rules acted.
    mutating func note(_ hits: [RuleHit]) {
        note(.ruled)
        record?.rules += hits
    }

    mutating func noteTimings(resolve: Duration?, connect: Duration?, tls: Duration?, at now: Timestamp) {
        guard var timings = record?.timings else { return }
        if let connect {
            timings.blocked = max(.zero, (now - timings.started) - connect - (resolve ?? .zero))
        }
        timings.resolve = resolve ?? timings.resolve
        timings.connect = connect ?? timings.connect
        timings.tls = tls ?? timings.tls
        record?.timings = timings
    }

    /// Notes a response head.
    mutating func noteResponse(_ head: ResponseHead, at now: Timestamp, into events: inout [FlowEvent]) {
        guard !head.isInformational else { return noteInformational(head.recorded) }
        noteResponse(head.recorded, status: head.receivedStatus, at: now)
        let tellsLength = head.framing != .chunked && head.framing != .untilClose
        noteBegun(head.fields, tellsLength: tellsLength, at: now, into: &events)
    }

    /// Records a response that has begun where it is a stream, or where the exchange is in the capture already.
    private mutating func noteBegun(
        _ fields: HeaderFields,
        tellsLength: Bool,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        // Of what tells its length all is there soon.
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

    private mutating func noteResponse(_ head: [UInt8], status: Int, at now: Timestamp) {
        record?.answer(MessageRecord(head: head), status: status, at: now)
        scope.judge(record)
    }

    /// The number of the exchange.
    var exchangeID: ExchangeID? { record?.id }

    /// Notes that a request goes on as another one than came: the record has that, and what was asked for with it.
    ///
    /// - Parameters:
    ///   - head: The head that is sent.
    ///   - original: The request as it came.
    ///   - request: The request as it is sent.
    mutating func noteReplacedRequest(
        _ head: [UInt8],
        _ original: RuleRequest,
        as request: RuleRequest
    ) {
        record?.replaceRequest(head, original, as: request)
    }

    /// Notes a response that was held: as it goes on, where it became another one.
    mutating func noteHeldResponse(_ head: [UInt8], status: Int, at now: Timestamp) {
        noteResponse(head, status: status, at: now)
    }

    /// Notes an answer that the proxy gave itself; one without a body has its content teed as it is sent.
    mutating func noteAnswer(_ head: [UInt8], _ body: [UInt8]?, status: Int, at now: Timestamp) {
        guard record != nil else { return }
        var message = MessageRecord(head: head)
        if let body {
            message.body.inline = body
            message.body.length = Int64(body.count)
            message.body.capturedLength = Int64(body.count)
            message.body.isComplete = true
        }
        record?.answer(message, status: status, at: now)
        scope.judge(record)
    }

    mutating func noteTrailers(_ section: [UInt8], of owner: BodyOwner) {
        record?.end(owner, with: section)
    }

    mutating func noteEnd(of owner: BodyOwner, at now: Timestamp) {
        switch owner {
        case .request:
            record?.request.body.isComplete = true
            record?.timings.requestEnded = now
        case .response:
            record?.response?.body.isComplete = true
        }
        scope.judge(record)
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
        let keeps = keepsBodies && scope.isMeant != false ? policy : nil
        let before = events.count
        // Where they lie: the compiler (6.3) leaks a body that is taken out of a record that cannot be copied.
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

    /// What a piece of a body belongs to.
    fileprivate struct Place {
        let id: ExchangeID
        let owner: BodyOwner
        /// When it was there, where the body is a stream.
        let stream: Timestamp?
        /// Whether what was kept before is in the capture, and others follow it.
        let wasRecorded: Bool
    }

    /// The connection became a relay: what passes from now on belongs to the exchange, if there is one.
    ///
    /// It is recorded as it stands, since it may go on for hours.
    ///
    /// - Parameters:
    ///   - rules: What is done with messages, where it became a WebSocket.
    ///   - events: Takes what is recorded.
    mutating func beginRelay(_ rules: MessageRules?, into events: inout [FlowEvent]) {
        guard let record, let answer = record.response?.fields else { return }
        if WebSocketAgreement.isOpened(status: record.status, answer: answer) {
            beginWebSocket(WebSocketAgreement(answer: answer), rules)
        }
        recordAsItStands(into: &events)
    }

    /// Records the exchange, which goes on.
    mutating func recordAsItStands(into events: inout [FlowEvent]) {
        guard let record, scope.isMeant == true else { return }
        wasRecorded = true
        events.append(.exchange(record))
    }

    /// The exchange became a WebSocket: what is relayed from now on are its messages.
    mutating func beginWebSocket(_ agreement: WebSocketAgreement, _ rules: MessageRules?) {
        guard let id = record?.id else { return }
        let tap = WebSocketTap(id, agreement: agreement, limits: limits, keepsPayloads: keepsBodies)
        webSocket = Boxed(WebSocketRelay(tap, rules: rules, agreement: agreement))
        note(.webSocket)
    }

    /// The exchange under way, where it became a WebSocket.
    var openWebSocket: ExchangeID? { hasWebSocket ? record?.id : nil }

    private var hasWebSocket: Bool {
        switch webSocket {
        case .some: true
        case .none: false
        }
    }

    /// Whether bytes of a WebSocket have to pass through ``edit(_:_:)``, and not only by.
    var isEditing: Bool {
        switch webSocket {
        case .some(let relay): relay.value.isEditing
        case .none: false
        }
    }

    /// Does something with the WebSocket.
    ///
    /// - Parameters:
    ///   - events: Takes what is recorded.
    ///   - body: What is done.
    /// - Returns: What goes to both sides.
    /// - Throws: What `body` throws.
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

    /// Takes note of the first `count` bytes of `source`, which are relayed: messages of a WebSocket, or
    /// bytes of whatever else.
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
        // RFC 9110 §15.2.2: neither message has a body; what followed is recorded as messages.
        record?.response?.body.isComplete = true
    }

    /// Ends the record and appends it to `events`, after what belongs to it.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - now: The time.
    ///   - flow: The flow that it belongs to; asked for where what is recorded depends on it.
    ///   - events: Takes what is recorded.
    /// - Returns: The outcome as it is recorded.
    mutating func end(
        _ outcome: ExchangeOutcome,
        at now: Timestamp,
        of flow: @autoclosure () -> FlowRecord,
        into events: inout [FlowEvent]
    ) -> ExchangeOutcome {
        endWebSocket(into: &events)
        guard var ended = record.take() else { return outcome }
        ended.timings.ended = now
        let settled = wasBrokenOff ? outcome : ended.settled(outcome)
        ended.outcome = settled
        scope.end(ended, in: policy.value.captured, flow: flow, into: &events)
        return settled
    }
}

extension ExchangeRecord {
    /// The shortest waiting time of a long poll; a shorter wait counts as that for a page.
    private static let longPoll = Duration.seconds(5)

    /// The final outcome of an exchange that its client closed, which is no failure for endless exchanges.
    fileprivate func settled(_ outcome: ExchangeOutcome) -> ExchangeOutcome {
        guard case .aborted(by: .client, let detail) = outcome else { return outcome }
        if isEndless {
            return .closedByClient("the client closed a stream that has no end of its own: \(detail)")
        }
        let waited = (timings.ended ?? timings.started) - timings.started
        guard response == nil, request.body.isComplete, waited >= Self.longPoll else { return outcome }
        return .closedByClient(
            "the client waited for \(waited.secondsText), got no answer and closed: \(detail)"
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
        let closed = outcome.kind == .closedByClient
        isQuiet = closed && (isQuiet || time != now)
        time = now
    }

    /// Sets the outcome of the flow, which has not failed if its client closed only endless streams.
    func settle(_ flow: inout FlowRecord, at now: Timestamp) {
        guard isQuiet, time == now, let outcome = flow.outcome, outcome.kind == .aborted,
            outcome.fault == .client
        else { return }
        flow.outcome = Outcome(.completed, detail: outcome.detail)
    }
}

extension BodyRecord {
    /// Counts the first `count` bytes of `source`, and keeps them as far as the policy's limits allow; nothing where
    /// there is none.
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
        // Once something was left out nothing more is kept, so that what is kept is a prefix.
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
    /// Appends a piece of a stream, or joins it to the last one where that came at the same moment.
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

// Swift 6.3 never releases the value that is replaced where a part of an optional is set in a type that cannot be copied,
// as in `record?.path = path`: so all that is more than a number is set here.
extension ExchangeRecord {
    fileprivate mutating func answer(_ message: MessageRecord, status: Int, at now: Timestamp) {
        timings.responseStarted = now
        self.status = status
        response = message
    }

    fileprivate mutating func replaceRequest(
        _ head: [UInt8],
        _ original: RuleRequest,
        as request: RuleRequest
    ) {
        self.request.head = head
        method = request.method
        // What was not changed stays as it was read: a path need not be text.
        guard request.url != original.url else { return }
        scheme = request.scheme
        authority = request.authority
        path = request.path
    }

    fileprivate mutating func belong(to user: String) { proxyUser = user }

    fileprivate mutating func end(_ owner: BodyOwner, with trailers: [UInt8]) {
        switch owner {
        case .request: request.trailers = trailers
        case .response: response?.trailers = trailers
        }
    }
}
