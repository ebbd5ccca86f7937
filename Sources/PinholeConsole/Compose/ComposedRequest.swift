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

    /// The members of a request.
    static let schema = JSONSchema.object(
        [
            "method": .text, "url": .text, "body": .text, "bodyBase64": .text.format(.base64), "http2": .flag,
            "fields": .list(of: .list(of: .text)).meaning("Pairs of a name and a value, in their order."),
            "through": .choice(["proxy", "direct"]),
            "bodyOf": .integer.meaning("The captured exchange whose request's body is sent."),
            "wantsID": .flag.meaning(
                "Whether the answer waits until the capture tells the number; true if absent."
            ),
            "addsFields": .flag.meaning(
                "Whether User-Agent and Accept are added if they are missing; true if absent."
            ),
        ],
        required: ["url"]
    )

    /// Reads a request.
    ///
    /// - Parameter members: `method`, `url`, `fields` (a list of pairs, in their order), `body` (a text),
    ///   `bodyBase64` or `bodyOf` (the number of an exchange), `through` (`proxy` or `direct`), `http2`, `wantsID`,
    ///   `addsFields` (whether User-Agent and Accept are added if they are missing).
    /// - Throws: ``Problem`` that says what cannot be sent.
    init(_ members: [String: JSONValue]) throws(Problem) {
        try members.refuse(besides: Self.schema.names)
        switch try members.text("through") ?? "direct" {
        case "proxy": isProxied = true
        case "direct": isProxied = false
        case let other: throw Problem.bad("through", expected: "proxy or direct", found: other)
        }
        if case .boolean(true) = members["http2"] { offersHTTP2 = true } else { offersHTTP2 = false }
        if case .boolean(false) = members["wantsID"] { wantsID = false } else { wantsID = true }
        guard let address = try members.text("url") else {
            throw Problem(400, "bad body", "expected a url")
        }
        switch members["bodyOf"] {
        case nil, .null: bodySource = nil
        case .integer(let id) where id > 0: bodySource = id
        case let other?:
            throw Problem.bad("bodyOf", expected: "the number of an exchange", found: other)
        }
        do throws(ClientFailure) {
            let url = try ClientURL(address)
            request = ClientRequest(
                url,
                method: try Self.method(members),
                fields: Self.with(url.userInfo, try Self.fields(members["fields"])),
                body: try Self.body(members)
            )
            if case .boolean(false) = members["addsFields"] { request.addsOwnFields = false }
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

    private static func method(_ members: [String: JSONValue]) throws(ClientFailure) -> String {
        guard case .string(let method)? = members["method"], !method.isEmpty else { return "GET" }
        return method
    }

    private static func fields(
        _ value: JSONValue?
    ) throws(ClientFailure) -> [(name: String, value: String)] {
        guard let value else { return [] }
        guard case .array(let pairs) = value else { throw bad("fields: expected a list of pairs") }
        var fields: [(name: String, value: String)] = []
        for pair in pairs {
            guard case .array(let texts) = pair, texts.count == 2, case .string(let name) = texts[0],
                case .string(let value) = texts[1]
            else { throw bad("fields: expected pairs of a name and a value") }
            fields.append((name: name, value: value))
        }
        return fields
    }

    private static func body(_ members: [String: JSONValue]) throws(ClientFailure) -> [UInt8] {
        if case .string(let text)? = members["bodyBase64"] {
            guard let bytes = Base64.decode(text.utf8) else { throw bad("bodyBase64: expected Base64") }
            return bytes
        }
        guard case .string(let text)? = members["body"] else { return [] }
        return Array(text.utf8)
    }

    private static func bad(_ detail: String) -> ClientFailure {
        ClientFailure(.badURL, check: "request", detail)
    }
}
