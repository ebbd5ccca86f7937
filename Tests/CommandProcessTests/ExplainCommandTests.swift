import Foundation
import PinholeTestKit
import Testing

@Suite("pinhole explain")
struct ExplainCommandTests {
    private func binary() throws -> PinholeBinary {
        let binary = try PinholeBinary()
        try binary.directory.write(
            """
            {"tls": {"passthrough": ["*.bank.example", "!test.bank.example"],
              "exemptions": [{"hosts": ["old.test"], "reason": "replaced next week"}],
              "clientCertificates": [{"hosts": ["mtls.test"], "file": "me.pem"}]},
             "resolve": ["mtls.test:443:127.0.0.7"]}
            """,
            to: "config.json"
        )
        return binary
    }

    @Test("names the rule that decides; the exit code is the answer")
    func rules() async throws {
        let binary = try binary()
        let passed = try await binary.run("explain", "www.bank.example")
        #expect(
            passed.exit == .code(1) && passed.text.contains("passed through by the rule “*.bank.example”"),
            "\(passed)"
        )
        let negated = try await binary.run("explain", "test.bank.example:443")
        #expect(negated.isSuccess && negated.text.contains("“!test.bank.example”"), "\(negated)")
        let other = try await binary.run("explain", "bücher.example")
        #expect(other.isSuccess && other.text.contains("xn--bcher-kva.example:443"), "\(other)")
    }

    @Test("names exemption, client certificate and address")
    func rest() async throws {
        let binary = try binary()
        #expect(try await binary.run("explain", "old.test").text.contains("old.test: replaced next week"))
        let result = try await binary.run("explain", "--json", "mtls.test:443")
        let object = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
        #expect(object?["clientCertificate"] as? String == "me.pem")
        #expect(object?["addresses"] as? [String] == ["127.0.0.7"])
    }

    @Test("names the source addresses of connections")
    func sources() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(
            #"{"upstream": {"addresses": ["192.0.2.7", "2001:db8::7"]}}"#,
            to: "config.json"
        )
        let text = try await binary.run("explain", "a.test").text
        #expect(text.contains("from               192.0.2.7, 2001:db8::7, by upstream.addresses"), "\(text)")
    }

    @Test("names the environment variable that decides about the next proxy")
    func environment() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(#"{"upstream": {"proxy": "environment"}}"#, to: "config.json")
        let variables: [String: String?] = [
            "https_proxy": "http://me:hunter2@192.0.2.1:3128", "NO_PROXY": "corp.example",
        ]
        func explain(_ host: String) async throws -> String {
            try await binary.run("explain", host, environment: variables).text
        }
        let through = try await explain("a.test")
        #expect(through.contains("http://192.0.2.1:3128, by https_proxy"), "\(through)")
        let past = try await explain("a.corp.example")
        #expect(past.contains("none: reached directly, by “*.corp.example” of NO_PROXY"), "\(past)")
        let plain = try await explain("a.test:80")
        #expect(plain.contains("none: reached directly\n"), "\(plain)")
    }

    @Test("names the pattern that leads past the next hop")
    func bypass() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(
            #"{"upstream": {"proxy": "http://192.0.2.1:3128", "bypass": ["*.corp.example", "10.0.0.0/8"]}}"#,
            to: "config.json"
        )
        let past = try await binary.run("explain", "a.corp.example")
        #expect(
            past.text.contains("none: reached directly, by “*.corp.example” of upstream.bypass"),
            "\(past)"
        )
        #expect(
            try await binary.run("explain", "other.example").text.contains(
                "192.0.2.1:3128, by upstream.proxy"
            )
        )
        let result = try await binary.run("explain", "--json", "10.1.2.3:443")
        let object = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
        #expect(object?["bypass"] as? String == "10.0.0.0/8" && object?["through"] == nil)
    }

    @Test("a CA with constraints decides, too")
    func constrainedAuthority() async throws {
        let binary = try PinholeBinary()
        _ = try await binary.run("ca", "init", "--permit", "example.test")
        #expect(try await binary.run("explain", "a.example.test").isSuccess)
        let other = try await binary.run("explain", "example.com")
        #expect(other.exit == .code(1) && other.text.contains("ca.permittedDomains"), "\(other)")
    }
}
