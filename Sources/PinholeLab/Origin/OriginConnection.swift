import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeWire

/// The server's end of one connection, without a socket: bytes in, bytes out, and when to go on.
///
/// ```
/// peeking ──► handshaking ──► open ──► over        plain HTTP begins in open
/// ```
///
/// The connection reads a whole request, and the request's handler makes the steps of the answer. The steps are run one
/// by one; then the next request is read.
struct OriginConnection: ServedConnection, ~Copyable {
    private enum Stage {
        case peeking
        case handshaking
        case open
        case over
    }

    /// The bytes that came from the socket.
    var inbox = ByteQueue()
    /// The bytes that wait to be sent to the socket.
    var outbox = ByteQueue()
    /// The way in which the connection is to be ended; `nil` while it goes on.
    private(set) var ending: ConnectionEnding?
    /// The time at which ``advance(at:)`` has to be called again; `nil` if only bytes matter.
    var wake: Timestamp? { [pause, deadline].compactMap(\.self).min() }

    private let site: OriginSite
    private let limits = Limits()
    private var stage: Stage
    private var engine: TLSEngine?
    private var peer = OriginRequest.Peer()
    private var plain = ByteQueue()
    private var answer = ByteQueue()
    private var reader: HTTP1Reader
    private var request: OriginRequest?
    private var route: OriginRoutes.Route?
    private var steps: ArraySlice<OriginStep> = []
    private var isAnswered = false
    private var hasInputEnded = false
    /// The end of a pause between two steps; `nil` outside of one.
    private var pause: Timestamp?
    /// Whether a request was read, which proves that the client speaks HTTP.
    private var hasAsked = false
    /// The time at which the current request began; `nil` if it was received completely.
    private var requested: Timestamp?
    /// The last time at which the client had read everything, or a part of the answer.
    private var progressed: Timestamp
    private var unsent = 0
    /// The bytes of the current body that count against the bound of the origin.
    private var kept = 0

    /// Creates the end of a connection that was just accepted.
    init(site: OriginSite, now: Timestamp, isSecure: Bool, plainPort: UInt16? = nil) {
        self.site = site
        progressed = now
        peer.plainPort = plainPort
        stage = isSecure ? .peeking : .open
        reader = HTTP1Reader(reading: .requests, limits: limits)
    }

    /// Whether more of the peer's bytes are wanted: not while much waits on either way.
    var wantsRead: Bool {
        stage == .over
            || inbox.count + plain.count < limits.readSize && pendingOutput < limits.outputHighWater
    }

    /// Whether the answer continues as soon as there is room for it.
    var hasMoreToSay: Bool {
        guard stage == .open, pause == nil, let step = steps.first else { return false }
        return step != .hang && step != .echo
    }

    private var pendingOutput: Int { outbox.count + answer.count }

    /// A stranger until the first request; then idle between two requests.
    var standing: Admission.Standing {
        guard hasAsked else { return .stranger }
        return request == nil && pendingOutput == 0 && stage == .open ? .idle(nil) : .busy(nil)
    }

    /// Closes the connection, which has no place.
    mutating func turnAway(at now: Timestamp) { closeInOrder() }

    /// The time at which a slow request, or an answer that is not read, ends the connection.
    ///
    /// The server ends connections that are silent before a request.
    private var deadline: Timestamp? {
        guard stage == .open else { return nil }
        if pendingOutput > 0 { return progressed + site.bounds.stallTime }
        return requested.map { $0 + site.bounds.requestTime }
    }

    /// Gives back the bytes of the body, since the connection is closed.
    mutating func abandoned() { release() }

    private mutating func release() {
        site.bodies.give(back: kept)
        kept = 0
    }

    /// Goes on as far as the bytes and the time allow.
    mutating func advance(at now: Timestamp) {
        if outbox.count < unsent || pendingOutput == 0 { progressed = now }
        if let deadline, now >= deadline {
            outbox.removeAll()
            finish(.reset)
        }
        if stage == .peeking { peek() }
        if stage == .handshaking { handshake() }
        if stage == .open {
            var before: Int
            repeat {
                before = inbox.count
                decrypt()
                converse(at: now)
                // Bytes that did not fit are decrypted once the earlier ones were used.
            } while stage == .open && inbox.count < before
            encrypt()
        }
        if stage == .over { inbox.removeAll() }
        unsent = outbox.count
    }

    /// Notes that the peer sends no more bytes.
    mutating func ended(at now: Timestamp) {
        hasInputEnded = true
        engine?.receiveEnd()
        advance(at: now)
        // A peer that ends while nothing is to be sent is gone. An answer that is on its way is finished.
        if steps.isEmpty || steps.first == .hang { finish(.close) }
    }

    // MARK: TLS

    private mutating func peek() {
        switch ClientHello.peek(inbox.slice(), limits: limits) {
        case .needsMore: return
        case .notTLS, .malformed: finish(.close)
        case .clientHello(let hello):
            peer.serverName = hello.serverName
            engine = try? site.engine(for: hello.serverName)
            stage = .handshaking
            if engine == nil { finish(.close) }
        }
    }

    private mutating func handshake() {
        let step = engine?.handshake(&inbox, &outbox)
        if let early = engine?.takeEarlyData(), !early.isEmpty {
            site.routes.earlyData?(early)
            plain.append(early)
        }
        switch step {
        case .wantsInput: return
        case .failed, nil: finish(.close)
        case .finished:
            peer.version = engine?.version
            peer.clientSubject = engine?.peerCertificate?.subject
            peer.channelBinding = engine?.channelBinding
            stage = .open
        }
    }

    private mutating func decrypt() {
        guard let engine else { return inbox.move(inbox.count, to: &plain) }
        switch engine.decrypt(&inbox, into: &plain, limit: limits.readSize, output: &outbox) {
        case .wantsInput, .limited: return
        case .closed: hasInputEnded = true
        case .failed: finish(.close)
        }
    }

    private mutating func encrypt() {
        guard let engine else { return answer.move(answer.count, to: &outbox) }
        do throws(TLSFailure) {
            try engine.encrypt(&answer, count: answer.count, into: &outbox)
        } catch {
            finish(.close)
        }
    }

    /// Ends the connection; no more is read or answered.
    private mutating func finish(_ ending: ConnectionEnding) {
        guard stage != .over else { return }
        self.ending = ending
        stage = .over
        steps = []
        pause = nil
        request = nil
        release()
    }

    // MARK: HTTP

    /// Reads and answers in turns, until bytes or time are missing.
    private mutating func converse(at now: Timestamp) {
        while stage == .open {
            let read = readOn(at: now)
            let answered = runStep(at: now)
            guard read || answered else { break }
        }
        if stage == .open, hasInputEnded, steps.isEmpty, request == nil { closeInOrder() }
    }

    /// Reads one element, unless an answer to an earlier request is still to be sent.
    private mutating func readOn(at now: Timestamp) -> Bool {
        guard steps.first != .echo, request != nil || steps.isEmpty else { return false }
        guard request == nil || !isComplete else { return false }
        do throws(HTTP1Failure) {
            guard let element = try reader.next(&plain) else {
                if requested == nil, request == nil, !plain.isEmpty { requested = now }
                return false
            }
            take(element, at: now)
        } catch {
            refuse(error.status, error.detail)
        }
        return true
    }

    /// Whether the request was read to its end.
    private var isComplete: Bool { reader.isBetweenMessages }

    private mutating func take(_ element: HTTP1Element, at now: Timestamp) {
        switch element {
        case .request(let head): begin(head, at: now)
        case .body(let count):
            keep(count)
            plain.consume(min(count, plain.count))
        case .framing(let count), .reframed(let count, _): plain.consume(count)
        case .trailers(_, let fields): request?.trailers = fields
        case .end:
            requested = nil
            if !isAnswered { respond() }
            endExchangeIfDone()
        case .response: break
        }
    }

    /// Keeps a piece of the body, or refuses the request if it is too long.
    private mutating func keep(_ count: Int) {
        guard let length = request?.bodyLength, length + Int64(count) <= site.bounds.bodyBytes else {
            return refuseBody()
        }
        let before = request?.body.count ?? 0
        request?.append(plain.slice(count))
        let more = (request?.body.count ?? 0) - before
        guard site.bodies.take(more, of: site.bounds.keptBytes) else { return refuseBody() }
        kept += more
    }

    private mutating func refuseBody() {
        refuse(413, "the body of the request is too long for this server")
    }

    private mutating func begin(_ head: RequestHead, at now: Timestamp) {
        hasAsked = true
        requested = requested ?? now
        var request = OriginRequest(head: head, peer: peer)
        let route = site.routes.route(for: request.path)
        request.remainder = route.remainder
        self.request = request
        self.route = route
        isAnswered = false
        if case .length(let length) = head.framing, length > site.bounds.bodyBytes { return refuseBody() }
        if route.answersEarly {
            respond()
        } else if head.expectsContinue {
            answer.append("HTTP/1.1 100 Continue\r\n\r\n")
        }
    }

    private mutating func respond() {
        guard let request, let route else { return }
        isAnswered = true
        steps = route.handler(request)[...]
    }

    private mutating func refuse(_ status: Int, _ detail: String) {
        let body = detail + "\n"
        answer.append("HTTP/1.1 \(status) Refused\r\nContent-Type: text/plain; charset=utf-8\r\n")
        answer.append("Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        closeInOrder()
    }

    /// Runs the next step of the answer as far as there is room.
    ///
    /// - Returns: Whether it did anything.
    private mutating func runStep(at now: Timestamp) -> Bool {
        guard let step = steps.first, pendingOutput < limits.outputHighWater else { return false }
        switch step {
        case .bytes(let bytes): answer.append(bytes)
        case .filler(let left):
            let count = min(left, Int64(OriginFiller.block.count))
            answer.append(OriginFiller.block.prefix(Int(count)))
            guard left == count else {
                steps[steps.startIndex] = .filler(left - count)
                return true
            }
        case .pause(let duration):
            guard let end = pause else {
                pause = now + duration
                return false
            }
            guard end <= now else { return false }
            pause = nil
        case .hang: return false
        case .echo:
            if hasInputEnded, plain.isEmpty { closeInOrder() }
            let count = plain.count
            plain.move(count, to: &answer)
            return count > 0
        case .close: closeInOrder()
        case .cut:
            encrypt()
            finish(.close)
        case .reset:
            encrypt()
            finish(.reset)
        }
        steps = steps.dropFirst()
        endExchangeIfDone()
        return true
    }

    /// Continues with the next request once this one was read and answered.
    private mutating func endExchangeIfDone() {
        guard let request, isAnswered, steps.isEmpty, stage == .open, isComplete else { return }
        self.request = nil
        route = nil
        release()
        if !request.head.isKeepAlive { closeInOrder() }
    }

    private mutating func closeInOrder() {
        guard stage == .open else { return }
        encrypt()
        engine?.close(into: &outbox)
        finish(.close)
    }
}
