import PinholeClient
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeWire

/// Lesson 9: authentication challenges, their answers, and the errors that follow.
struct ChallengesLesson: ClassUnit {
    let number = 9

    /// The behaviour of a gate; the raw value is the status or the error of an app without a delegate.
    enum Gate: Int, CaseIterable {
        case fine = 200
        case old = -1200
        case expired = -1201
        case wrongName = -1202
        case unknownRoot = -1203
        case mutual = -1206

        var label: String { "gate \(rawValue)" }
    }

    /// The app's certificate for the gate that asks for one.
    static let phone = "phone"

    // MARK: World

    func leaves(_ names: ClassNames) -> [ClassLeaf] {
        let gates = names.gates.filter { $0.gate != .wrongName }.map { host, gate in
            ClassLeaf(
                label: gate.label,
                host: host,
                issuer: gate == .unknownRoot ? .itself : .own,
                isExpired: gate == .expired
            )
        }
        return gates + [ClassLeaf(label: Self.phone, host: .name(names.user), purpose: .clientAuth)]
    }

    func hosts(_ world: ClassWorld) -> [VirtualHost] {
        let own = ClassNames.rootName(world.names.organization)
        return world.names.gates.map { host, gate in
            var options = ServerOptions()
            switch gate {
            case .old: options = ServerOptions(versions: .tls10 ... .tls11, strength: .none)
            case .mutual: options.clientAnchors = world.deviceRoots.filter { $0.subject.contains(own) }
            case .fine, .expired, .wrongName, .unknownRoot: break
            }
            let identity = gate == .wrongName ? world.bank : (try? world.identity(gate.label)) ?? world.bank
            return VirtualHost(host, identity: identity, options: options)
        }
    }

    func add(_ names: ClassNames, to routes: inout OriginRoutes) {
        let vault = Vault(names)
        routes.set("/vault/basic") { request in
            vault.isBasic(request.head.fields.first("authorization"), names.basicPassword)
                ? vault.open(request, "basic") : vault.ask(request, ["Basic realm=\"vault\""])
        }
        routes.set("/vault/digest") { request in
            let login = request.head.fields.first("authorization")
            if vault.isDigest(login, request) { return vault.open(request, "digest") }
            return vault.isBasic(login, names.digestPassword)
                ? vault.open(request, "fallback")
                : vault.ask(request, [vault.digest, "Basic realm=\"vault\""])
        }
        routes.set("/badge") { request in
            request.peer.clientSubject == nil
                ? request.reply(
                    403,
                    type: "text/plain",
                    body: Array("Nobody has shown a certificate.\n".utf8)
                )
                : vault.open(request, "badge")
        }
        routes.set("/toll") { request in
            vault.isBasic(request.head.fields.first("proxy-authorization"), names.tollPassword)
                ? vault.open(request, "toll")
                : request.reply(
                    407,
                    type: "text/plain",
                    body: Array("The proxy asks for a login.\n".utf8),
                    fields: ["Proxy-Authenticate: Basic realm=\"toll\""]
                )
        }
    }

    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        let choices = Gate.allCases.map { "- \($0.rawValue): \(title($0, language))" }
        let trials = zip("abcdef", names.gates).map { letter, gate in
            """
            ### \(letter)
            \(language.say("The app asks \(gate.host). It has no delegate and no certificate of its own.", "Die App fragt \(gate.host). Sie hat kein Delegate und kein eigenes Zertifikat."))
            \(choices.joined(separator: "\n"))
            \(misconceptions(gate.gate, language))
            """
        }
        return [
            "gates": ClassNames.choices(names.gates.map(\.host.description)),
            "gatetrials": trials.joined(separator: "\n"),
        ]
    }

    /// The ideas behind wrong predictions of a gate: the meaning of the number, and the fact that speaks against it.
    private func misconceptions(_ gate: Gate, _ language: ClassLanguage) -> String {
        Gate.allCases.filter { $0 != gate }.map {
            "! \($0.rawValue): \(meaning($0, language)) \(fact(gate, language))"
        }.joined(separator: "\n")
    }

    /// A result in Apple's words, so that a prediction is no guess about numbers.
    private func title(_ gate: Gate, _ language: ClassLanguage) -> String {
        let words =
            switch gate {
            case .fine: ("the response comes", "die Antwort kommt")
            case .old: ("secure connection failed", "keine sichere Verbindung")
            case .expired: ("certificate has a bad date", "Zertifikat mit falschem Datum")
            case .wrongName: ("certificate untrusted", "Zertifikat nicht vertrauenswürdig")
            case .unknownRoot: ("certificate has an unknown root", "Zertifikat mit unbekannter Wurzel")
            case .mutual: ("client certificate required", "Client-Zertifikat verlangt")
            }
        let text = language.say(words.0, words.1)
        return gate == .fine ? text : "NSURLErrorDomain \(gate.rawValue), \(text)"
    }

    /// The condition of a result, in a sentence.
    private func meaning(_ gate: Gate, _ language: ClassLanguage) -> String {
        switch gate {
        case .fine:
            language.say(
                "The response comes only if versions, chain, name and dates are in order.",
                "Die Antwort kommt nur, wenn Versionen, Kette, Name und Daten stimmen."
            )
        case .old:
            language.say(
                "-1200 is a handshake that fails, such as one without a common version.",
                "-1200 ist ein gescheiterter Handshake, etwa einer ohne gemeinsame Version."
            )
        case .expired:
            language.say(
                "-1201 is a certificate whose time is over.",
                "-1201 ist ein Zertifikat, dessen Zeit vorbei ist."
            )
        case .wrongName:
            language.say(
                "-1202 is a certificate for another host.",
                "-1202 ist ein Zertifikat für einen anderen Host."
            )
        case .unknownRoot:
            language.say(
                "-1203 is a chain that ends at no root of the device.",
                "-1203 ist eine Kette, die an keiner Wurzel des Geräts endet."
            )
        case .mutual:
            language.say(
                "-1206 is a server that demands a certificate of the app.",
                "-1206 ist ein Server, der ein Zertifikat der App verlangt."
            )
        }
    }

    /// The fact about a gate that decides, in a sentence.
    private func fact(_ gate: Gate, _ language: ClassLanguage) -> String {
        switch gate {
        case .fine: language.say("Here everything is in order.", "Hier stimmt alles.")
        case .old:
            language.say(
                "This gate speaks only TLS 1.0 and TLS 1.1, and the app speaks neither.",
                "Dieses Tor spricht nur TLS 1.0 und TLS 1.1, und die App spricht keins von beiden."
            )
        case .expired:
            language.say(
                "The certificate of this gate has expired.",
                "Das Zertifikat dieses Tors ist abgelaufen."
            )
        case .wrongName:
            language.say(
                "The certificate of this gate names another host.",
                "Das Zertifikat dieses Tors nennt einen anderen Host."
            )
        case .unknownRoot:
            language.say(
                "The certificate of this gate signs itself, and the device does not know it.",
                "Das Zertifikat dieses Tors unterschreibt sich selbst, und das Gerät kennt es nicht."
            )
        case .mutual:
            language.say(
                "This gate demands a certificate of the app, and the app has none.",
                "Dieses Tor verlangt ein Zertifikat der App, und die App hat keins."
            )
        }
    }

    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        let names = world.names
        let login = Base64.encode(Array("\(names.user):\(names.basicPassword)".utf8))
        let phone = try world.identity(Self.phone)
        let gates = try names.gates.map { host, gate in
            let identity = gate == .wrongName ? world.bank : try world.identity(gate.label)
            let versions = gate == .old ? "TLS 1.0, TLS 1.1" : "TLS 1.2, TLS 1.3"
            let asks =
                gate == .mutual ? language.say("yes", "ja") : language.say("no", "nein")
            // The first line of a gate is two lines above the answer, where step 4 looks for it.
            return """
                \(host)
                  \(language.say("versions     ", "Versionen    "))\(versions)
                  \(language.say("asks for a client certificate", "verlangt ein Client-Zertifikat")): \(asks)
                \(CertificateText.text(identity.certificate, number: 1))
                """
        }
        return [
            ("gates.txt", gates.joined(separator: "\n")),
            (
                "request.txt",
                "GET /vault/basic HTTP/1.1\nHost: \(names.bank)\nAuthorization: Basic \(login)\n\n"
            ),
            (
                "card.txt",
                """
                /vault/digest  \(names.user):\(names.digestPassword)
                proxy          \(names.user):\(names.tollPassword)

                """
            ),
            ("phone.pem", phone.chain.map(\.pem).joined()), ("phone.key", try phone.key.pem),
            ("passphrase.txt", "\(names.seed.token("passphrase"))\n"),
        ]
    }

    // MARK: Tasks

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        [
            "gates": .numbers(names.gates.map(\.gate.rawValue)), "password": .own(names.basicPassword),
            "digest": .own(names.seed.token("vault digest")), "badge": .own(names.seed.token("vault badge")),
            "proxy": .own(names.seed.token("vault toll")),
        ]
    }

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        [try check.predicted(number, entry)]
    }

    // MARK: Experiments

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        let names = check.names
        let world = try check.world()
        var client = try TrialClient(check, trusting: world.deviceRoots)
        let bank = "https://\(names.bank):\(check.state.secure)"
        if let gate = zip("abcdef", names.gates).first(where: { "\($0.0)" == trial })?.1 {
            return try await client.outcome("https://\(gate.host):\(check.state.secure)/")
        }
        switch trial {
        case "cancel":
            client.delegate.session = { _ in .cancelAuthenticationChallenge }
            return try await client.outcome("\(bank)/")
        case "reject":
            client.delegate.session = { _ in .rejectProtectionSpace }
            return try await client.outcome("\(bank)/")
        case "stubborn":
            // Each attempt has another password, as an app that asks its user again and again.
            client.delegate.task = Self.login { count in "guess\(count)" }
            return try await client.outcome("\(bank)/vault/basic")
        case "polite":
            client.delegate.task = { challenge in
                guard challenge.protectionSpace.authenticationMethod != .serverTrust,
                    challenge.previousFailureCount == 0
                else { return .performDefaultHandling }
                return .useCredential(Credential(user: "nobody", password: "guess"))
            }
            return try await client.outcome("\(bank)/vault/basic")
        case "level":
            client.delegate.session = Self.login(as: names.user) { _ in names.basicPassword }
            return try await client.outcome("\(bank)/vault/basic")
        case "digest", "fallback":
            let login = Self.login(as: names.user) { _ in names.digestPassword }
            client.delegate.task = { challenge in
                trial == "fallback" && challenge.protectionSpace.authenticationMethod == .httpDigest
                    ? .rejectProtectionSpace : await login(challenge)
            }
            return try await client.outcome("\(bank)/vault/digest")
        case "badge":
            client.settings.identity = try world.identity(Self.phone)
            return try await client.outcome("https://\(names.host(of: .mutual)):\(check.state.secure)/badge")
        default:
            let credential =
                trial == "paid" ? Credential(user: names.user, password: names.tollPassword) : nil
            let address = try SocketAddress(listening: "\(check.state.servers):\(check.state.plain)")
            client.settings.proxy = ClientSettings.Proxy(
                Authority(host: .address(address.address), port: address.port),
                credential: credential
            )
            return try await client.outcome("http://\(names.shop):\(check.state.plain)/toll")
        }
    }

    /// A delegate that answers challenges of HTTP with a password, and leaves others to the client.
    private static func login(
        as user: String = "nobody",
        _ password: @escaping @Sendable (Int) -> String
    ) -> ClientDelegate.Handler {
        { challenge in
            guard !challenge.protectionSpace.authenticationMethod.isPerConnection else {
                return .performDefaultHandling
            }
            return .useCredential(
                Credential(user: user, password: password(challenge.previousFailureCount))
            )
        }
    }

    /// The server behind the gates, which asks for a login.
    private struct Vault: Sendable {
        private let names: ClassNames

        init(_ names: ClassNames) { self.names = names }

        var nonce: String { names.seed.token("nonce", length: 24) }
        var digest: String {
            "Digest realm=\"vault\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=SHA-256"
        }

        func open(_ request: OriginRequest, _ label: String) -> [OriginStep] {
            let ticket = names.seed.token("vault \(label)")
            return request.reply(200, type: "text/plain", body: Array("ticket=\(ticket)\n".utf8))
        }

        func ask(_ request: OriginRequest, _ challenges: [String]) -> [OriginStep] {
            request.reply(
                401,
                type: "text/plain",
                body: Array("The vault asks for a login.\n".utf8),
                fields: challenges.map { "WWW-Authenticate: \($0)" }
            )
        }

        /// Whether a field has the user and a password in Base64 (RFC 7617).
        func isBasic(_ field: String?, _ password: String) -> Bool {
            field == "Basic \(Base64.encode(Array("\(names.user):\(password)".utf8)))"
        }

        /// Whether a field has the right response to the nonce (RFC 7616 §3.4).
        func isDigest(_ field: String?, _ request: OriginRequest) -> Bool {
            guard let field, field.hasPrefix("Digest ") else { return false }
            func value(_ name: String) -> String {
                guard let start = field.firstRange(of: "\(name)=") else { return "" }
                let rest = field[start.upperBound...]
                return String(
                    rest.first == "\"" ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0 != "," }
                )
            }
            func hash(_ text: String) -> String { Hexadecimal.encode(Digest.sha256(Array(text.utf8))) }
            let user = hash("\(names.user):vault:\(names.digestPassword)")
            let target = hash("\(request.head.method):\(request.head.target.path)")
            let proof = "\(nonce):\(value(" nc")):\(value("cnonce")):auth:\(target)"
            return value(" nonce") == nonce && value("username") == names.user
                && value("response") == hash("\(user):\(proof)")
        }
    }
}

extension ClassNames {
    /// The gates of lesson 9 in the order of the worksheet.
    var gates: [(host: Host, gate: ChallengesLesson.Gate)] {
        let places = seed.shuffled("gates", ["north", "south", "east", "west", "upper", "lower"])
        let gates = seed.shuffled("gate roles", ChallengesLesson.Gate.allCases)
        return zip(places, gates).map { (host: .name("\($0)-gate.\(domain)"), gate: $1) }
    }

    func host(of gate: ChallengesLesson.Gate) -> Host { gates.first { $0.gate == gate }?.host ?? bank }

    /// The password that the app sends by Basic.
    var basicPassword: String { seed.token("vault password", length: 10) }
    /// The password that the app proves by Digest.
    var digestPassword: String { seed.token("digest password", length: 10) }
    /// The password of the proxy.
    var tollPassword: String { seed.token("toll password", length: 10) }
}
