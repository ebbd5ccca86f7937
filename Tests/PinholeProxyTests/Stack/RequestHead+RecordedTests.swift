import PinholeModel
import PinholeWire
import Testing

@testable import PinholeProxy

@Suite("RequestHead as recorded")
struct RequestHeadRecordedTests {
    private func head(_ text: String) throws -> RequestHead {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue(Array(text.utf8))
        guard case .request(let head) = try reader.next(&input) else { throw Missing() }
        return head
    }

    private struct Missing: Error {}

    @Test("is the received head, byte for byte")
    func plain() throws {
        let text = "GET http://a.example/ HTTP/1.1\r\nhOST:  a.example \r\nX: 1\r\n\r\n"
        #expect(String(decoding: try head(text).recorded, as: UTF8.self) == text)
    }

    @Test("holds no password of the proxy")
    func password() throws {
        let recorded = try head(
            "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nproxy-authorization: Basic c2VjcmV0\r\nX: 1\r\n\r\n"
        ).recorded
        #expect(
            String(decoding: recorded, as: UTF8.self)
                == "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nProxy-Authorization: (removed)\r\nX: 1\r\n\r\n"
        )
    }
}
