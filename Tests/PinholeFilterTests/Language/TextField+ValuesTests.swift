import PinholeFilter
import PinholeModel
import Testing

@Suite("TextField, values")
struct TextFieldValuesTests {
    @Test("every end that an exchange or a flow can have is an outcome, once")
    func outcomes() {
        #expect(
            TextField.outcome.values == [
                "aborted", "abortedByClient", "abortedByServer", "abortedByUser", "answeredByProxy",
                "closedByClient", "completed", "dialFailed",
                "failed", "handshakeFailed", "refused", "spare", "stopped", "timedOut",
            ]
        )
    }

    @Test("infinite sets are not enumerated")
    func open() throws {
        #expect(TextField.host.values == nil && TextField.header(.either, "x").values == nil)
        #expect(TextField.named(try #require(.named("tls.alert"))).values?.contains("unknown_ca") == true)
    }
}
