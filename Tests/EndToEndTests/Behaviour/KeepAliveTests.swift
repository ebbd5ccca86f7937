import PinholeLab
import PinholeStore
import Testing

@Suite("Keep-alive", .serialized)
struct KeepAliveTests {
    @Test("requests of one client connection share one server connection")
    func keepAlive() async throws {
        try await Stage.run { stage in
            try await blocking {
                let client = try stage.tunnel()
                for number in 1...5 {
                    try client.send("GET /bytes/\(number) HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                    let response = try client.readResponse()
                    #expect(response.status == 200)
                    #expect(response.body.count == number)
                }
            }
            #expect(stage.origin.acceptedCount == 1)
            let reader = try await stage.capture()
            #expect(try reader.exchanges(limit: 100).count == 5)
        }
    }
}
