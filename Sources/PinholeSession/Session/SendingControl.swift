import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeRuntime
package import PinholeStore
import PinholeTrust
import PinholeWire

/// The action that sends requests.
package protocol SendingControl: Sendable {
    /// Sends a request once by Pinhole's own client, without retries, and follows no redirect.
    func send(_ order: RequestOrder) async throws(Problem) -> SentRequest
}

extension SessionControl {
    func send(_ order: RequestOrder) async throws(Problem) -> SentRequest {
        try await RequestSender(proxy.readers(), self).send(order)
    }
}

extension RemoteControl {
    func send(_ order: RequestOrder) async throws(Problem) -> SentRequest {
        try await api.answer("POST", "/api/send", order)
    }
}

/// Sends requests by Pinhole's own client: directly, or through the proxy of this process.
package struct RequestSender: SendingControl {
    /// The capture from which bodies come, and into which the proxy records; `nil` if nothing is recorded.
    private let readers: CaptureReaders?
    private let clock = LoopClock()
    private let proxy: SessionControl?

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

    /// Creates a sender beside a capture without a proxy.
    package init(_ readers: CaptureReaders) { self.init(readers, nil) }

    fileprivate init(_ readers: CaptureReaders?, _ proxy: SessionControl?) {
        (self.readers, self.proxy) = (readers, proxy)
    }

    /// Sends a request.
    package func send(_ order: RequestOrder) async throws(Problem) -> SentRequest {
        var request = try order.request()
        if let source = order.bodyOf { request.body = try await capturedBody(of: source) }
        let last = order.isAwaited ? try await readers?.ask { try $0.lastID() } : nil
        let began = clock.now()
        let leftOut = leftOut
        let client: PinholeClient
        let settings = try settings(for: order)
        do throws(ClientFailure) {
            client = try PinholeClient(settings)
        } catch {
            throw Problem(500, "the request cannot be sent", error.detail)
        }
        let outcome = await client.fetch(request)
        let took = (clock.now() - began).microseconds / 1000
        switch outcome.result {
        case .success(let response):
            return SentRequest(
                id: try await captured(request, after: last, leftOut),
                status: response.head.status,
                head: String(decoding: response.rawHead, as: UTF8.self),
                bodyBase64: Base64.encode(Array(response.body.prefix(Self.shownBytes))),
                length: response.body.count,
                milliseconds: took
            )
        case .failure(let failure):
            throw Problem(502, "no answer", failure.detail, remedy: Self.remedy(failure.code))
        }
    }

    private var leftOut: Int64 { proxy?.scope.leftOut ?? 0 }

    /// Returns advice on a failed request; it says whether the request was sent, which decides about sending it again.
    private static func remedy(_ code: URLErrorCode) -> String {
        switch code {
        case .cannotFindHost: "Nothing was sent. See whether the name is right."
        case .cannotConnectToHost: "Nothing was sent. See whether the server runs."
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            "Nothing was sent. Sent directly, a server is judged by this system's CAs; the proxy has its own settings."
        // The proxy's own answer contains the advice.
        case .httpsProxyConnectionFailure, .badURL, .unsupportedURL, .secureConnectionFailed,
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
    private func capturedBody(of id: Int64) async throws(Problem) -> [UInt8] {
        guard let readers else { throw Problem.missing(id) }
        return try await readers.ask { reader in
            guard let record = try reader.exchange(ExchangeID(rawValue: id)) else {
                throw Problem.missing(id)
            }
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

    private func settings(for order: RequestOrder) throws(Problem) -> ClientSettings {
        var settings = ClientSettings(
            anchors: TrustBundle.systemRoots,
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(by: .openssl),
            reading: .whole(atMost: Self.answerBytes)
        )
        settings.followsRedirects = false
        settings.wait(atMost: Self.patience)
        if order.offersHTTP2 { settings.protocols = [.http2, .http11] }
        guard order.isProxied else { return settings }
        guard let session = proxy?.proxy, let address = proxy?.address else {
            var problem = Problem.noProxy
            problem.remedy = "send it directly"
            throw problem
        }
        settings.anchors.append(session.minter.authority.root.facts)
        let login: (user: String, password: String)?
        do throws(CommandFailure) {
            login = try session.settings.proxy.knownCredentials?.login(for: "the proxy's credentials")
        } catch {
            throw Problem(500, "the request cannot be sent", error.message, remedy: error.remedy)
        }
        settings.proxy = ClientSettings.Proxy(
            address,
            credential: login.map { Credential(user: $0.user, password: $0.password) }
        )
        return settings
    }

    /// Returns the exchange number of a sent request as soon as the capture has it; `nil` if it was left out or is late.
    private func captured(
        _ request: ClientRequest,
        after last: Int64?,
        _ leftOut: Int64
    ) async throws(Problem) -> Int64? {
        guard let last, let readers else { return nil }
        let url = request.url.description
        let began = clock.now()
        let deadline = began + Self.recordingPatience
        while proxy?.isRecording ?? true {
            var after = last
            while true {
                let rows = try await readers.ask { [after] reader in
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
            let now = clock.now()
            // The exchange that was left out may be another one, so the wait continues for a moment.
            let mayBeLeftOut = self.leftOut > leftOut
            guard now < (mayBeLeftOut ? began + Self.leftOutPatience : deadline) else { return nil }
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                return nil
            }
        }
        return nil
    }
}
