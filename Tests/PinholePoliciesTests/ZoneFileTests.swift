import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// TLSA records in zones, as name servers load them.
@Suite("ZoneFile")
struct ZoneFileTests {
    private static let digest = Pins.hexadecimal

    private func owners(_ text: String) throws -> [String] {
        try ZoneFile(text).records.map { owner, record in
            "\(owner.map { "\($0.host)" } ?? "-") \(owner?.port.map(String.init) ?? "-") \(record.usage.rawValue)"
        }
    }

    @Test("names are below the origin, owners are inherited, and other records are skipped")
    func zone() throws {
        let text = """
            $TTL 3600
            $ORIGIN example.test.
            @        IN SOA ns hostmaster ( 1 ; serial; with ( a comment
                        7200 900 1209600 86400 )
                     IN NS  ns
            www  300 IN A   192.0.2.1
            _443._tcp.www IN TLSA 3 1 1 (
                \(Self.digest.prefix(32))   ; the first half
                \(Self.digest.dropFirst(32)) )
                     IN TLSA 2 1 1 \(Self.digest)
            mail     IN TXT "v=spf1; (-all"
            _25._tcp.mail.example.test. 60 IN TLSA 3 1 1 \(Self.digest)
            $ORIGIN other.test.
            _443._tcp IN TYPE52 \\# 35 030101\(Self.digest)
            """
        let expected = [
            "www.example.test 443 3", "www.example.test 443 2", "mail.example.test 25 3", "other.test 443 3",
        ]
        #expect(try owners(text) == expected)
    }

    @Test("records of several services are policies of their own")
    func policies() throws {
        let other = String(repeating: "ab", count: 32)
        let zone = try ZoneFile(
            "_443._tcp.a.test. TLSA 3 1 1 \(Self.digest)\n_443._tcp.b.test. TLSA 3 1 1 \(other)\n"
                + "_25._tcp.a.test. TLSA 3 1 1 \(other)"
        )
        let policy = try #require(try zone.policy() as? HostPolicies)
        func data(_ host: String, _ port: UInt16) throws -> [String] {
            let found = policy.policy(for: Authority(host: try Host(host), port: port)) as? DANEPolicy
            return (found?.records ?? []).map { Hexadecimal.encode($0.data) }
        }
        #expect(try data("a.test", 443) == [Self.digest])
        #expect(try data("a.test", 25) == [other])
        #expect(try data("b.test", 443) == [other])
        #expect(try data("c.test", 443).isEmpty)
        #expect(try ZoneFile("3 1 1 \(Self.digest)").policy() is DANEPolicy)
    }

    @Test(
        "an invalid record is refused",
        arguments: [
            ("_443._tcp TLSA 3 1 1 (", "“)”"), ("_443._tcp TLSA 9 1 1 00", "usage"),
            ("_443._tcp TYPE52 \\# 3 030101", "RFC 3597"),
            ("_443._tcp NONSENSE 1\n3 1 1 00", "no TLSA record"),
        ]
    )
    func refusals(text: String, words: String) {
        let failure = #expect(throws: PolicyFailure.self) { try ZoneFile(text) }
        #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
    }
}
