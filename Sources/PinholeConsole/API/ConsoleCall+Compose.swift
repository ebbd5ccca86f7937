import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore
import PinholeTrust
import PinholeWire

/// Sending of requests that a user composed.
extension ConsoleCall {
    /// The time to wait until the capture has a sent exchange; a busy machine writes late.
    private static let recordingPatience = Duration.seconds(20)
    /// The time to wait if exchanges were left out of the capture since the request was sent.
    private static let leftOutPatience = Duration.seconds(1)
    /// The maximum count of new rows that are examined in one query.
    private static let rowsAtOnce = 500
    /// The maximum count of bytes of an answer that the page receives; the capture has all of them.
    private static let shownBytes = 1 << 20
    private static let answerBytes = 64 << 20
    /// The maximum size of a captured body that is sent again, since the body is held in memory.
    private static let bodyBytes: Int64 = 64 << 20
    private static let patience = Duration.seconds(30)

    /// Sends a request once, without retries, and follows no redirect.
    func send() async throws -> ConsoleAnswer {
        var composed = try ComposedRequest(try order())
        if let source = composed.bodySource { composed.request.body = try await capturedBody(of: source) }
        let last = try await asked { try $0.lastID() }
        let began = api.clock.now()
        let leftOut = api.subject.control?.scope.leftOut ?? 0
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
                SentRequest(
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

    /// Returns advice on a failed request; it says whether the request was sent, which decides about sending it again.
    private static func remedy(_ code: URLErrorCode) -> String {
        switch code {
        case .cannotFindHost: "Nothing was sent. See whether the name is right."
        case .cannotConnectToHost: "Nothing was sent. See whether the server runs."
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            "Nothing was sent. Sent directly, a server is judged by this system's CAs; the proxy has its own settings."
        // The proxy's own answer contains the advice.
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

    /// Returns the complete body of a captured request.
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
            anchors: TrustBundle.systemRoots,
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(by: .openssl),
            reading: .whole(atMost: Self.answerBytes)
        )
        settings.followsRedirects = false
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
        do throws(CryptoFailure) {
            settings.anchors += try TrustBundle(path: authority.path).certificates.map(\.facts)
        } catch {
            throw Problem(500, "the proxy's CA cannot be read", "\(error)")
        }
        settings.proxy = ClientSettings.Proxy(
            Authority(host: Self.reachable(proxy.host), port: proxy.port),
            credential: api.subject.login.map { Credential(user: $0.user, password: $0.password) }
        )
        return settings
    }

    /// Returns the address at which a proxy on an unspecified address (0.0.0.0) can be reached.
    private static func reachable(_ host: Host) -> Host {
        guard case .address(let address) = host, address.unmapped.isUnspecified else { return host }
        return .address(.loopback)
    }

    /// Returns the exchange number of a sent request as soon as the capture has it; `nil` if it was left out or is late.
    private func captured(
        _ request: ClientRequest,
        after last: Int64,
        _ leftOut: Int64
    ) async throws -> Int64? {
        let url = request.url.description
        let began = api.clock.now()
        let deadline = began + Self.recordingPatience
        while api.subject.control?.isRecording ?? true {
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
            // The exchange that was left out may be another one, so the wait continues for a moment.
            let mayBeLeftOut = api.subject.control.map { $0.scope.leftOut > leftOut } ?? false
            guard now < (mayBeLeftOut ? began + Self.leftOutPatience : deadline) else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// Runs a query on the capture from a task.
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

/// The answer to a composed request, as JSON.
struct SentRequest: Codable {
    /// The number of the exchange in the capture; `nil` if the exchange is not captured, or not yet.
    let id: Int64?
    let status: Int
    let head: String
    let bodyBase64: String
    let length: Int
    let milliseconds: Int64
}
