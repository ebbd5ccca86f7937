import PinholeCrypto
import PinholeModel
import PinholeWire
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("Client, HTTP authentication")
struct AuthenticationTests {
    /// Routes whose one path asks by `challenges` until `accepts` likes the Authorization.
    private func routes(
        _ challenges: [String],
        _ path: String = "/private",
        accepts: @escaping @Sendable (String) -> Bool
    ) -> OriginRoutes {
        var routes = OriginRoutes.standard
        routes.set(path) { request in
            if let authorization = request.head.fields.first("authorization"), accepts(authorization) {
                return request.reply(200, type: "text/plain", body: Array("welcome".utf8))
            }
            return request.reply(
                401,
                type: "text/plain",
                body: Array("who are you?".utf8),
                fields: challenges.map { "WWW-Authenticate: \($0)" }
            )
        }
        return routes
    }

    private static let basic = "Basic YWxpY2U6c2VjcmV0"
    private static let alice = Credential(user: "alice", password: "secret")

    private func task(
        _ answers: ChallengeDisposition...
    ) -> (ClientDelegate, Recorder<AuthenticationChallenge>) {
        let recorder = Recorder<AuthenticationChallenge>()
        let delegate = ClientDelegate(task: { challenge in
            guard challenge.protectionSpace.authenticationMethod != .serverTrust else {
                return .performDefaultHandling
            }
            let index = recorder.note(challenge)
            return answers.indices.contains(index) ? answers[index] : answers.last ?? .performDefaultHandling
        })
        return (delegate, recorder)
    }

    @Test("Basic: the challenge says realm, count and response; the credential opens the door")
    func basic() async throws {
        let routes = routes([#"Basic realm="inside""#]) { $0 == Self.basic }
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(.useCredential(Self.alice))
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.text == "welcome", "\(outcome)")
            let challenge = try #require(recorder.values.first)
            #expect(recorder.values.count == 1)
            #expect(challenge.protectionSpace.realm == "inside")
            #expect(challenge.protectionSpace.authenticationMethod == .httpBasic)
            #expect(!challenge.protectionSpace.isProxy)
            #expect(challenge.previousFailureCount == 0)
            #expect(challenge.proposedCredential == nil)
            #expect(challenge.failureResponse?.status == 401)
            // What a story shows holds no password.
            let shown = outcome.story.steps.compactMap { step -> [String]? in
                guard case .request(_, _, let fields) = step else { return nil }
                return fields
            }
            #expect(shown.last?.contains("Authorization: Basic …") == true)
        }
    }

    @Test("without anything to try, the 401 is delivered as the response")
    func delivered() async throws {
        let routes = routes([#"Basic realm="inside""#]) { _ in false }
        try await ClientStage.run(routes: routes) { stage in
            for delegate in [ClientDelegate(), task(.performDefaultHandling).0, task(.useCredential(nil)).0] {
                let outcome = try await stage.fetch("/private", delegate: delegate)
                #expect(outcome.response?.head.status == 401)
                #expect(outcome.text == "who are you?")
                #expect(outcome.requests.count == 1)
            }
            let (delegate, _) = task(.cancelAuthenticationChallenge)
            #expect(try await stage.fetch("/private", delegate: delegate).failure?.code == .cancelled)
        }
    }

    @Test("default handling takes the name and password of the settings, or of the URL")
    func known() async throws {
        let routes = routes([#"Basic realm="inside""#]) { $0 == Self.basic }
        try await ClientStage.run(routes: routes) { stage in
            let url = try stage.url("/private")
            let given = try await stage.fetch("/private") { $0.logins = [(url, Self.alice)] }
            #expect(given.text == "welcome")
            let text = url.description.replacing("https://", with: "https://alice:secret@")
            let client = try PinholeClient(try stage.settings())
            #expect(await client.fetch(try ClientURL(text)).text == "welcome")
            let refused = await client.fetch(
                try ClientURL(url.description.replacing("https://", with: "https://alice:wrong@"))
            )
            #expect(refused.response?.head.status == 401)
            #expect(refused.requests.count == 2)
        }
    }

    @Test("a wrong password leads to another challenge, with the credential that failed")
    func secondTry() async throws {
        let routes = routes([#"Basic realm="inside""#]) { $0 == Self.basic }
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(
                .useCredential(Credential(user: "alice", password: "wrong")),
                .useCredential(Self.alice)
            )
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.text == "welcome")
            #expect(recorder.values.map(\.previousFailureCount) == [0, 1])
            #expect(recorder.values.last?.proposedCredential?.login?.password == "wrong")
        }
    }

    @Test("a handler that always answers the same is stopped: the credential is rejected")
    func sameAgain() async throws {
        let routes = routes([#"Basic realm="inside""#]) { _ in false }
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(.useCredential(Self.alice))
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.response?.head.status == 401)
            #expect(recorder.values.map(\.previousFailureCount) == [0, 1])
            #expect(outcome.requests.count == 2)
        }
    }

    @Test("a 401 loop ends after three failures, whatever the handler tries")
    func loop() async throws {
        let routes = routes([#"Basic realm="inside""#]) { _ in false }
        try await ClientStage.run(routes: routes) { stage in
            let recorder = Recorder<Int>()
            let delegate = ClientDelegate(task: { challenge in
                guard challenge.serverTrust == nil else { return .performDefaultHandling }
                let index = recorder.note(challenge.previousFailureCount)
                return .useCredential(Credential(user: "alice", password: "guess \(index)"))
            })
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.failure?.code == .userCancelledAuthentication)
            #expect(recorder.values == [0, 1, 2])
            #expect(outcome.requests.count == 4)
        }
    }

    @Test("rejectProtectionSpace tries the next method; after the last method the 401 is delivered")
    func rejected() async throws {
        let challenges = [#"Basic realm="b", Digest realm="d", nonce="n", qop="auth", Negotiate"#]
        let routes = routes(challenges) { $0 == Self.basic }
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(.rejectProtectionSpace, .useCredential(Self.alice))
            #expect(try await stage.fetch("/private", delegate: delegate).text == "welcome")
            // Digest comes before Basic, whatever the server's order.
            #expect(
                recorder.values.map(\.protectionSpace.authenticationMethod) == [.httpDigest, .httpBasic]
            )
            let (rejecting, all) = task(.rejectProtectionSpace)
            let outcome = try await stage.fetch("/private", delegate: rejecting)
            #expect(outcome.response?.head.status == 401)
            #expect(all.values.count == 2)
            #expect(outcome.notes.contains { $0.contains("Negotiate") })
        }
    }

    @Test("a wrong password for Digest is not tried again, and Basic is offered, with and without a delegate")
    func wrongDigest() async throws {
        let routes = routes([#"Digest realm="r", nonce="n", qop="auth""#, #"Basic realm="r""#]) { _ in false }
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(.performDefaultHandling)
            let url = try stage.url("/private")
            for delegate in [delegate, ClientDelegate()] {
                let outcome = try await stage.fetch("/private", delegate: delegate) {
                    $0.logins = [(url, Credential(user: "alice", password: "wrong"))]
                }
                #expect(outcome.response?.head.status == 401)
                #expect(outcome.requests.count == 2)
            }
            #expect(
                recorder.values.map(\.protectionSpace.authenticationMethod) == [
                    .httpDigest, .httpDigest, .httpBasic,
                ]
            )
            #expect(recorder.values.map(\.previousFailureCount) == [0, 1, 1])
        }
    }

    @Test("a Digest of an unknown algorithm is not offered, and the story says why")
    func unknownAlgorithm() async throws {
        let challenge = #"Digest realm="d", nonce="n", qop="auth", algorithm=SHA3-512"#
        try await ClientStage.run(routes: routes([challenge]) { _ in false }) { stage in
            let (delegate, recorder) = task(.useCredential(Self.alice))
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.response?.head.status == 401)
            #expect(recorder.values.isEmpty)
            #expect(outcome.notes.contains { $0.contains("SHA3-512") }, "\(outcome.notes)")
        }
        let both = routes([challenge, #"Basic realm="b""#]) { $0 == Self.basic }
        try await ClientStage.run(routes: both) { stage in
            let (delegate, _) = task(.useCredential(Self.alice))
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.text == "welcome")
        }
    }

    @Test("a malformed challenge is a note in the story, and the 401 is delivered")
    func malformed() async throws {
        try await ClientStage.run(routes: routes([#"Basic realm="open"#]) { _ in false }) { stage in
            let outcome = try await stage.fetch("/private", delegate: task(.useCredential(Self.alice)).0)
            #expect(outcome.response?.head.status == 401)
            #expect(outcome.notes.contains { $0.contains("quotation mark") })
        }
    }

    @Test("forSession is proposed the next time, none is not")
    func persistence() async throws {
        let routes = routes([#"Basic realm="inside""#]) { $0 == Self.basic }
        try await ClientStage.run(routes: routes) { stage in
            for persistence in [Credential.Persistence.forSession, .none] {
                let credential = Credential(user: "alice", password: "secret", persistence: persistence)
                let (delegate, recorder) = task(.useCredential(credential), .performDefaultHandling)
                let client = try PinholeClient(try stage.settings(), delegate: delegate)
                #expect(await client.fetch(try stage.url("/private")).text == "welcome")
                let second = await client.fetch(try stage.url("/private"))
                #expect((second.text == "welcome") == (persistence == .forSession))
                #expect(
                    (recorder.values.last?.proposedCredential?.login?.user == "alice")
                        == (persistence == .forSession)
                )
            }
        }
    }

    // MARK: Digest

    @Test("Digest counts its nonce, and replaces a stale one without asking the user")
    func digest() async throws {
        let seen = Recorder<String>()
        var routes = OriginRoutes()
        routes.set("/private") { request in
            let authorization = request.head.fields.first("authorization") ?? ""
            let index = seen.note(authorization)
            let nonce = index < 2 ? "old" : "new"
            guard index == 2 else {
                let stale = index == 1 ? ", stale=true" : ""
                return request.reply(
                    401,
                    fields: [
                        "WWW-Authenticate: Digest realm=\"d\", nonce=\"\(index == 1 ? "new" : nonce)\", "
                            + "qop=\"auth\", algorithm=SHA-256\(stale)"
                    ]
                )
            }
            return request.reply(200, body: Array("welcome".utf8))
        }
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(.useCredential(Self.alice))
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.text == "welcome", "\(outcome)")
            #expect(recorder.values.count == 1)
            #expect(seen.values.count == 3)
            #expect(seen.values.last?.contains("nonce=\"new\"") == true)
            #expect(seen.values.last?.contains("nc=00000001") == true)
            #expect(outcome.notes.contains { $0.contains("stale") })
        }
    }

    @Test("a server that calls every nonce stale is left after three of them")
    func staleForEver() async throws {
        let routes = routes([#"Digest realm="d", nonce="n", qop="auth", stale=true"#]) { _ in false }
        try await ClientStage.run(routes: routes) { stage in
            let outcome = try await stage.fetch("/private", delegate: task(.useCredential(Self.alice)).0)
            #expect(outcome.response?.head.status == 401)
            #expect(outcome.requests.count == 5)
        }
    }

    /// `/private` behind Digest, with the proof that somebody with `password` gives.
    private func proving(password: String) -> OriginRoutes {
        var routes = OriginRoutes()
        let hash = { @Sendable (text: String) -> String in
            Digest.sha256(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
        }
        routes.set("/private") { request in
            let said = request.head.fields.first("authorization") ?? ""
            guard let answer = try? HTTPChallenge.parse(Array(said.utf8)).first else {
                return request.reply(
                    401,
                    fields: [#"WWW-Authenticate: Digest realm="d", nonce="n", qop="auth", algorithm=SHA-256"#]
                )
            }
            let tail = "n:\(answer["nc"] ?? ""):\(answer["cnonce"] ?? ""):auth:\(hash(":/private"))"
            let proof = hash("\(hash("alice:d:\(password)")):\(tail)")
            return request.reply(
                200,
                body: Array("welcome".utf8),
                fields: ["Authentication-Info: qop=auth, rspauth=\"\(proof)\", nextnonce=\"m\""]
            )
        }
        return routes
    }

    @Test("a correct rspauth is noted; a wrong rspauth ends the fetch")
    func proof() async throws {
        try await ClientStage.run(routes: proving(password: "secret")) { stage in
            let outcome = try await stage.fetch("/private", delegate: task(.useCredential(Self.alice)).0)
            #expect(outcome.text == "welcome", "\(outcome)")
            #expect(
                outcome.notes.contains("Authentication-Info proves that the server knows the password")
            )
        }
        try await ClientStage.run(routes: proving(password: "guess")) { stage in
            let outcome = try await stage.fetch("/private", delegate: task(.useCredential(Self.alice)).0)
            #expect(outcome.failure?.code == .badServerResponse, "\(outcome)")
            #expect(outcome.failure?.check == "Digest")
            #expect(
                outcome.failure?.detail.hasPrefix("the rspauth of Authentication-Info is not the one") == true
            )
        }
    }

    @Test("auth-int covers the body")
    func body() async throws {
        let seen = Recorder<String>()
        var routes = OriginRoutes()
        routes.set("/private") { request in
            guard let authorization = request.head.fields.first("authorization") else {
                return request.reply(
                    401,
                    fields: [#"WWW-Authenticate: Digest realm="d", nonce="n", qop="auth-int""#]
                )
            }
            seen.note(authorization)
            return request.reply(200, body: request.body)
        }
        try await ClientStage.run(routes: routes) { stage in
            let client = try PinholeClient(
                try stage.settings(),
                delegate: task(.useCredential(Self.alice)).0
            )
            let outcome = await client.fetch(
                ClientRequest(try stage.url("/private"), method: "POST", body: Array("hello".utf8))
            )
            #expect(outcome.text == "hello", "\(outcome)")
            #expect(seen.values.first?.contains("qop=auth-int") == true)
        }
    }

    @Test("another realm leads to a new challenge without a failure count")
    func secondRealm() async throws {
        var routes = routes([#"Basic realm="one""#], "/one") { $0 == Self.basic }
        routes.set("/two") { request in
            request.head.fields.first("authorization") == "Basic Ym9iOnR3bw=="
                ? request.reply(200, type: "text/plain", body: Array("both".utf8))
                : request.reply(401, fields: [#"WWW-Authenticate: Basic realm="two""#])
        }
        routes.set("/one") { request in
            request.head.fields.first("authorization") == Self.basic
                ? request.reply(302, fields: ["Location: /two"])
                : request.reply(401, fields: [#"WWW-Authenticate: Basic realm="one""#])
        }
        let bob = Credential(user: "bob", password: "two")
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(.useCredential(Self.alice), .useCredential(bob))
            let outcome = try await stage.fetch("/one", delegate: delegate)
            #expect(outcome.text == "both", "\(outcome)")
            #expect(recorder.values.map(\.previousFailureCount) == [0, 0])
            #expect(recorder.values.map(\.protectionSpace.realm) == ["one", "two"])
            #expect(recorder.values.last?.proposedCredential == nil)
        }
    }

    @Test("a server that names a new realm each time gets three passwords, and each one counts")
    func endlessRealms() async throws {
        let count = Recorder<Int>()
        var routes = OriginRoutes.standard
        routes.set("/private") { request in
            request.reply(401, fields: ["WWW-Authenticate: Basic realm=\"\(count.note(0))\""])
        }
        try await ClientStage.run(routes: routes) { stage in
            let (delegate, recorder) = task(.useCredential(Self.alice))
            let outcome = try await stage.fetch("/private", delegate: delegate)
            #expect(outcome.failure?.code == .userCancelledAuthentication, "\(outcome)")
            #expect(recorder.values.map(\.previousFailureCount) == [0, 1, 2])
            #expect(recorder.values.allSatisfy { $0.proposedCredential == nil })
            #expect(outcome.requests.count == 4)
            // What is known without asking ends there as well.
            let url = try stage.url("/private")
            let known = try await stage.fetch("/private") { $0.logins = [(url, Self.alice)] }
            #expect(known.failure?.code == .userCancelledAuthentication, "\(known)")
            #expect(known.requests.count == 4)
        }
    }
}
