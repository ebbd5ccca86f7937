import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeRuntime
import PinholeWire

/// A connection of a fetch: a line, maybe TLS over it, and HTTP/1.1 or HTTP/2 over that.
final class ServerConnection {
    /// A response, its body and its trailer fields.
    struct Message {
        let head: ResponseHead
        let body: [UInt8]
        var trailers = HeaderFields()
        /// Whether the body was longer than what is read of it.
        var isCut = false
    }

    /// The URL whose server the connection leads to, directly or through a proxy.
    let url: ClientURL
    /// The socket below the connection.
    let line: FetchSocket
    /// TLS; `nil` for plain HTTP.
    var engine: TLSEngine?
    /// The HTTP/2 session; `nil` if HTTP/1.1 is spoken.
    var http2: HTTP2Session?
    /// The number of 1xx responses that may precede a final one.
    static let mostInterim = 20
    /// The address of the server; `nil` if only a proxy knows it.
    var address: IPAddress?
    /// The chain and other evidence that the server presented; `nil` for plain HTTP.
    var presentation: ServerPresentation?
    /// Other origins that its chain was found good enough for.
    var sharers: Set<Authority> = []
    /// The evidence about the server that is kept with the session for its next use; `nil` for plain HTTP.
    var evidence: (key: SessionCache.Key, entry: (TLSSession) -> SessionCache.Entry)?
    /// The session that was resumed, if it may be resumed again: a ticket of TLS 1.3 is used once.
    var reusableSession: TLSSession?
    /// Whether the first request was sent as early data, and the server accepted it.
    var hasRequestedEarly = false
    /// Whether we presented a certificate.
    var hasPresentedCertificate = false
    /// Whether an exchange has ended on the connection and another one may follow.
    var isIdle = false
    /// Whether any byte of the answer to the last request has come.
    var hasHeard = false
    /// The server's word on sending the last request again; `nil` if it said nothing.
    var refusal: StreamReception.Refusal?
    /// Whether the server's end was FIN without close_notify.
    private(set) var isTruncated = false
    /// The decrypted bytes that have not been read yet.
    var plain = ByteQueue()
    /// Whether no more decrypted bytes come.
    private(set) var hasEnded = false
    let settings: ClientSettings
    private var reader: HTTP1Reader

    init(_ url: ClientURL, line: FetchSocket, settings: ClientSettings) {
        self.url = url
        self.line = line
        self.settings = settings
        reader = HTTP1Reader(reading: .responses, limits: settings.limits)
    }

    /// Sends bytes of the application.
    func transmit(_ bytes: inout ByteQueue, on loop: isolated EventLoop) async throws(ClientFailure) {
        begin()
        let event = try await send(&bytes, on: loop)
        guard event != .ready else { return }
        // A server that closes while the client writes may have sent the reason.
        if case .broken = event {
            while !hasEnded { try await fill(on: loop) }
        }
        throw lost(event, "while the request was sent")
    }

    /// Resets the state of the last exchange.
    func begin() {
        isIdle = false
        hasHeard = false
        refusal = nil
    }

    /// Encrypts and sends.
    func send(
        _ bytes: inout ByteQueue,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> FetchSocket.Event {
        var output = ByteQueue()
        if let engine {
            do throws(TLSFailure) {
                try engine.encrypt(&bytes, count: bytes.count, into: &output)
            } catch {
                throw failure(error)
            }
        } else {
            bytes.move(bytes.count, to: &output)
        }
        return await line.send(&output, patience: settings.patience, on: loop)
    }

    /// Reads the response to a request of `method`, with its body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - bound: The bytes of the body that are read; `nil` for those of the settings.
    ///   - takeBody: Takes the body of a 2xx answer in pieces; `nil` to return the body.
    ///   - loop: The loop.
    ///   - interim: Called with each response before the final one.
    /// - Returns: The final response.
    /// - Throws: ``ClientFailure``.
    func readResponse(
        to method: String,
        bound: ClientSettings.BodyBound? = nil,
        takeBody: (@Sendable ([UInt8]) -> Void)? = nil,
        on loop: isolated EventLoop,
        interim: (ResponseHead) -> Void = { _ in }
    ) async throws(ClientFailure) -> Message {
        reader.expectResponse(toMethod: method)
        var head: ResponseHead?
        var body = BoundedBody(bound ?? settings.body)
        var trailers = HeaderFields()
        var interimCount = 0
        while true {
            guard let element = try next() else {
                guard !hasEnded else {
                    throw ClientFailure(
                        .networkConnectionLost,
                        check: "HTTP",
                        "the server closed the connection without a response"
                    )
                }
                try await fill(on: loop)
                continue
            }
            switch element {
            case .response(let found):
                head = found
                guard found.isInformational else { continue }
                interimCount += 1
                guard interimCount <= Self.mostInterim else { throw .endlessInterim }
                interim(found)
            case .body(let count):
                if let takeBody, head?.isSuccess == true {
                    takeBody(Array(plain.slice(count)))
                } else {
                    try body.take(plain.slice(count))
                    if body.isCut, let head {
                        // The rest is not read, so the connection is of no further use.
                        return Message(head: head, body: body.bytes, isCut: true)
                    }
                }
                plain.consume(count)
            case .framing(let count), .reframed(let count, _): plain.consume(count)
            case .trailers(_, let fields): trailers = fields
            case .request: break
            case .end:
                guard let head else { continue }
                isIdle = head.isKeepAlive && reader.notes.isEmpty && !hasEnded && head.status != 101
                return Message(head: head, body: body.bytes, trailers: trailers)
            }
        }
    }

    /// Turns the connection to a proxy into a tunnel, in which all later bytes belong to the server behind the proxy.
    func becomeTunnel() {
        plain.move(plain.count, to: &line.inbox)
        reader = HTTP1Reader(reading: .responses, limits: settings.limits)
        isIdle = false
    }

    /// Ends the connection in order.
    func close(on loop: isolated EventLoop) async {
        if let engine {
            var output = ByteQueue()
            if let http2 {
                var frames = goAway(http2)
                try? engine.encrypt(&frames, count: frames.count, into: &output)
            }
            engine.close(into: &output)
            _ = await line.send(&output, patience: .seconds(1), on: loop)
        }
        line.close(on: loop)
    }

    private func next() throws(ClientFailure) -> HTTP1Element? {
        do throws(HTTP1Failure) {
            return hasEnded ? try reader.endOfInput(&plain) : try reader.next(&plain)
        } catch {
            throw ClientFailure(error)
        }
    }

    /// Waits for more of the application's bytes, or for the end.
    func fill(on loop: isolated EventLoop) async throws(ClientFailure) {
        guard let engine else {
            switch await line.receive(patience: settings.patience, on: loop) {
            case .ready:
                hasHeard = true
                line.inbox.move(line.inbox.count, to: &plain)
            case .end: hasEnded = true
            case let event: throw lost(event, "while a response was awaited")
            }
            return
        }
        if line.inbox.isEmpty {
            switch await line.receive(patience: settings.patience, on: loop) {
            case .ready: break
            case .end: engine.receiveEnd()
            case let event: throw lost(event, "while a response was awaited")
            }
        }
        var output = ByteQueue()
        let before = plain.count
        let limit = before + settings.limits.readSize
        defer { if plain.count > before { hasHeard = true } }
        switch engine.decrypt(&line.inbox, into: &plain, limit: limit, output: &output) {
        case .wantsInput, .limited: break
        case .closed: hasEnded = true
        case .failed(let failure) where failure.kind == .truncated:
            hasEnded = true
            isTruncated = true
        case .failed(let failure): throw self.failure(failure)
        }
        if !output.isEmpty { _ = await line.send(&output, patience: settings.patience, on: loop) }
    }

    private func failure(_ failure: TLSFailure) -> ClientFailure {
        ClientFailure(
            failure,
            demandsCertificate: engine?.requestedClientCertificate == true,
            presented: hasPresentedCertificate
        )
    }

    func lost(_ event: FetchSocket.Event, _ place: String) -> ClientFailure {
        switch event {
        case .silent: .silent(settings.patience, during: place)
        case .cancelled: ClientFailure(.cancelled, check: "task", "the task was cancelled")
        case .broken(let reason): .lost(reason, during: place)
        case .ready, .end: .lost("the peer closed it", during: place)
        }
    }
}
