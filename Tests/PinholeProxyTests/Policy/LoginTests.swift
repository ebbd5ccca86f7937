import Testing

@testable import PinholeProxy

@Suite("Login")
struct LoginTests {
    @Test("reads Basic alone, and parts the user from the password at the first colon")
    func basic() {
        let right = Login(user: Array("anna".utf8), password: Array("a:b".utf8))
        #expect(Login(authorization: "Basic YW5uYTphOmI=") == right)
        #expect(Login(authorization: "bASIC YW5uYTphOmI=") == right)
        #expect(right.pair == Array("anna:a:b".utf8))
        for value in [nil, "", "Basic", "Basic ", "Basic !!", "Bearer YW5uYTphOmI=", "Basic YW5uYQ=="] {
            #expect(Login(authorization: value) == nil, "\(value ?? "none")")
        }
    }
}
