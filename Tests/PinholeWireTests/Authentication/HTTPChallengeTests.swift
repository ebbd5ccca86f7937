import PinholeTestKit
import Testing

@testable import PinholeWire

@Suite("HTTPChallenge")
struct HTTPChallengeTests {
    private typealias Parameter = HTTPChallenge.Parameter

    @Test(
        "reads every form of challenge, and tells the commas apart",
        arguments: [
            ("", []),
            (" , ,", []),
            ("Basic", [HTTPChallenge(scheme: "Basic")]),
            ("Negotiate,", [HTTPChallenge(scheme: "Negotiate")]),
            (
                #"Basic realm="simple""#,
                [HTTPChallenge(scheme: "Basic", parameters: [Parameter("realm", "simple")])]
            ),
            ("Negotiate YWJjZA==", [HTTPChallenge(scheme: "Negotiate", token: "YWJjZA==")]),
            ("NTLM a=", [HTTPChallenge(scheme: "NTLM", token: "a=")]),
            // The example of RFC 9110 §11.6.1.
            (
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                [
                    HTTPChallenge(scheme: "Basic", parameters: [Parameter("realm", "simple")]),
                    HTTPChallenge(
                        scheme: "Newauth",
                        parameters: [
                            Parameter("realm", "apps"), Parameter("type", "1"),
                            Parameter("title", "Login to \"apps\""),
                        ]
                    ),
                ]
            ),
            (
                #"Negotiate, NTLM , Digest REALM = "a, b=c" ,, qop="auth,auth-int",Basic"#,
                [
                    HTTPChallenge(scheme: "Negotiate"), HTTPChallenge(scheme: "NTLM"),
                    HTTPChallenge(
                        scheme: "Digest",
                        parameters: [Parameter("realm", "a, b=c"), Parameter("qop", "auth,auth-int")]
                    ),
                    HTTPChallenge(scheme: "Basic"),
                ]
            ),
            (
                "Basic realm=\"Grüße\"",
                [HTTPChallenge(scheme: "Basic", parameters: [Parameter("realm", "Grüße")])]
            ),
        ]
    )
    func reads(value: String, expected: [HTTPChallenge]) throws {
        #expect(try HTTPChallenge.parse(Array(value.utf8)) == expected)
    }

    @Test(
        "refuses grammar errors, and names their place",
        arguments: [
            (#"Basic realm="open"#, "closing quotation mark"),
            (#"Basic realm="open\"#, "closing quotation mark"),
            (#"Basic realm="#, "token"),
            (#"Basic realm=;"#, "a value for “realm”"),
            (#"Basic realm="a", realm="b""#, "more than once"),
            (#"Basic realm="a" charset"#, "a comma behind"),
            (#""Basic""#, "a scheme"),
            ("Basic;realm=a", "a space behind the scheme"),
        ]
    )
    func refuses(value: String, complaint: String) {
        // “realm=” alone is a well-formed token68.
        guard complaint != "token" else {
            #expect(throws: Never.self) { try HTTPChallenge.parse(Array(value.utf8)) }
            return
        }
        let failure = #expect(throws: HTTPChallengeFailure.self) {
            try HTTPChallenge.parse(Array(value.utf8))
        }
        #expect(failure?.description.contains(complaint) == true, "\(String(describing: failure))")
    }

    @Test("ends on any bytes")
    func noise() {
        var random = SeededRandom(seed: 7616)
        let alphabet = Array(#"Basic Digest realm="\ ,;=nonce"#.utf8) + [0, 0xff]
        for _ in 0..<2000 {
            let bytes = (0..<40).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            _ = try? HTTPChallenge.parse(bytes)
        }
    }

    @Test("keeps the bytes of a value that is not UTF-8, and shows it as ISO 8859-1")
    func latin1() throws {
        let bytes = Array(#"Basic realm="caf"#.utf8) + [0xe9, 0x22]
        let challenge = try #require(try HTTPChallenge.parse(bytes).first)
        #expect(challenge.bytes(of: "realm") == Array("caf".utf8) + [0xe9])
        #expect(challenge["realm"] == "café")
        #expect(challenge.bytes(of: "nonce") == nil)
    }

    @Test("scheme and parameters are found in any case")
    func lookUp() throws {
        let challenge = try #require(try HTTPChallenge.parse(Array(#"dIgEsT NONCE="x""#.utf8)).first)
        #expect(challenge.isScheme("Digest"))
        #expect(challenge["nonce"] == "x")
        #expect(challenge["realm"] == nil)
    }
}
