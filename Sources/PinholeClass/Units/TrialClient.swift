import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire

/// The app of an experiment: the companion client, which asks a server of the lesson and tells each step.
struct TrialClient {
    /// The settings, which an experiment may change.
    var settings: ClientSettings
    /// The delegate, which an experiment may set.
    var delegate = ClientDelegate()
    private let check: ClassCheck

    /// Creates the app of a class, which trusts the roots of the phone.
    init(_ check: ClassCheck, trusting roots: [Certificate]) throws(AddressFailure) {
        self.check = check
        settings = ClientSettings(
            anchors: roots.map(\.facts),
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .beginning(2000)
        )
        settings.followsRedirects = false
        settings.wait(atMost: .seconds(5))
        settings.overrides = [try Resolver.Override("*:*:\(check.state.servers)")]
    }

    /// Sends a request, and returns the status of the response or the number of the error as the choice.
    func outcome(
        _ url: String,
        method: String = "GET",
        fields: [(name: String, value: String)] = []
    ) async throws(ClientFailure) -> TrialOutcome {
        let request = ClientRequest(try ClientURL(url), method: method, fields: fields)
        let fetched = await (try PinholeClient(settings, delegate: delegate)).fetch(request)
        var lines = fetched.story.steps.compactMap(line)
        switch fetched.result {
        case .success(let response):
            let body = String(decoding: response.body, as: UTF8.self)
            if !body.isEmpty { lines += body.split(separator: "\n").map { "  \($0)" } }
            return TrialOutcome(choice: "\(response.head.status)", lines)
        case .failure(let failure):
            return TrialOutcome(choice: "\(failure.code.rawValue)", lines + [Self.line(failure, check)])
        }
    }

    /// Returns an error in a line: its detail is English, so other languages have the domain and the number alone.
    static func line(_ failure: ClientFailure, _ check: ClassCheck) -> String {
        check.spoken == .english ? failure.description : "\(failure.code.domain) \(failure.code.rawValue)"
    }

    /// Returns a step in a line; `nil` for steps that an experiment is not about.
    private func line(_ step: FetchStep) -> String? {
        switch step {
        case .clientHello(let hello, _):
            "ClientHello (\(hello.serverName ?? check.say("no server name", "ohne Servernamen")))"
        case .serverChain(let presentation): "Certificate (\(presentation.chain.count))"
        case .challenge(let challenge, let level):
            "\(check.say("challenge", "Challenge")) \(challenge.protectionSpace.authenticationMethod.shortName), previousFailureCount \(challenge.previousFailureCount), "
                + asked(level?.rawValue)
        case .disposition(let disposition, let note):
            check.say("\(disposition.name): \(note)", disposition.name)
        case .handshake(let version, let cipher, _, _):
            check.say("handshake finished: \(version), \(cipher)", "Handshake fertig: \(version), \(cipher)")
        case .tunnel(let authority, let status, _): "CONNECT \(authority): \(status)"
        case .request(let method, let target, _): "> \(method) \(target)"
        case .response(let head):
            "< \(head.status)"
                + ["www-authenticate", "proxy-authenticate", "etag", "set-cookie", "allow", "location"]
                .compactMap { name in head.fields.first(name).map { "\n  \(name): \($0)" } }.joined()
        case .note(let text): check.spoken == .english ? text : nil
        case .resolved, .connected, .notConnected, .judgement, .redirect, .body, .trailers, .failed: nil
        }
    }

    /// Returns the side that answers a challenge, in words.
    private func asked(_ level: String?) -> String {
        guard let level else { return check.say("no delegate is asked", "kein Delegate wird gefragt") }
        return check.say(
            "the \(level)'s delegate is asked",
            "gefragt wird das Delegate \(level == "session" ? "der Session" : "des Task")"
        )
    }
}
