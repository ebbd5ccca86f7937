import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("Onboarding")
struct OnboardingTests {
    private func ask(
        _ requestLine: String,
        host: String = "pinhole.test",
        userAgent: String = "test"
    ) throws -> String {
        let harness = try Tunnels.plain()
        let fields = "Host: \(host)\r\nUser-Agent: \(userAgent)\r\nConnection: close\r\n"
        harness.client.send("\(requestLine) HTTP/1.1\r\n\(fields)\r\n")
        harness.pump()
        #expect(harness.dialed.isEmpty)
        harness.checkEnd()
        return harness.client.text
    }

    @Test("answers requests for its own name, and origin-form requests to the proxy")
    func page() throws {
        for (line, host) in [
            ("GET http://pinhole.test/", "pinhole.test"), ("GET /", "127.0.0.1:8080"),
            ("GET http://PINHOLE.test:80/?x", "PINHOLE.test:80"),
        ] {
            let text = try ask(line, host: host)
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("/pinhole-ca.pem"), "\(line)")
            #expect(text.hasSuffix("</html>\n"))
        }
    }

    @Test(
        "begins with the steps of the phone that asks, and ends with the files",
        arguments: [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15", "This iPhone",
                ["/pinhole-ca.mobileconfig", "Device Management", "Certificate Trust Settings", "A computer"]
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36", "This Android device",
                ["/pinhole-ca.crt", "Install a certificate", "ignore user CAs", "A computer"]
            ),
        ]
    )
    func phone(userAgent: String, name: String, order: [String]) throws {
        let text = try ask("GET http://pinhole.test/", userAgent: userAgent)
        let parts = [name] + order + ["<h2>The CA certificate</h2>"]
        let places = parts.map { text.firstRange(of: $0)?.lowerBound }
        let found = places.compactMap(\.self)
        #expect(found.count == places.count && found == found.sorted(), "\(text)")
        #expect(!text.contains("One command"), "a phone has no terminal")
        // The page of a computer begins with the files.
        let other = try ask("GET http://pinhole.test/", userAgent: "Mozilla/5.0 (X11; Linux x86_64)")
        #expect(!other.contains("This iPhone") && !other.contains("This Android"))
    }

    @Test("hands out the CA certificate and never a key")
    func download() throws {
        let text = try ask("GET http://pinhole.test/pinhole-ca.pem")
        #expect(text.contains("-----BEGIN CERTIFICATE-----"))
        #expect(text.contains("Content-Disposition: attachment; filename=\"pinhole-ca.pem\""))
        for path in ["/", "/pinhole-ca.pem", "/rootCA-key.pem", "/../rootCA-key.pem", "/ca.key"] {
            #expect(try !ask("GET http://pinhole.test\(path)").contains("PRIVATE KEY"))
        }
    }

    @Test("knows its pages, and its methods")
    func others() throws {
        #expect(try ask("GET http://pinhole.test/none").hasPrefix("HTTP/1.1 404 "))
        #expect(try ask("POST http://pinhole.test/").hasPrefix("HTTP/1.1 405 "))
        let head = try ask("HEAD http://pinhole.test/")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
        #expect(head.contains("Content-Length: ") && !head.contains("Content-Length: 0"))
    }

    @Test("redirects clients that use TLS to the plain page")
    func connect() throws {
        let harness = try Tunnels.plain()
        harness.client.send("CONNECT pinhole.test:443 HTTP/1.1\r\nHost: pinhole.test:443\r\n\r\n")
        harness.pump()
        #expect(
            harness.client.text.hasPrefix("HTTP/1.1 404 ")
                && harness.client.text.contains("http://pinhole.test/")
        )
        #expect(harness.flow?.treatment == .local)
        harness.checkEnd()
    }
}
