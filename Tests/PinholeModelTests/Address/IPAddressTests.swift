import PinholeModel
import PinholeTestKit
import Testing

@Suite("IPAddress")
struct IPAddressTests {
    @Test(
        "writes addresses in their canonical form (RFC 5952)",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
            ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0db8::0001", "2001:db8::1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
            ("::ffff:c000:201", "::ffff:192.0.2.1"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ]
    )
    func canonical(text: String, expected: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == expected)
        #expect(IPAddress(expected) == address)
    }

    @Test(
        "refuses other spellings",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.04", "1.2.3.256", "1.2.3.+4", "1.2.3.", " 1.2.3.4", "0x7f.0.0.1",
            ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::12345", "::g", "fe80::1%eth0",
            "[::1]", "::1.2.3", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4::5:6:7:8", ":1::", "::1:",
        ]
    )
    func refuses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("takes 4 or 16 bytes")
    func bytes() {
        #expect(IPAddress(bytes: [127, 0, 0, 1])?.description == "127.0.0.1")
        #expect(IPAddress(bytes: [UInt8](repeating: 0, count: 16))?.description == "::")
        for count in [0, 3, 5, 15, 17] {
            #expect(IPAddress(bytes: [UInt8](repeating: 0, count: count)) == nil)
        }
    }

    @Test("finds the IPv4 address in a mapped one")
    func unmapped() throws {
        #expect(IPAddress("::ffff:127.0.0.1")?.unmapped == IPAddress("127.0.0.1"))
        let other = try #require(IPAddress("::127.0.0.1"))
        #expect(other.unmapped == other)
    }

    @Test(
        "recognises traffic that stays on this machine",
        arguments: [
            ("127.0.0.1", true), ("127.255.0.3", true), ("0.0.0.0", true), ("::1", true), ("::", true),
            ("::ffff:127.0.0.1", true), ("::ffff:0.0.0.0", true), ("128.0.0.1", false), ("10.0.0.1", false),
            ("::2", false), ("1::1", false), ("::ffff:10.0.0.1", false),
        ]
    )
    func loopback(text: String, expected: Bool) {
        #expect(IPAddress(text)?.isLoopback == expected)
    }

    @Test("reads back the text that it has written", arguments: 0..<20)
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for count in [4, 16] {
            for _ in 0..<50 {
                // Many zeros, so that runs of them are met.
                let bytes = (0..<count).map { _ in
                    Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
                }
                let address = IPAddress(bytes: bytes)
                #expect(address.flatMap { IPAddress($0.description) } == address, "\(bytes)")
            }
        }
    }
}
