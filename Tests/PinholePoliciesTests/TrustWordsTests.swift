import Testing

@testable import PinholePolicies

@Suite("TrustWords")
struct TrustWordsTests {
    @Test(
        "finds the line that decides the trust of a client",
        arguments: [
            ("package main\ncfg := &tls.Config{InsecureSkipVerify: true}\n", 2, "InsecureSkipVerify"),
            ("https.get({rejectUnauthorized: false})", 1, "rejectUnauthorized"),
            ("\n\nvalidation_context:\n  verify_certificate_spki: [x]", 4, "verify_certificate_spki"),
            ("p.allowInvalidCertificates = YES;", 1, "allowInvalidCertificates"),
            ("Invoke-RestMethod -SkipCertificateCheck -Uri $u", 1, "SkipCertificateCheck"),
            ("// CERT_NONE\npool(cert_reqs=\"CERT_NONE\")", 2, "CERT_NONE"),
        ]
    )
    func finds(text: String, line: Int, word: String) throws {
        let place = try #require(TrustWords.place(in: Array(text.utf8)))
        #expect(place.line == line && place.word == word)
    }

    @Test(
        "is silent about other words, comments and binary files",
        arguments: [
            "let verifyConnections = 1", "# InsecureSkipVerify\n * rejectUnauthorized", "",
            "\0InsecureSkipVerify",
        ]
    )
    func silent(text: String) { #expect(TrustWords.place(in: Array(text.utf8)) == nil) }
}
