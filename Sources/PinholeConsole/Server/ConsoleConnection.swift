import PinholeModel
import PinholeRuntime
import PinholeSession
package import PinholeStore
package import PinholeWire

/// The decision about a request by its head.
package enum ConsoleAdmission: Sendable {
    /// The request is not answered but with this refusal.
    case refused(ConsoleAnswer)
    /// The request is answered without a login. Its connection stays a stranger, and its body must be small.
    case open
    /// The request belongs to this account of the server.
    case account(Int)
}

/// Answers the requests of a connection.
package protocol ConsoleResponder: Sendable {
    /// Decides about a request by its head, before its body is read.
    func admission(of head: RequestHead) -> ConsoleAdmission
    /// Returns the file that receives the body of a request; `nil` to keep the body in memory.
    func reception(of head: RequestHead) throws(CaptureFailure) -> ImportFile?
    /// Answers a request, on any thread.
    func answer(_ request: ConsoleRequest, _ reply: @escaping @Sendable (ConsoleAnswer) -> Void)
}

extension ConsoleResponder {
    /// Keeps the body in memory.
    package func reception(of head: RequestHead) -> ImportFile? { nil }
}

/// A result that another thread posts to a connection, for the request with a number.
struct PostedResult: Sendable {
    enum Content: Sendable {
        case answer(ConsoleAnswer)
        case piece(BodyPiece)
        /// The source of an answer that waited has another piece.
        case isReady
    }

    let request: Int
    let content: Content
}

/// The console's end of one connection, without a socket.
///
/// ```
///             ┌────────────────────────────────────────────────┐
///             ▼                                                │
/// new ──► reading ──► gathering ──► waiting ──► sending ───────┤
///             │           │                        ▲  │ pulls  │
///             │           └── refused ─────────────┘  └── ◄────┘
///             └──► over ◄── any stage: a deadline, the peer's end, a failure
/// ```
///
/// Invariants:
/// - One request is handled at a time. Later requests wait in `inbox`, also while long answers are sent.
/// - The responder is asked for an answer once, and for a piece of it only if the outbox has room.
/// - A piece for an earlier request is dropped.
/// - The connection has a place of its account from an accepted head on, before the body is read, and until a later
///   head is not accepted.
/// - `over` is final.
struct ConsoleConnection: ServedConnection, ~Copyable {
    private enum Stage {
        case reading
        case gathering
        case waiting
        case sending(any BodySource)
        case over
    }

    var inbox = ByteQueue()
    var outbox = ByteQueue()
    private(set) var ending: ConnectionEnding?
    private(set) var wake: Timestamp?

    private let responder: any ConsoleResponder
    private let limits: ConsoleLimits
    /// Posts a result to this connection, from any thread.
    private let post: @Sendable (PostedResult) -> Void
    private var stage = Stage.reading
    private var reader: HTTP1Reader
    private var head: RequestHead?
    private var body: [UInt8] = []
    /// The largest size of the current request's body.
    private var largestBody = 0
    /// The file that receives the body; `nil` if the body is kept in memory.
    private var file: ImportFile?
    private var number = 0
    private var abandonment: Abandonment?
    private var refusal: ConsoleAnswer?
    /// The account of the last request; `nil` for a stranger.
    private var account: Int?
    /// Whether the next request is held back until more of the earlier answers has been written.
    private var isHeldBack = false
    /// Whether a byte of the next head was received.
    private var hasBegun = false
    private var closesAfterwards = false
    private var isChunked = false
    private var isPulling = false
    private var pullsAt: Timestamp?
    /// Whether the source of the answer may wake the connection before ``pullsAt``.
    private var isAwaited = false
    private var hasInputEnded = false
    /// The time at which the stage or the head began.
    private var since: Timestamp
    private var progressed: Timestamp
    private var unsent = 0

    init(
        responder: any ConsoleResponder,
        limits: ConsoleLimits,
        now: Timestamp,
        post: @escaping @Sendable (PostedResult) -> Void
    ) {
        self.responder = responder
        self.limits = limits
        self.post = post
        reader = HTTP1Reader(reading: .requests, limits: limits.reading)
        since = now
        progressed = now
    }

    var wantsRead: Bool { isOver || inbox.count < limits.headBytes * 2 }

    var hasMoreToSay: Bool {
        switch stage {
        case .reading: isHeldBack
        case .sending: !isPulling && pullsAt == nil && hasRoom
        case .gathering, .waiting, .over: false
        }
    }

    /// Whether the outbox has room for another piece.
    private var hasRoom: Bool { outbox.count < limits.outputHighWater }

    var standing: Admission.Standing {
        guard let account else { return .stranger }
        guard case .reading = stage, !hasBegun, outbox.isEmpty else { return .busy(.account(account)) }
        return .idle(.account(account))
    }

    private var isOver: Bool {
        if case .over = stage { true } else { false }
    }

    mutating func advance(at now: Timestamp) {
        if outbox.count < unsent || outbox.isEmpty { progressed = now }
        if let wake, now >= wake { expire(at: now) }
        // A pause that is over is forgotten, so that it causes no second wake-up if the next piece has no room.
        if let pullsAt, now >= pullsAt { self.pullsAt = nil }
        converse(at: now)
        pull(at: now)
        if isOver { inbox.removeAll() }
        unsent = outbox.count
        wake = [deadline, pullsAt].compactMap(\.self).min()
    }

    mutating func ended(at now: Timestamp) {
        hasInputEnded = true
        converse(at: now)
        switch stage {
        case .reading, .gathering: finish(.close)
        // The client has closed its side, so an endless answer has no reader.
        case .sending where isChunked: finish(.close)
        // A query is cancelled if its client has gone; a request that changes something is completed.
        case .waiting where isQuestion: finish(.close)
        case .waiting, .sending, .over: break
        }
    }

    private var isQuestion: Bool { head?.method == "GET" || head?.method == "HEAD" }

    mutating func turnAway(at now: Timestamp) {
        account = nil
        guard !isOver else { return }
        closesAfterwards = true
        // The answer to the request that was asked for, if any, comes too late.
        number += 1
        abandonment?.abandon()
        switch stage {
        case .reading: return finish(.close)
        case .sending: return finish(.reset)
        case .gathering, .waiting, .over: break
        }
        respond(
            Problem(
                503,
                "busy",
                "all connections of this login are in use",
                remedy: "close other pages of the console, and try again"
            ).answer,
            at: now
        )
    }

    mutating func abandoned() {
        abandonment?.abandon()
        if case .sending(let source) = stage { source.cancel() }
        stage = .over
    }

    /// Handles a result that was posted from another thread.
    mutating func deliver(_ result: PostedResult, at now: Timestamp) {
        guard result.request == number else { return }
        switch (result.content, stage) {
        case (.answer(let answer), .waiting): respond(answer, at: now)
        case (.piece(let piece), .sending): take(piece, at: now)
        case (.answer(let answer), _):
            // The request of this answer is no longer current.
            if case .source(let source, _) = answer.body { source.cancel() }
        case (.isReady, .sending):
            // A late call of an action must not shorten a pause.
            if isAwaited { (pullsAt, isAwaited) = (nil, false) }
        case (.piece, _), (.isReady, _): break
        }
    }

    // MARK: Time

    private var deadline: Timestamp? {
        if isOver { return nil }
        if !outbox.isEmpty { return progressed + limits.stallTimeout }
        switch stage {
        case .reading:
            return since + (number > 0 && !hasBegun ? limits.idleTimeout : limits.headTimeout)
        case .gathering: return since + limits.bodyTimeout
        case .waiting, .sending, .over: return nil
        }
    }

    /// Acts on the deadline, unless the deadline has moved.
    private mutating func expire(at now: Timestamp) {
        guard let deadline, now >= deadline else { return }
        if !outbox.isEmpty { return finish(.reset) }
        switch stage {
        case .reading: finish(.close)
        case .gathering:
            closesAfterwards = true
            let detail = "the body did not come within \(limits.bodyTimeout.components.seconds) seconds"
            respond(Problem(408, "request timeout", detail).answer, at: now)
        case .waiting, .sending, .over: break
        }
    }

    // MARK: Requests

    private mutating func converse(at now: Timestamp) {
        while true {
            switch stage {
            case .reading:
                isHeldBack = !hasRoom
                guard hasRoom else { return }
                // The timeout of a head counts from its first byte.
                if !hasBegun, !inbox.isEmpty {
                    hasBegun = true
                    since = now
                }
            case .gathering: break
            case .waiting, .sending, .over: return
            }
            do throws(HTTP1Failure) {
                guard let element = try reader.next(&inbox) else { return }
                take(element, at: now)
            } catch {
                closesAfterwards = true
                respond(Problem(error.status, "bad request", error.detail).answer, at: now)
            }
        }
    }

    private mutating func take(_ element: HTTP1Element, at now: Timestamp) {
        switch element {
        case .request(let head): begin(head, at: now)
        case .body(let count):
            if let file { return take(count, into: file, at: now) }
            if body.count + count > largestBody { return refuseBody(largestBody, at: now) }
            body.append(contentsOf: inbox.slice(count))
            inbox.consume(count)
        case .framing(let count), .reframed(let count, _): inbox.consume(count)
        case .trailers, .response: break
        case .end: ask(at: now)
        }
    }

    /// Writes a piece of a body to its file.
    private mutating func take(_ count: Int, into file: ImportFile, at now: Timestamp) {
        guard file.size + Int64(count) <= limits.fileBytes else {
            return refuseBody(Int(limits.fileBytes), at: now)
        }
        do throws(CaptureFailure) {
            try file.append(inbox.slice(count))
        } catch {
            return refuseFile(error, at: now)
        }
        inbox.consume(count)
        since = now
    }

    private mutating func refuseFile(_ failure: CaptureFailure, at now: Timestamp) {
        closesAfterwards = true
        respond(Problem(507, "no room for the file", failure.description).answer, at: now)
    }

    private mutating func begin(_ head: RequestHead, at now: Timestamp) {
        number += 1
        self.head = head
        body = []
        file = nil
        since = now
        stage = .gathering
        closesAfterwards = !head.isKeepAlive
        (refusal, account) = (nil, nil)
        switch responder.admission(of: head) {
        case .refused(let answer): refusal = answer
        case .open: break
        case .account(let number): account = number
        }
        guard head.framing.hasBody else { return }
        if let refusal {
            closesAfterwards = true
            return respond(refusal, at: now)
        }
        if account != nil {
            do throws(CaptureFailure) {
                file = try responder.reception(of: head)
            } catch {
                return refuseFile(error, at: now)
            }
        }
        largestBody = account == nil ? limits.strangerBodyBytes : limits.bodyBytes
        let most = file == nil ? largestBody : Int(limits.fileBytes)
        if case .length(let length) = head.framing, length > Int64(most) {
            refuseBody(most, at: now)
        } else if head.expectsContinue {
            outbox.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
    }

    private mutating func refuseBody(_ most: Int, at now: Timestamp) {
        closesAfterwards = true
        let detail = "expected a body of at most \(most) bytes"
        respond(Problem(413, "body too large", detail).answer, at: now)
    }

    private mutating func ask(at now: Timestamp) {
        guard let head else { return }
        if let refusal = refusal.take() { return respond(refusal, at: now) }
        stage = .waiting
        let abandonment = Abandonment()
        self.abandonment = abandonment
        var request = ConsoleRequest(head: head, body: body, abandonment: abandonment)
        request.file = file.take()
        body = []
        let (post, number) = (post, number)
        responder.answer(request) { post(PostedResult(request: number, content: .answer($0))) }
    }

    // MARK: Answers

    private mutating func respond(_ answer: ConsoleAnswer, at now: Timestamp) {
        file = nil
        let isHead = head?.method == "HEAD"
        let isOld = head?.version == .http10
        var fields = HeaderFields()
        for field in ConsoleHeaders.all(for: answer) { fields.append(field.name, field.value) }
        var framing = BodyFraming.none
        isChunked = false
        switch answer.body {
        case .bytes(let bytes) where answer.status != 204 && answer.status != 304:
            fields.append("Content-Length", "\(bytes.count)")
            if !isHead { framing = .length(Int64(bytes.count)) }
        case .source(_, let length?):
            fields.append("Content-Length", "\(length)")
            if !isHead { framing = .length(length) }
        case .source where isOld:
            closesAfterwards = true
            framing = isHead ? .none : .untilClose
        case .source:
            isChunked = !isHead
            fields.append("Transfer-Encoding", "chunked")
            if !isHead { framing = .chunked }
        case .bytes: break
        }
        let response = ResponseHead(
            status: answer.status,
            reason: ReasonPhrase.of(answer.status),
            fields: fields,
            framing: framing
        )
        do throws(HTTP1Failure) {
            try HTTP1Writer.write(
                response: response,
                closing: closesAfterwards,
                keepAliveForHTTP10: isOld,
                into: &outbox
            )
        } catch {
            // A field that was made of captured data contains a character that is not allowed.
            return finish(.reset)
        }
        begin(answer.body, isHead: isHead, at: now)
    }

    private mutating func begin(_ body: ConsoleAnswer.Body, isHead: Bool, at now: Timestamp) {
        switch body {
        case .bytes(let bytes):
            if !isHead { outbox.append(bytes) }
            finishAnswer(at: now)
        case .source(let source, _):
            guard !isHead else {
                source.cancel()
                return finishAnswer(at: now)
            }
            isPulling = false
            pullsAt = nil
            stage = .sending(source)
        }
    }

    /// Requests the next piece of an answer if there is room for it.
    private mutating func pull(at now: Timestamp) {
        guard case .sending(let source) = stage, !isPulling, hasRoom, pullsAt == nil else { return }
        (isPulling, isAwaited) = (true, false)
        let (post, number) = (post, number)
        source.next { post(PostedResult(request: number, content: .piece($0))) }
    }

    private mutating func take(_ piece: BodyPiece, at now: Timestamp) {
        isPulling = false
        if !piece.bytes.isEmpty {
            if isChunked { HTTP1Writer.chunkHeader(piece.bytes.count, into: &outbox) }
            outbox.append(piece.bytes)
            if isChunked { outbox.append("\r\n") }
        }
        switch piece.sequel {
        case .next: break
        case .pause(let duration): pullsAt = now + duration
        case .wait(let duration):
            (pullsAt, isAwaited) = (now + duration, true)
            guard case .sending(let source) = stage else { return }
            let (post, number) = (post, number)
            source.wake { post(PostedResult(request: number, content: .isReady)) }
        // A body that ends with its connection would look complete.
        case .failure: finish(isChunked ? .close : .reset)
        case .end:
            if isChunked { outbox.append("0\r\n\r\n") }
            finishAnswer(at: now)
        }
    }

    private mutating func finishAnswer(at now: Timestamp) {
        abandonment = nil
        head = nil
        pullsAt = nil
        if closesAfterwards || hasInputEnded { return finish(.close) }
        stage = .reading
        since = now
        hasBegun = false
    }

    private mutating func finish(_ ending: ConnectionEnding) {
        guard !isOver else { return }
        self.ending = ending
        // A reset connection sends nothing more; bytes in the outbox would keep its socket open.
        if ending == .reset { outbox.removeAll() }
        abandonment?.abandon()
        if case .sending(let source) = stage { source.cancel() }
        stage = .over
        file = nil
        pullsAt = nil
    }
}
