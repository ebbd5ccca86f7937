import Testing

@testable import PinholeHTTP2

@Suite("HTTP2StreamID")
struct HTTP2StreamIDTests {
    @Test("is shown as its number")
    func description() {
        #expect("\(HTTP2StreamID(rawValue: 7))" == "7")
    }
}
