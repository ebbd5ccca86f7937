import PinholeModel
import Testing

@testable import PinholeCrypto

/// Fingerprints that FoxIO publishes (technical_details/JA4.md, ja4plus-mapping.csv), and what browsers send.
@Suite("JA4")
struct ClientHelloRecordJA4Tests {
    private static let suites: [UInt16] = [
        0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c,
        0x009d,
        0x002f, 0x0035,
    ]
    private static let schemes: [UInt16] = [
        0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601,
    ]

    private static func hello(_ extensions: [UInt16]) -> ClientHelloRecord {
        var hello = ClientHelloRecord()
        hello.versions = [0x0304, 0x0303]
        hello.cipherSuites = suites
        hello.extensions = extensions
        hello.signatureSchemes = schemes
        hello.applicationProtocols = ["h2", "http/1.1"]
        return hello
    }

    @Test(
        "equals the published fingerprints",
        arguments: [
            (
                [
                    0x001b, 0x0000, 0x0033, 0x0010, 0x4469, 0x0017, 0x002d, 0x000d, 0x0005, 0x0023, 0x0012,
                    0x002b,
                    0xff01, 0x000b, 0x000a, 0x0015,
                ], "t13d1516h2_8daaf6152771_e5627efa2ab1"
            ),
            (
                [
                    0x0005, 0x000a, 0x000b, 0x000d, 0x0012, 0x0017, 0x001b, 0x0023, 0x002b, 0x002d, 0x0033,
                    0x4469,
                    0xfe0d, 0xff01, 0x0000, 0x0010,
                ], "t13d1516h2_8daaf6152771_02713d6af862"
            ),
            (
                [
                    0x002d, 0x0033, 0x0010, 0xfe0d, 0x0017, 0x44cd, 0x0000, 0x000b, 0x000a, 0x002b, 0xff01,
                    0x0023,
                    0x0012, 0x0005, 0x000d, 0x001b,
                ], "t13d1516h2_8daaf6152771_d8a2da3f94cd"
            ),
        ] as [([UInt16], String)]
    )
    func published(extensions: [UInt16], expected: String) {
        #expect(Self.hello(extensions).computedJA4 == expected)
    }

    @Test("an empty offer has zeros, and no name is an i")
    func empty() {
        #expect(ClientHelloRecord().computedJA4 == "t00i000000_000000000000_000000000000")
    }

    @Test(
        "a protocol is its first and last character, in hexadecimal where one is no letter or digit",
        arguments: [
            ("http/1.1", "h1"), ("h2", "h2"), ("a", "aa"), ("\u{1}b", "02"), ("a-", "6d"), ("", "00"),
        ]
    )
    func protocols(name: String, expected: String) {
        var hello = ClientHelloRecord()
        hello.versions = [0x0303]
        hello.applicationProtocols = [name]
        #expect(hello.computedJA4.hasPrefix("t12i0000\(expected)_"))
    }

    @Test("counts stop at 99, and a list without signature schemes ends with its extensions")
    func bounds() {
        var hello = ClientHelloRecord()
        hello.cipherSuites = Array(repeating: 0x1301, count: 120)
        hello.extensions = [0x000a]
        // SHA-256 of `000a`.
        #expect(hello.computedJA4.hasPrefix("t00i990100_"))
        #expect(hello.computedJA4.hasSuffix("_\(Self.hash("000a"))"))
    }

    private static func hash(_ text: String) -> String {
        Digest.sha256(Array(text.utf8)).prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
    }
}
