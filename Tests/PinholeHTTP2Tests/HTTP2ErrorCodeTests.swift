import Testing

@testable import PinholeHTTP2

@Suite("HTTP2ErrorCode")
struct HTTP2ErrorCodeTests {
    @Test("is shown by name and number")
    func description() {
        #expect("\(HTTP2ErrorCode.cancel)" == "CANCEL (0x8)")
        #expect("\(HTTP2ErrorCode.http11Required)" == "HTTP_1_1_REQUIRED (0xd)")
        #expect("\(HTTP2ErrorCode(rawValue: 0xff))" == "0xff")
    }
}
