import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("AutoConfiguration")
struct AutoConfigurationTests {
    private func ask(_ target: String, host: String) throws -> String {
        let harness = try Tunnels.plain()
        harness.client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        harness.pump()
        harness.checkEnd()
        return harness.client.text
    }

    @Test("names the proxy as the client reached it")
    func script() throws {
        let text = try ask("/proxy.pac", host: "127.0.0.1:8080")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Content-Type: application/x-ns-proxy-autoconfig\r\n"))
        #expect(text.contains("return \"PROXY 127.0.0.1:8080\";"), "\(text)")
        #expect(try ask("http://pinhole.test/proxy.pac", host: "pinhole.test").contains("PROXY 127.0.0.1:"))
    }

    @Test("writes nothing into the script that could end a text of it")
    func plain() throws {
        let odd = AutoConfiguration(named: try? Authority("a\"b:80"), at: "127.0.0.1:8080")
        #expect(odd.place == "127.0.0.1:8080")
        #expect(AutoConfiguration(named: try Authority("[::1]:80"), at: "x").place == "[::1]:80")
        #expect(AutoConfiguration(named: try Authority("desk.test:80"), at: "x").place == "desk.test:80")
    }
}
