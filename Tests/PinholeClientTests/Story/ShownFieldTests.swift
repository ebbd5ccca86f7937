import PinholeClient
import Testing

@Suite("ShownField")
struct ShownFieldTests {
    @Test(
        "leaves out credentials that other people could use",
        arguments: [
            ("Authorization", "Basic YWxpY2U6c2VjcmV0", "Basic …"), ("authorization", "secret", "…"),
            ("Proxy-Authorization", "Digest username=\"a\"", "Digest …"),
            ("Cookie", "sid=secret; theme=dark", "sid=…; theme=…"), ("Cookie", "secret", "…"),
            ("Set-Cookie", "sid=secret; Path=/; HttpOnly", "sid=…; Path=/; HttpOnly"),
            ("Set-Cookie", "secret; Secure", "…; Secure"), ("X-Cookie", "a=b", "a=b"),
            ("WWW-Authenticate", "Basic realm=\"a\"", "Basic realm=\"a\""), ("Accept", "*/*", "*/*"),
        ]
    )
    func text(name: String, value: String, shown: String) {
        #expect(ShownField.text(name: name, value: value) == "\(name): \(shown)")
    }
}
