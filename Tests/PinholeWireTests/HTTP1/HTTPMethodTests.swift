import PinholeWire
import Testing

@Suite("HTTPMethod")
struct HTTPMethodTests {
    @Test("what may be sent twice", arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"])
    func idempotent(method: String) {
        #expect(HTTPMethod.isIdempotent(method))
    }

    @Test(
        "what may not, methods that nobody knows and other spellings included",
        arguments: ["POST", "PATCH", "get", "X", ""]
    )
    func others(method: String) {
        #expect(!HTTPMethod.isIdempotent(method))
    }
}
