import PinholeClient
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeWire

/// Lesson 11: methods, statuses, caches and cookies, and the messages of a handshake.
struct AnatomyLesson: ClassUnit {
    let number = 11

    /// The messages of a handshake with one-way TLS 1.3, in their order.
    static let ladder = [
        "ClientHello", "ServerHello", "Certificate", "CertificateVerify", "server Finished",
        "client Finished",
        "GET /",
    ]

    /// The methods of which the counter accepts one.
    static let methods = ["PUT", "DELETE", "PATCH", "OPTIONS", "POST"]
    /// The statuses of which the shelf answers with one.
    static let statuses = [201, 202, 203, 428, 402, 403, 409, 410, 415, 422, 429, 451, 501, 502, 504]

    func add(_ names: ClassNames, to routes: inout OriginRoutes) {
        let allowed = names.counterMethod
        let text = "text/plain"
        routes.set("/status/*") { request in
            guard let status = Int(request.remainder), (200...599).contains(status) else {
                return request.reply(400, type: text, body: Array("Expected /status/200 to 599.\n".utf8))
            }
            // A 205 has no content, as a 204 and a 304 (RFC 9110 §15.3.6).
            guard ![204, 205, 304].contains(status) else { return request.reply(status) }
            let body = Array("Status \(status).\n".utf8)
            return request.reply(status, type: text, body: body, fields: Self.fields(status, body.count))
        }
        routes.set("/method") { request in
            // A response to HEAD has the Content-Length of the response to GET (RFC 9110 §8.6).
            let method = request.head.method == "HEAD" ? "GET" : request.head.method
            return request.reply(200, type: text, body: Array("\(method) \(request.bodyLength)\n".utf8))
        }
        routes.set("/counter") { request in
            request.head.method == allowed
                ? request.reply(200, type: text, body: Array("ticket=\(names.seed.token("counter"))\n".utf8))
                : request.reply(405, fields: ["Allow: \(allowed)"])
        }
        routes.set("/shelf") { request in
            request.reply(names.shelfStatus)
        }
        routes.set("/catalogue") { request in
            let tag = "\"\(names.seed.token("tag", length: 8))\""
            let fields = ["ETag: \(tag)", "Cache-Control: max-age=0"]
            guard request.head.fields.first("if-none-match") == tag else {
                return request.reply(200, type: text, body: Array("A long catalogue.\n".utf8), fields: fields)
            }
            return request.reply(304, fields: fields + ["Seal: \(names.seed.token("seal"))"])
        }
        routes.set("/visit") { request in
            let cookie = "visitor=\(names.seed.token("visitor"))"
            guard request.head.fields.first("cookie") == cookie else {
                return request.reply(
                    200,
                    type: text,
                    body: Array("Your first visit.\n".utf8),
                    fields: ["Set-Cookie: \(cookie); Path=/visit; Secure; HttpOnly"]
                )
            }
            let body = "Welcome back: ticket=\(names.seed.token("back"))\n"
            return request.reply(200, type: text, body: Array(body.utf8))
        }
    }

    /// Returns the fields that a response with a status must have (RFC 9110 §15).
    static func fields(_ status: Int, _ size: Int) -> [String] {
        switch status {
        case 206: ["Content-Range: bytes 0-\(size - 1)/\(size)"]
        case 300...308: ["Location: /"]
        case 401: ["WWW-Authenticate: Basic realm=\"status\""]
        case 405: ["Allow: GET, HEAD"]
        case 407: ["Proxy-Authenticate: Basic realm=\"status\""]
        case 426: ["Upgrade: HTTP/2.0", "Connection: Upgrade"]
        default: []
        }
    }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        [
            "messages": ClassNames.choices(names.messages),
            "exchanges": ClassNames.choices(names.keyExchanges.map { language.say($0.english, $0.german) }),
        ]
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        [
            (
                "key-exchange.txt",
                language.say(
                    """
                    TLS 1.2 with RSA key exchange         TLS 1.3
                    ClientHello            ->             ClientHello + key share    ->
                               <- ServerHello                        <- ServerHello + key share
                               <- Certificate                        <- {EncryptedExtensions}
                               <- ServerHelloDone                    <- {Certificate}
                    ClientKeyExchange      ->                        <- {CertificateVerify}
                      the secret, encrypted                          <- {Finished}
                      to the certificate's key        {Finished}                 ->
                    {Finished}             ->
                               <- {Finished}

                    Messages in braces are encrypted. In TLS 1.3, both sides make the secret of two key shares
                    that are used once, and the certificate's key signs.
                    Two-way TLS adds CertificateRequest from the server, and Certificate and
                    CertificateVerify from the client. A proxy in the middle makes this handshake twice: as
                    the server of the client, and as a client of the server.

                    """,
                    """
                    TLS 1.2 mit RSA-Schlüsselaustausch    TLS 1.3
                    ClientHello            ->             ClientHello + Key-Share    ->
                               <- ServerHello                        <- ServerHello + Key-Share
                               <- Certificate                        <- {EncryptedExtensions}
                               <- ServerHelloDone                    <- {Certificate}
                    ClientKeyExchange      ->                        <- {CertificateVerify}
                      das Geheimnis, für den                         <- {Finished}
                      Zertifikatsschlüssel            {Finished}                 ->
                      verschlüsselt
                    {Finished}             ->
                               <- {Finished}

                    Nachrichten in Klammern sind verschlüsselt. In TLS 1.3 bilden beide Seiten das Geheimnis aus
                    zwei Key-Shares, die nur einmal benutzt werden; der Zertifikatsschlüssel unterschreibt.
                    Gegenseitiges TLS ergänzt CertificateRequest vom Server sowie Certificate und
                    CertificateVerify vom Client. Ein Proxy in der Mitte macht diesen Handshake zweimal: als
                    Server des Clients und als Client des Servers.

                    """
                )
            )
        ]
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        let letters = Dictionary(zip(names.messages, "abcdefghijkl")) { first, _ in first }
        return [
            "method": .own(names.seed.token("counter")), "status": .numbers([names.shelfStatus]),
            "cache": .own(names.seed.token("seal")), "cookie": .own(names.seed.token("back")),
            "ladder": .sequence(String(Self.ladder.compactMap { letters[$0] })),
            "exchange": .letters(ClassNames.letters(names.keyExchanges.map(\.isOfRSA))),
        ]
    }

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        [try check.predicted(number, entry)]
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let names = check.names
        var client = try TrialClient(check, trusting: try check.world().deviceRoots)
        let bank = "https://\(names.bank):\(check.state.secure)"
        switch trial {
        case "head": return try await client.outcome("\(bank)/method", method: "HEAD")
        case "wrong":
            let other = Self.methods.first { $0 != names.counterMethod } ?? "GET"
            return try await client.outcome("\(bank)/counter", method: other)
        case "right":
            return try await client.outcome("\(bank)/counter", method: names.counterMethod)
        case "shelf":
            let found = try await client.outcome("\(bank)/shelf")
            return TrialOutcome(choice: "\(names.shelfStatus / 100)", found.evidence)
        case "cached":
            let tag = "\"\(names.seed.token("tag", length: 8))\""
            return try await client.outcome(
                "\(bank)/catalogue",
                fields: [(name: "If-None-Match", value: tag)]
            ).showing("Seal: \(names.seed.token("seal"))")
        case "cookie":
            return try await client.outcome(
                "\(bank)/visit",
                fields: [(name: "Cookie", value: "visitor=\(names.seed.token("visitor"))")]
            )
        default:
            // The proxy of the class sees the CONNECT, and no path.
            let login = check.state.login?.split(separator: ":", maxSplits: 1).map(String.init) ?? []
            client.settings.proxy = ClientSettings.Proxy(
                Authority(host: .address(.loopback), port: check.state.proxy),
                credential: login.count == 2 ? Credential(user: login[0], password: login[1]) : nil
            )
            client.settings.overrides = []
            let met = try await client.outcome("\(bank)/method")
            guard let tunnel = met.evidence.first(where: { $0.hasPrefix("CONNECT ") }) else {
                return TrialOutcome(choice: "", met.evidence)
            }
            let isOfHost = tunnel.hasPrefix("CONNECT \(names.bank)")
            return TrialOutcome(choice: isOfHost ? "authority" : "path", met.evidence)
        }
    }
}

extension TrialOutcome {
    /// Returns the outcome with one more line, if a response came.
    fileprivate func showing(_ line: String) -> TrialOutcome {
        TrialOutcome(choice: choice, choice == "304" ? evidence + ["  \(line)"] : evidence)
    }
}

extension ClassNames {
    /// A statement about a way of exchanging keys.
    struct KeyExchange: Sendable {
        let english: String
        let german: String
        /// Whether the statement is about the RSA key exchange of TLS 1.2, and not about TLS 1.3.
        let isOfRSA: Bool
    }

    /// The method that the counter of lesson 11 accepts.
    var counterMethod: String { seed.pick("method", AnatomyLesson.methods) }
    var shelfStatus: Int { seed.pick("status", AnatomyLesson.statuses) }
    /// The messages of the ladder in the order of the worksheet.
    var messages: [String] { seed.shuffled("messages", AnatomyLesson.ladder) }
    /// The statements about key exchange in the order of the worksheet.
    var keyExchanges: [KeyExchange] {
        seed.shuffled(
            "key exchanges",
            [
                KeyExchange(
                    english: "the client encrypts the secret to the key of the certificate",
                    german: "der Client verschlüsselt das Geheimnis mit dem Schlüssel des Zertifikats",
                    isOfRSA: true
                ),
                KeyExchange(
                    english: "a thief of the server's key can decrypt old recordings",
                    german: "wer den Schlüssel des Servers stiehlt, kann alte Aufzeichnungen entschlüsseln",
                    isOfRSA: true
                ),
                KeyExchange(
                    english: "both sides make a new key share for each connection",
                    german: "beide Seiten machen für jede Verbindung einen neuen Key-Share",
                    isOfRSA: false
                ),
                KeyExchange(
                    english: "the certificate is sent encrypted",
                    german: "das Zertifikat wird verschlüsselt geschickt",
                    isOfRSA: false
                ),
                KeyExchange(
                    english: "the server signs the handshake in CertificateVerify",
                    german: "der Server unterschreibt den Handshake in CertificateVerify",
                    isOfRSA: false
                ),
            ]
        )
    }
}
