import PinholeWire
import Testing

@testable import PinholeClient

@Suite("DigestAuthentication")
struct DigestAuthenticationTests {
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    private func challenge(_ text: String) throws -> DigestChallenge {
        try DigestChallenge(#require(HTTPChallenge.parse(Array("Digest \(text)".utf8)).first))
    }

    private func answer(
        _ text: String,
        user: String = "Mufasa",
        password: String = "Circle of Life",
        clientNonce: String = clientNonce,
        target: String = "/dir/index.html",
        body: String = ""
    ) throws -> [String: String] {
        var digest = DigestAuthentication(
            try challenge(text),
            user: user,
            password: password,
            clientNonce: clientNonce
        )
        let value = digest.authorization(
            for: DigestAuthentication.Request(method: "GET", target: target, body: Array(body.utf8))
        )
        return try parameters(value)
    }

    private func parameters(_ value: [UInt8]) throws -> [String: String] {
        // `username*` has a quotation mark of its own kind, which no token of a challenge has.
        let challenge = try #require(try HTTPChallenge.parse(value).first)
        return Dictionary(uniqueKeysWithValues: challenge.parameters.map { ($0.name, $0.value) })
    }

    @Test(
        "gives the responses of RFC 7616 §3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ]
    )
    func example(algorithm: String, response: String) throws {
        let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        let answer = try answer(
            """
            realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
            nonce="\(Self.nonce)", opaque="\(opaque)"
            """
        )
        #expect(answer["response"] == response)
        #expect(answer["username"] == "Mufasa")
        #expect(answer["realm"] == "http-auth@example.org")
        #expect(answer["uri"] == "/dir/index.html")
        #expect(answer["algorithm"] == algorithm)
        #expect(answer["nonce"] == Self.nonce)
        #expect(answer["nc"] == "00000001")
        #expect(answer["cnonce"] == Self.clientNonce)
        #expect(answer["qop"] == "auth")
        #expect(answer["opaque"] == opaque)
        #expect(answer["userhash"] == nil)
    }

    /// Computed with Python's hashlib over the bytes of the challenge.
    @Test("sends back and hashes the bytes of a realm that is not UTF-8")
    func latin1() throws {
        let value = Array(#"Digest realm="caf"#.utf8) + [0xe9] + Array(#"", nonce="n", qop="auth""#.utf8)
        let challenge = try DigestChallenge(#require(HTTPChallenge.parse(value).first))
        var digest = DigestAuthentication(challenge, user: "u", password: "p", clientNonce: "c")
        let answer = digest.authorization(for: DigestAuthentication.Request(method: "GET", target: "/"))
        let realm = Array(#"realm="caf"#.utf8) + [0xe9, 0x22]
        #expect(answer.firstRange(of: realm) != nil)
        #expect(try parameters(answer)["response"] == "2183882b8f0fb5a361ff41966127ec67")
    }

    /// The RFC prints the digests of another algorithm (erratum 4897); this one is from Python's hashlib.
    @Test("answers the challenge of RFC 7616 §3.9.2")
    func secondExample() throws {
        let answer = try answer(
            """
            realm="api@example.org", qop="auth", algorithm=SHA-512-256, userhash=true, charset=UTF-8, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK"
            """,
            user: "Jäsøn Doe",
            password: "Secret, or not?",
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm",
            target: "/doe.json"
        )
        #expect(
            answer["response"] == "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c"
        )
        #expect(answer["username*"] == "UTF-8''J%C3%A4s%C3%B8n%20Doe")
        #expect(answer["userhash"] == "false")
    }

    /// Computed with Python's hashlib.
    @Test(
        "covers sessions, bodies and servers of RFC 2069",
        arguments: [
            (#"algorithm=MD5-sess, qop="auth""#, "", "e783283f46242139c486a698fec7211d"),
            (
                #"algorithm=SHA-256-sess, qop="auth""#, "",
                "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"
            ),
            (#"qop="auth-int""#, "hello", "1707eaf5c6ed1a8f6ff2e49286b06bc2"),
            ("", "", "7b2cc3b30e75b4777ea31027084363fd"),
        ]
    )
    func variants(text: String, body: String, response: String) throws {
        let comma = text.isEmpty ? "" : ", "
        let answer = try answer(
            "realm=\"http-auth@example.org\", nonce=\"\(Self.nonce)\"\(comma)\(text)",
            body: body
        )
        #expect(answer["response"] == response)
        #expect((answer["nc"] == nil) == text.isEmpty)
    }

    /// Computed with Python's hashlib.
    @Test(
        "accepts the proof of a server that knows the password, and no other",
        arguments: [
            (#"algorithm=MD5, qop="auth""#, "", "9b712497bc9f91499fbcca1dfc5f09a5"),
            (
                #"algorithm=SHA-256, qop="auth""#, "",
                "86d3b25618d41854ca5039a5d7e53ff6355d5134a9b1fb088a78ac3c462195a0"
            ),
            (
                #"algorithm=SHA-256-sess, qop="auth""#, "",
                "d4ad609d150eafce2281da5c3179878fdb37e6a16021272f4bed1a082f5c2324"
            ),
            (#"qop="auth-int""#, "hello", "6e17dd06bd52f02e910b2954c2041177"),
            ("algorithm=MD5", "", "0ce41fdcf28d7cea59b4fc9db4714a38"),
        ]
    )
    func proof(text: String, body: String, proof: String) throws {
        var digest = DigestAuthentication(
            try challenge("realm=\"http-auth@example.org\", nonce=\"\(Self.nonce)\", \(text)"),
            user: "Mufasa",
            password: "Circle of Life",
            clientNonce: Self.clientNonce
        )
        let body = Array(body.utf8)
        #expect(!digest.isProven(by: proof, protection: nil, body: body))
        _ = digest.authorization(for: .init(method: "GET", target: "/dir/index.html"))
        #expect(digest.isProven(by: proof, protection: nil, body: body))
        #expect(digest.isProven(by: proof.uppercased(), protection: nil, body: body))
        #expect(!digest.isProven(by: String(proof.dropLast()), protection: nil, body: body))
        if text.contains("auth-int") {
            #expect(!digest.isProven(by: proof, protection: nil, body: []))
            #expect(!digest.isProven(by: proof, protection: .auth, body: body))
        }
        // The nonce for the next request does not change what the last one was answered with.
        digest.use(nextNonce: Array("m".utf8))
        #expect(digest.isProven(by: proof, protection: nil, body: body))
        _ = digest.authorization(for: .init(method: "GET", target: "/dir/index.html"))
        #expect(!digest.isProven(by: proof, protection: nil, body: body))
    }

    @Test("counts how often a nonce was used, and begins anew with a new one")
    func counting() throws {
        var digest = DigestAuthentication(
            try challenge(#"realm="r", nonce="n", qop=auth"#),
            user: "u",
            password: "p",
            clientNonce: "c"
        )
        let request = DigestAuthentication.Request(method: "GET", target: "/")
        let counts = try (0..<17).map { _ in try parameters(digest.authorization(for: request))["nc"] }
        #expect(counts.last == "00000011")
        digest.use(nextNonce: Array("m".utf8))
        let next = try parameters(digest.authorization(for: request))
        #expect(next["nc"] == "00000001")
        #expect(next["nonce"] == "m")
    }

    @Test("quotes every character of a name and a realm")
    func quoting() throws {
        let answer = try answer(
            #"realm="say \"a\\b\"", nonce="n", qop=auth"#,
            user: #"a"b\c"#
        )
        #expect(answer["realm"] == #"say "a\b""#)
        #expect(answer["username"] == #"a"b\c"#)
    }

    @Test(
        "refuses an unsupported request by a typed error",
        arguments: [
            (#"realm="r", nonce="n", algorithm=SHA3-256"#, DigestFailure.unknownAlgorithm("SHA3-256")),
            (#"realm="r", nonce="n", algorithm=MD5-sess-sess"#, .unknownAlgorithm("MD5-sess-sess")),
            (#"realm="r", nonce="n", qop="auth-conf""#, .unknownProtection("auth-conf")),
            (#"nonce="n""#, .missing("realm")), (#"realm="r""#, .missing("nonce")),
        ]
    )
    func refusals(text: String, failure: DigestFailure) {
        #expect(throws: failure) { try challenge(text) }
    }

    @Test(
        "Basic encodes the user and the password in UTF-8",
        arguments: [("test", "123£", "Basic dGVzdDoxMjPCow==")]
    )
    func basic(user: String, password: String, value: String) {
        #expect(BasicAuthentication.authorization(user: user, password: password) == value)
        #expect(BasicAuthentication.authorization(user: "a:b", password: password) == nil)
    }
}
