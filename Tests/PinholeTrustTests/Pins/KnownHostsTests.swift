import PinholeModel
import PinholeTrust
import Testing

@Suite("KnownHosts")
struct KnownHostsTests {
    private static let leaf = FakeFacts.certificate("leaf")
    private static let other = FakeFacts.certificate("other")
    private static let key = Base64.encode(leaf.spki)
    private static let otherKey = Base64.encode(other.spki)
    private static let now = FakeFacts.now.seconds

    private func finding(
        _ text: String,
        host: String? = "api.pinned.test",
        port: UInt16 = 443
    ) throws -> String {
        let found = try KnownHosts(parsing: text).finding(
            for: Self.leaf,
            host: try host.map { try Host($0) },
            port: port,
            at: FakeFacts.now
        )
        return switch found {
        case .known: "known"
        case .changed(let entries): "changed \(entries.count)"
        case .unknown: "unknown"
        }
    }

    @Test(
        "finds keys as gnutls_verify_stored_pubkey does",
        arguments: [
            ("", "unknown"), ("|g0|api.pinned.test|443|0|\(key)", "known"),
            ("|g0|api.pinned.test|https|0|\(key)", "known"), ("|g0|API.pinned.test.|443|0|\(key)", "known"),
            ("|g0|*|*|0|\(key)", "known"), ("|g0|api.pinned.test|8443|0|\(key)", "unknown"),
            ("|g0|other.test|443|0|\(key)", "unknown"),
            ("|g0|api.pinned.test|443|0|\(otherKey)", "changed 1"),
            ("|g0|api.pinned.test|443|0|\(otherKey)\n|g0|api.pinned.test|443|0|\(key)\n", "known"),
            ("|g0|api.pinned.test|443|\(now)|\(key)", "known"),
            ("|g0|api.pinned.test|443|\(now - 1)|\(key)", "unknown"),
            ("|g0|api.pinned.test|443|\(now - 1)|\(otherKey)", "unknown"),
            ("|c0|api.pinned.test|443|0|6|\(hexadecimal(leaf.spkiSHA256))", "known"),
            ("|c0|api.pinned.test|443|0|8|\(hexadecimal(leaf.spkiSHA512))", "known"),
            ("|c0|api.pinned.test|443|0|3|\(hexadecimal(leaf.spkiSHA1))", "known"),
            ("|c0|api.pinned.test|443|0|6|\(hexadecimal(other.spkiSHA256))", "changed 1"),
            ("|c0|api.pinned.test|443|0|99|\(hexadecimal(leaf.spkiSHA256))", "changed 1"),
        ]
    )
    func findings(_ text: String, _ expected: String) throws {
        #expect(try finding(text) == expected)
    }

    @Test("a key is known for its port alone")
    func ports() throws {
        let text = "|g0|api.pinned.test|8443|0|\(Self.key)"
        #expect(try finding(text, port: 8443) == "known")
        #expect(try finding(text, port: 443) == "unknown")
    }

    @Test("writes the lines that it has read")
    func roundTrip() throws {
        let text =
            "|g0|api.pinned.test|443|0|\(Self.key)\n|c0|a.test|*|5|6|\(Self.hexadecimal(Self.leaf.sha256))\n"
        #expect(try KnownHosts(parsing: text).text == text)
    }

    @Test(
        "refuses lines that GnuTLS skips in silence, and names them",
        arguments: [
            "garbage", "|g1|a|b|0|AAAA", "|g0|a|b|x|AAAA", "|g0|a|b|0|!", "|g0|a|b|0|", "|g0|a|b|0",
            "|c0|a|b|0|6",
            "|c0|a|b|0|6|abc", "|c0|a|b|0|x|ab", "x|g0|a|b|0|AAAA", "|g0|a|b|0|AAAA|more",
        ]
    )
    func refused(_ line: String) {
        let failure = #expect(throws: PolicyFailure.self) { try KnownHosts(parsing: "\n\(line)\n") }
        #expect(failure?.description.hasPrefix("line 2 of known_hosts: ") == true)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
