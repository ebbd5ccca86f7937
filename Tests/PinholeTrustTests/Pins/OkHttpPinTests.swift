import PinholeModel
import PinholeTrust
import Testing

@Suite("OkHttpPin")
struct OkHttpPinTests {
    private static let zeros = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test(
        "patterns mean the hosts that OkHttp's tests say",
        arguments: [
            ("example.com", ["example.com"], ["www.example.com", "xample.com"]),
            ("*.example.com", ["a.example.com"], ["example.com", "a.b.example.com", "aexample.com"]),
            (
                "**.example.com", ["example.com", "a.example.com", "a.b.example.com"],
                ["aexample.com", "com"]
            ),
            ("Example.COM.", ["example.com", "EXAMPLE.com."], ["example.org"]),
            ("192.0.2.1", ["192.0.2.1"], ["192.0.2.2"]), ("2001:db8::1", ["[2001:db8::1]"], ["2001:db8::2"]),
            ("*.0.2.1.test", ["a.0.2.1.test"], ["192.0.2.1"]),
        ]
    )
    func patterns(_ text: String, _ meant: [String], _ others: [String]) throws {
        let pattern = try OkHttpPin.Pattern(text)
        for host in meant { #expect(pattern.matches(try Host(host)), "\(host)") }
        for host in others { #expect(!pattern.matches(try Host(host)), "\(host)") }
    }

    @Test(
        "refuses patterns for which OkHttp throws an IllegalArgumentException",
        arguments: [
            "a*.example.com", "*", "**", "a.*.com", "*.*.com", "***.com", "*.192.0.2.1", "", "*.", "ä.test",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: PolicyFailure.self) { try OkHttpPin.Pattern(text) }
    }

    @Test("reads lines with one pin or more, and names the line that is wrong")
    func lines() throws {
        let text =
            "# pins\n\n*.example.com sha256/\(Self.zeros) sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=\nexample.com sha256/\(Self.zeros)"
        let pins = try OkHttpPin.read(lines: text)
        #expect(
            pins.map(\.description) == [
                "*.example.com sha256/\(Self.zeros)", "*.example.com sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "example.com sha256/\(Self.zeros)",
            ]
        )
        let failure = #expect(throws: PolicyFailure.self) {
            try OkHttpPin.read(lines: "# one\nexample.com sha256/AAAA")
        }
        #expect(failure?.description.hasPrefix("line 2: “AAAA” holds 3 bytes") == true)
        #expect(throws: PolicyFailure.self) { try OkHttpPin.read(line: "example.com") }
        #expect(throws: PolicyFailure.self) { try OkHttpPin.read(line: "") }
    }
}
