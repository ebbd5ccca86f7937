import PinholeWire
import Testing

@Suite("HTTPMethod")
struct HTTPMethodTests {
    @Test("requests that may be sent twice", arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"])
    func idempotent(method: String) {
        #expect(HTTPMethod.isIdempotent(method))
    }

    @Test(
        "methods that may not be repeated, with unknown ones and other spellings",
        arguments: ["POST", "PATCH", "get", "X", ""]
    )
    func others(method: String) {
        #expect(!HTTPMethod.isIdempotent(method))
    }
}
