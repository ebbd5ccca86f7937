import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire

/// A fetch, from the URL to the last response: redirects, authentication, connections.
///
/// The fetch lives on the client's loop, and is one long asynchronous function in parts.
final class FetchTask {
    let settings: ClientSettings
    let shared: ClientShared
    private(set) var delegate: ClientDelegate
    private(set) var story: FetchTranscript
    var connection: ServerConnection?
    var connector: ClientConnector?
    var serverAuthenticator = HTTPAuthenticator()
    var proxyAuthenticator = HTTPAuthenticator()
    /// The reports that policies ask for, which are sent at the end.
    var reports: [PinReport] = []
    private(set) var isCancelled = false
    /// Whether a connection is all that is wanted.
    private(set) var isPreconnect = false
    /// Whether a server has asked for HTTP/1.1 in the place of HTTP/2.
    private var avoidsHTTP2 = false
    private(set) var request: ClientRequest

    /// The number of times that a request goes out at most, if servers refuse it without processing it.
    private static let mostAttempts = 3

    init(_ request: ClientRequest, settings: ClientSettings, shared: ClientShared, delegate: ClientDelegate) {
        self.request = request
        self.settings = settings
        self.shared = shared
        self.delegate = delegate
        story = FetchTranscript(request.url, started: shared.clock.now())
    }

    /// Runs the fetch to its end.
    func run(on loop: isolated EventLoop) async -> FetchOutcome {
        let result: Result<ClientResponse, ClientFailure>
        do throws(ClientFailure) {
            result = .success(try await follow(on: loop))
        } catch {
            let failure =
                isCancelled ? ClientFailure(.cancelled, check: "task", "the task was cancelled") : error
            tell(.failed(failure))
            result = .failure(failure)
        }
        await leave(on: loop)
        if !isCancelled { await sendReports(on: loop) }
        return FetchOutcome(result: result, story: story)
    }

    /// Opens a connection and closes it again.
    ///
    /// - Returns: The failure; `nil` if a connection was made.
    func preconnect(on loop: isolated EventLoop) async -> ClientFailure? {
        isPreconnect = true
        var failure: ClientFailure?
        do throws(ClientFailure) {
            connection = try await connect(to: request.url, on: loop)
        } catch {
            failure = error
        }
        await leave(on: loop)
        return failure
    }

    /// Ends the fetch early, with -999.
    func cancel(on loop: isolated EventLoop) {
        isCancelled = true
        connector?.cancel(on: loop)
        connection?.line.cancel(on: loop)
    }

    func tell(_ step: FetchStep) { story.tell(step, at: shared.clock.now()) }

    /// Sends the request and follows redirects until the last response.
    private func follow(on loop: isolated EventLoop) async throws(ClientFailure) -> ClientResponse {
        var redirects = 0
        if request.url.scheme == .http, settings.refusesCleartext {
            throw ClientFailure(
                .appTransportSecurityRequiresSecureConnection,
                check: "URL",
                "the URL \(request.url) is plain HTTP, which anybody on the way reads and changes; write https:"
            )
        }
        while true {
            let message = try await exchange(on: loop)
            let isLast = !settings.followsRedirects
            guard let next = try isLast ? nil : FetchRedirect.next(after: message.head, to: request) else {
                tell(.body(count: message.body.count))
                if !message.trailers.isEmpty { tell(.trailers(message.trailers)) }
                return ClientResponse(
                    url: request.url,
                    head: message.head,
                    body: message.body,
                    trailers: message.trailers,
                    isCut: message.isCut
                )
            }
            redirects += 1
            try check(next, redirects)
            let isSameOrigin = next.url.isSameOrigin(as: request.url)
            tell(
                .redirect(
                    next.url,
                    isFollowed: true,
                    note: isSameOrigin
                        ? "the same origin: credentials go along"
                        : "another origin: it is judged anew, and no credentials go along"
                )
            )
            if isSameOrigin {
                serverAuthenticator.follow()
            } else {
                serverAuthenticator = HTTPAuthenticator()
            }
            request = next
        }
    }

    private func check(_ next: ClientRequest, _ redirects: Int) throws(ClientFailure) {
        if request.url.scheme == .https, next.url.scheme == .http, !settings.dangerFollowsDowngrade {
            tell(.redirect(next.url, isFollowed: false, note: "it leads from https to http"))
            throw ClientFailure(
                .appTransportSecurityRequiresSecureConnection,
                check: "redirect",
                "the redirect to \(next.url) leads from https to http: what was protected would go in the clear"
            )
        }
        guard redirects <= settings.redirectLimit else {
            tell(.redirect(next.url, isFollowed: false, note: "there were \(settings.redirectLimit) before"))
            throw ClientFailure(
                .httpTooManyRedirects,
                check: "redirect",
                "more than \(settings.redirectLimit) redirects; the next one leads to \(next.url)"
            )
        }
    }

    /// Asks once, and again as long as authentication makes it worth while.
    private func exchange(on loop: isolated EventLoop) async throws(ClientFailure) -> ServerConnection.Message
    {
        while true {
            let message = try await attempt(on: loop)
            if connection?.isIdle != true { await leave(on: loop) }
            let head = message.head
            if head.status == 401 {
                let decision = try await answer(
                    head,
                    of: request.url.authority,
                    proxyType: nil,
                    &serverAuthenticator,
                    on: loop
                )
                guard decision else { return message }
            } else if head.status == 407, let proxy = settings.proxy, request.url.scheme == .http {
                let decision = try await answer(
                    head,
                    of: proxy.authority,
                    proxyType: .http,
                    &proxyAuthenticator,
                    on: loop
                )
                guard decision else { return message }
            } else {
                try take(serverAuthenticator.note(head, body: message.body, isProxy: false), isProxy: false)
                if request.url.scheme == .http {
                    try take(proxyAuthenticator.note(head, body: message.body, isProxy: true), isProxy: true)
                }
                keepLogin(of: serverAuthenticator)
                keepLogin(of: proxyAuthenticator)
                return message
            }
        }
    }

    /// Keeps for the session the login that the server has just accepted.
    func keepLogin(of authenticator: HTTPAuthenticator) {
        guard let tried = authenticator.tried else { return }
        shared.credentials.keep(tried.credential, for: tried.space)
    }

    /// Sends the request and reads the response; a connection that was used before may have gone meanwhile.
    private func attempt(on loop: isolated EventLoop) async throws(ClientFailure) -> ServerConnection.Message
    {
        if let connection = try await connectionInUse(on: loop) {
            do throws(ClientFailure) {
                let message = try await converse(over: connection, on: loop)
                // RFC 9110 §15.5.20: a 421 is about the connection, so the request may go out again.
                let isShared = !connection.url.isSameOrigin(as: request.url)
                guard isShared, message.head.status == 421 else { return message }
                tell(.note("the server does not answer for \(request.url.authority) on this connection"))
            } catch  where error.code == .networkConnectionLost && !isCancelled && mayRepeat(over: connection)
            {
                tell(.note("\(error.detail); a new connection is made"))
                heed(connection.refusal)
            }
        }
        var attempts = 0
        while true {
            attempts += 1
            await leave(on: loop)
            let connection = try await connectByAnyWay(on: loop)
            do throws(ClientFailure) {
                return try await converse(over: connection, on: loop)
            } catch
                where attempts < Self.mostAttempts && !isCancelled
                && connection.refusal.map(isWorthAnother) == true
            {
                tell(.note("\(error.detail); the request goes out again, over a new connection"))
                heed(connection.refusal)
            }
        }
    }

    /// The versions of HTTP that are offered to servers with TLS.
    var offeredProtocols: [ClientSettings.HTTPProtocol] {
        avoidsHTTP2 ? settings.protocols.filter { $0 != .http2 } : settings.protocols
    }

    /// Whether the request may go out again after a refusal, over another connection.
    private func isWorthAnother(_ refusal: StreamReception.Refusal) -> Bool {
        refusal == .unprocessed || offeredProtocols.contains(.http11)
    }

    /// Avoids HTTP/2 from now on if a server asks for that.
    private func heed(_ refusal: StreamReception.Refusal?) {
        if refusal == .wantsHTTP11 { avoidsHTTP2 = true }
    }

    /// Connects; if the delegate refuses the server and the settings permit it, once more by default handling alone.
    private func connectByAnyWay(on loop: isolated EventLoop) async throws(ClientFailure) -> ServerConnection
    {
        do throws(ClientFailure) {
            return try await connect(to: request.url, on: loop)
        } catch  where settings.dangerAsksAgainByDefault && error.rejection != nil && !isCancelled {
            tell(.note("refused; the app asks again by a way where only default handling decides"))
            await leave(on: loop)
            delegate = ClientDelegate()
            return try await connect(to: request.url, on: loop)
        }
    }

    /// Whether the request may be sent again (RFC 9110 §9.2.2).
    ///
    /// The client does not know whether the server acted upon the first one. So the method must be idempotent, and no
    /// byte of the answer may have come.
    private func mayRepeat(over connection: ServerConnection) -> Bool {
        if let refusal = connection.refusal { return isWorthAnother(refusal) }
        return !connection.hasHeard && HTTPMethod.isIdempotent(request.method)
    }

    private func converse(
        over connection: ServerConnection,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> ServerConnection.Message {
        let message: ServerConnection.Message
        if let session = connection.http2 {
            let head = try streamHead(over: connection)
            message = try await connection.exchange(
                head,
                body: request.body,
                over: session,
                takeBody: request.takeBody,
                on: loop
            ) { tell(.response($0)) }
        } else {
            if connection.hasRequestedEarly {
                connection.hasRequestedEarly = false
            } else {
                var bytes = try requestBytes(over: connection)
                try await connection.transmit(&bytes, on: loop)
            }
            message = try await connection.readResponse(
                to: request.method,
                takeBody: request.takeBody,
                on: loop
            ) { tell(.response($0)) }
        }
        tell(.response(message.head))
        if connection.isTruncated, message.head.framing == .untilClose {
            tell(.note("the server ended without close_notify: somebody may have cut the body short"))
        }
        return message
    }

    /// Makes the bytes of the request, and adds the request to the story.
    ///
    /// - Parameter connection: The connection for the request; `nil` for early data.
    /// - Returns: The bytes.
    /// - Throws: ``ClientFailure`` if the request cannot be sent.
    func requestBytes(over connection: ServerConnection?) throws(ClientFailure) -> ByteQueue {
        let writer = writer(over: connection)
        let covered = covered(writer)
        let authorization = serverAuthenticator.authorization(for: covered)
        let proxyAuthorization =
            writer.isAbsolute ? proxyAuthenticator.authorization(for: covered) : nil
        let bytes = try writer.bytes(authorization: authorization, proxyAuthorization: proxyAuthorization)
        tell(
            .request(
                method: request.method,
                target: writer.target,
                fields: writer.shownFields(
                    authorization: authorization,
                    proxyAuthorization: proxyAuthorization
                )
            )
        )
        return bytes
    }

    /// Makes the head of the request for HTTP/2, and adds the request to the story.
    private func streamHead(over connection: ServerConnection) throws(ClientFailure) -> RequestHead {
        let writer = writer(over: connection)
        let authorization = serverAuthenticator.authorization(for: covered(writer))
        let head = try writer.streamHead(authorization: authorization)
        let fields = head.fields.pairs.map(ShownField.text)
        tell(.request(method: request.method, target: writer.target, fields: fields))
        return head
    }

    private func writer(over connection: ServerConnection?) -> FetchRequestWriter {
        var request = request
        if settings.bindsChannel, let binding = connection?.engine?.channelBinding {
            let value = "\(TLSEngine.channelBindingName) \(Base64.encode(binding))"
            request.fields.append((ClientRequest.channelBindingField, value))
        }
        return FetchRequestWriter(request, isProxied: settings.proxy != nil)
    }

    /// Returns the parts of the request that a digest covers.
    private func covered(_ writer: FetchRequestWriter) -> DigestAuthentication.Request {
        DigestAuthentication.Request(method: request.method, target: writer.target, body: request.body)
    }

    /// Ends the connection, and keeps its session for the next one.
    func leave(on loop: isolated EventLoop) async {
        guard let connection = connection.take() else { return }
        if let engine = connection.engine, let evidence = connection.evidence,
            let session = engine.takeSession() ?? connection.reusableSession, settings.resumption != .off
        {
            shared.sessions.keep(evidence.entry(session), for: evidence.key)
        }
        await connection.close(on: loop)
    }
}
