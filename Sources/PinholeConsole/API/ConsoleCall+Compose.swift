import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTrust
import PinholeWire

/// Requests that people write.
extension ConsoleCall {
    /// What came of a request.
    private struct Sent: Encodable {
        /// The number of the exchange in the capture; `nil` where it is not captured, or not yet.
        let id: Int64?
        let status: Int
        let head: String
        let bodyBase64: String
        let length: Int
        let milliseconds: Int64
    }

    /// How long the capture may take to have what was sent: a machine that is busy writes later.
    private static let recordingPatience = Duration.seconds(20)
    /// The same where exchanges were left out since it was sent.
    private static let leftOutPatience = Duration.seconds(1)
    /// Rows that are looked at at once, of what else came meanwhile.
    private static let rowsAtOnce = 500
    /// Bytes of an answer that the page is given; the capture has all of them.
    private static let shownBytes = 1 << 20
    private static let answerBytes = 64 << 20
    /// Bytes of a captured body that are sent again; it is held in memory meanwhile.
    private static let bodyBytes: Int64 = 64 << 20
    private static let patience = Duration.seconds(30)

    /// Sends a request, once: nothing is ever sent again by itself, and no redirect is followed.
    func send() async throws -> ConsoleAnswer {
        var composed = try ComposedRequest(try object())
        if let source = composed.bodySource { composed.request.body = try await capturedBody(of: source) }
        let last = try await asked { try $0.lastID() }
        let began = api.clock.now()
        let leftOut = api.subject.recording?.scope().leftOut ?? 0
        let settings = try settings(for: composed)
        let client: PinholeClient
        do throws(ClientFailure) {
            client = try PinholeClient(settings)
        } catch {
            throw Problem(500, "the request cannot be sent", error.detail)
        }
        let outcome = await client.fetch(composed.request)
        let took = (api.clock.now() - began).microseconds / 1000
        switch outcome.result {
        case .success(let response):
            let isAwaited = composed.isProxied && composed.wantsID
            let id = isAwaited ? try await captured(composed.request, after: last, leftOut) : nil
            return .json(
                Sent(
                    id: id,
                    status: response.head.status,
                    head: String(decoding: response.rawHead, as: UTF8.self),
                    bodyBase64: Base64.encode(Array(response.body.prefix(Self.shownBytes))),
                    length: response.body.count,
                    milliseconds: took
                )
            )
        case .failure(let failure):
            throw Problem(502, "no answer", failure.detail, remedy: Self.remedy(failure.code))
        }
    }

    /// Whether it was sent, which is what people want to know before they send it again.
    private static func remedy(_ code: URLErrorCode) -> String {
        switch code {
        case .cannotFindHost: "Nothing was sent. See whether the name is right."
        case .cannotConnectToHost: "Nothing was sent. See whether the server runs."
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            "Nothing was sent. Sent directly, a server is judged by this system's CAs; the proxy has its own settings."
        // The proxy says what to do.
        case .httpsProxyConnectionFailure: "Nothing was sent."
        case .badURL, .unsupportedURL, .secureConnectionFailed,
            .appTransportSecurityRequiresSecureConnection:
            "Nothing was sent."
        case .badServerResponse, .dataLengthExceedsMaximum, .httpTooManyRedirects:
            "The server got the request."
        case .cancelled, .timedOut, .networkConnectionLost, .userCancelledAuthentication,
            .userAuthenticationRequired, .clientCertificateRejected, .clientCertificateRequired:
            "Whether the server got the request is not known."
        }
    }

    /// The body of a captured request, whole.
    private func capturedBody(of id: Int64) async throws -> [UInt8] {
        let call = self
        return try await asked { reader in
            guard let record = try reader.exchange(ExchangeID(rawValue: id)) else { throw call.missing(id) }
            let body = record.request.body
            guard body.isComplete, !body.isTruncated, body.length <= Self.bodyBytes else {
                throw Problem(
                    422,
                    "the request cannot be sent",
                    "expected a body that was captured whole and has at most \(Self.bodyBytes) bytes, "
                        + "\(id) has \(body.capturedLength) of \(body.length)"
                )
            }
            return try reader.body(of: record, .request)
        }
    }

    private func settings(for composed: ComposedRequest) throws(Problem) -> ClientSettings {
        var settings = ClientSettings(
            anchors: ServerPath.systemRoots,
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy()
        )
        settings.followsRedirects = false
        settings.bodyLimit = Self.answerBytes
        settings.wait(atMost: Self.patience)
        if composed.offersHTTP2 { settings.protocols = [.http2, .http11] }
        guard composed.isProxied else { return settings }
        guard let address = api.subject.proxy.first, let authority = api.subject.authority,
            let proxy = try? Authority(address)
        else {
            throw Problem(
                409,
                "no proxy",
                "this console shows a file, and no proxy runs here",
                remedy: "send it directly"
            )
        }
        do throws(PolicyFailure) {
            settings.anchors += try PolicyFile.certificates(at: authority.path)
        } catch {
            throw Problem(500, "the proxy's CA cannot be read", "\(error)")
        }
        settings.proxy = ClientSettings.Proxy(
            Authority(host: Self.reachable(proxy.host), port: proxy.port),
            credential: api.subject.login.map { Credential(user: $0.user, password: $0.password) }
        )
        return settings
    }

    /// Where a proxy that listens everywhere is reached.
    private static func reachable(_ host: Host) -> Host {
        guard case .address(let address) = host, address.unmapped.isUnspecified,
            let loopback = IPAddress("127.0.0.1")
        else { return host }
        return .address(loopback)
    }

    /// The exchange of the request, as soon as the capture has it; `nil` where it was left out.
    private func captured(
        _ request: ClientRequest,
        after last: Int64,
        _ leftOut: Int64
    ) async throws -> Int64? {
        let url = request.url.description
        let began = api.clock.now()
        let deadline = began + Self.recordingPatience
        while api.subject.recording?.isOn() ?? true {
            var after = last
            while true {
                let rows = try await asked { [after] reader in
                    try reader.traffic(after: after, order: .oldestFirst, limit: Self.rowsAtOnce)
                }
                for row in rows {
                    guard case .exchange(let summary) = row.kind, summary.method == request.method,
                        summary.url == url, summary.outcome != nil
                    else { continue }
                    return row.id
                }
                guard rows.count == Self.rowsAtOnce, let end = rows.last?.id else { break }
                after = end
            }
            let now = api.clock.now()
            // Another one may have been left out meanwhile, so that is not enough at once.
            let mayBeLeftOut = api.subject.recording.map { $0.scope().leftOut > leftOut } ?? false
            guard now < (mayBeLeftOut ? began + Self.leftOutPatience : deadline) else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// Asks the capture from a task.
    func asked<Value: Sendable>(
        _ question: @escaping @Sendable (CaptureReader) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isAsked = api.readers.perform { reader in
                continuation.resume(with: Result { try question(reader) })
            }
            if !isAsked {
                continuation.resume(throwing: Problem(503, "busy", "too many requests wait for the capture"))
            }
        }
    }
}
