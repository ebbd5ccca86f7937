import PinholeClient
import PinholeModel
import PinholeSession

/// A request that a user composed or edited, and wants to send.
struct ComposedRequest: Sendable {
    /// Whether the request goes through the proxy, which captures it.
    let isProxied: Bool
    /// Whether the client offers HTTP/2.
    let offersHTTP2: Bool
    /// Whether the answer waits for the exchange's number, which the capture has some moments later.
    let wantsID: Bool
    /// The request to send.
    var request: ClientRequest
    /// The captured exchange whose request body is sent; `nil` if the body is in ``request``.
    let bodySource: Int64?

    /// A request as the API reads it.
    struct Order: Codable, DescribedMembers {
        static let described = [
            FieldJSON("bodyBase64", format: .base64),
            FieldJSON("fields", "Pairs of a name and a value, in their order."),
            FieldJSON("through", values: WrittenRequest.Way.allCases.map(\.rawValue)),
            FieldJSON("bodyOf", "The captured exchange whose request's body is sent."),
            FieldJSON(
                "wantsID",
                "Whether the answer waits until the capture tells the number; true if absent."
            ),
            FieldJSON(
                "addsFields",
                "Whether User-Agent and Accept are added if they are missing; true if absent."
            ),
        ]

        let url: String
        let method: String?
        let body: String?
        let bodyBase64: String?
        let http2: Bool?
        let fields: [[String]]?
        let through: String?
        let bodyOf: Int64?
        let wantsID: Bool?
        let addsFields: Bool?
    }

    /// Reads a request.
    ///
    /// - Throws: ``Problem`` that says what cannot be sent.
    init(_ order: Order) throws(Problem) {
        guard let way = WrittenRequest.Way(rawValue: order.through ?? "direct") else {
            throw Problem.bad("through", expected: "proxy or direct", found: order.through ?? "")
        }
        isProxied = way == .proxy
        offersHTTP2 = order.http2 ?? false
        wantsID = order.wantsID ?? true
        bodySource = order.bodyOf
        if let id = order.bodyOf, id <= 0 {
            throw Problem.bad("bodyOf", expected: "the number of an exchange", found: "\(id)")
        }
        do throws(ClientFailure) {
            let url = try ClientURL(order.url)
            let method = order.method ?? ""
            request = ClientRequest(
                url,
                method: method.isEmpty ? "GET" : method,
                fields: Self.with(url.userInfo, try Self.pairs(order.fields ?? [])),
                body: try Self.body(order)
            )
            if order.addsFields == false { request.addsOwnFields = false }
            try request.check()
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

    private static func body(_ order: Order) throws(ClientFailure) -> [UInt8] {
        guard let text = order.bodyBase64 else { return Array((order.body ?? "").utf8) }
        guard let bytes = Base64.decode(text.utf8) else { throw bad("bodyBase64: expected Base64") }
        return bytes
    }

    private static func bad(_ detail: String) -> ClientFailure {
        ClientFailure(.badURL, check: "request", detail)
    }
}
