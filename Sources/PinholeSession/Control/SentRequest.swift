import PinholeClient
package import PinholeModel

/// A request that a user composed, edited or repeats, as the control API reads it.
package struct RequestOrder: Sendable, Codable, Equatable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described = [
        FieldJSON("bodyBase64", format: .base64),
        FieldJSON("fields", "Pairs of a name and a value, in their order."),
        FieldJSON("through", values: Way.allCases.map(\.rawValue)),
        FieldJSON("bodyOf", "The captured exchange whose request's body is sent."),
        FieldJSON("wantsID", "Whether the answer waits until the capture tells the number; true if absent."),
        FieldJSON(
            "addsFields",
            "Whether User-Agent and Accept are added if they are missing; true if absent."
        ),
    ]

    /// The way to the server.
    package enum Way: String, CaseIterable, Sendable, Codable {
        /// Through the proxy, which captures the request.
        case proxy
        /// Straight to the server.
        case direct
    }

    private let url: String
    /// The method; `nil` for GET.
    package let method: String?
    private var body: String?
    private var bodyBase64: String?
    private var http2: Bool?
    let fields: [[String]]?
    let through: String?
    let bodyOf: Int64?
    private var wantsID: Bool?
    private var addsFields: Bool?

    /// Fields that the client writes itself.
    private static let own: Set = [
        "content-length", "transfer-encoding", "connection", "proxy-connection", "keep-alive", "expect", "te",
        "host",
    ]

    /// Creates the request of a recorded exchange, whose answer does not wait for the number.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - way: The way to the server.
    package init(repeating record: ExchangeRecord, _ way: Way) {
        let lines = record.request.fields
        fields = lines.indices.filter { !lines.isPseudo(at: $0) }.compactMap { index in
            let name = String(decoding: lines.name(at: index), as: UTF8.self)
            guard !name.isEmpty, !Self.own.contains(name.lowercased()) else { return nil }
            return [name, String(decoding: lines.value(at: index), as: UTF8.self)]
        }
        method = record.method
        url = record.url
        through = way.rawValue
        wantsID = false
        bodyOf = record.request.body.length > 0 ? record.id.rawValue : nil
    }

    /// Whether the request asks for nothing to be changed (RFC 9110 §9.2.1).
    package var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method ?? "GET") }

    /// Whether the client offers HTTP/2.
    var offersHTTP2: Bool { http2 ?? false }

    /// Whether the request goes through the proxy.
    var isProxied: Bool { through == Way.proxy.rawValue }

    /// Whether the answer waits for the exchange's number, which the capture has some moments later.
    var isAwaited: Bool { isProxied && wantsID ?? true }

    /// Reads the request for the client.
    ///
    /// - Returns: The request; the body of an exchange is missing.
    /// - Throws: ``Problem`` that says what cannot be sent.
    func request() throws(Problem) -> ClientRequest {
        guard Way(rawValue: through ?? "direct") != nil else {
            throw Problem.bad("through", expected: "proxy or direct", found: through ?? "")
        }
        if let id = bodyOf, id <= 0 {
            throw Problem.bad("bodyOf", expected: "the number of an exchange", found: "\(id)")
        }
        do throws(ClientFailure) {
            let target = try ClientURL(url)
            let method = method ?? ""
            var request = ClientRequest(
                target,
                method: method.isEmpty ? "GET" : method,
                fields: Self.with(target.userInfo, try Self.pairs(fields ?? [])),
                body: try content()
            )
            if addsFields == false { request.addsOwnFields = false }
            try request.check()
            return request
        } catch {
            let title = "the request cannot be sent"
            throw Problem(422, title, error.detail.replacing("\(title): ", with: ""))
        }
    }

    /// Adds the user name and password of a URL as the field Authorization, unless the fields have one already.
    private static func with(
        _ userInfo: ClientURL.UserInfo?,
        _ fields: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        guard let userInfo, !fields.contains(where: { $0.name.lowercased() == "authorization" }) else {
            return fields
        }
        let pair = Base64.encode(Array("\(userInfo.user):\(userInfo.password)".utf8))
        return fields + [(name: "Authorization", value: "Basic \(pair)")]
    }

    private static func pairs(_ fields: [[String]]) throws(ClientFailure) -> [(name: String, value: String)] {
        guard fields.allSatisfy({ $0.count == 2 }) else {
            throw bad("fields: expected pairs of a name and a value")
        }
        return fields.map { (name: $0[0], value: $0[1]) }
    }

    private func content() throws(ClientFailure) -> [UInt8] {
        guard let text = bodyBase64 else { return Array((body ?? "").utf8) }
        guard let bytes = Base64.decode(text.utf8) else { throw Self.bad("bodyBase64: expected Base64") }
        return bytes
    }

    private static func bad(_ detail: String) -> ClientFailure {
        ClientFailure(.badURL, check: "request", detail)
    }
}

/// The answer to a request that was sent.
package struct SentRequest: Sendable, Codable {
    /// The number of the exchange in the capture; `nil` if the exchange is not captured, or not yet.
    let id: Int64?
    /// The status code of the response.
    package let status: Int
    let head: String
    let bodyBase64: String
    let length: Int
    let milliseconds: Int64
}
