import PinholeTrust
import Testing

@Suite("TLSARecord")
struct TLSARecordTests {
    private static let leaf = FakeFacts.certificate("leaf")
    private static let sha256 = String(repeating: "aB", count: 32)

    @Test(
        "reads presentation form, alone, behind its owner, by name and over several lines",
        arguments: [
            "3 1 1 \(sha256)", "_443._tcp.example.com. 3600 IN TLSA 3 1 1 \(sha256)",
            "DANE-EE SPKI SHA2-256 \(sha256)", "tlsa 3 1 1 ( \(sha256.prefix(32))\n\t\(sha256.suffix(32)) )",
        ]
    )
    func reading(_ text: String) throws {
        #expect(try TLSARecord(text).description == "3 1 1 \(Self.sha256.lowercased())")
    }

    @Test(
        "refuses undefined values, and data of a wrong length",
        arguments: [
            ("", "is no TLSA record"), ("3 1 1", "is no TLSA record"), ("4 1 1 \(sha256)", "is no usage"),
            ("3 2 1 \(sha256)", "is no selector"), ("3 1 3 \(sha256)", "is no matching type"),
            ("-1 1 1 \(sha256)", "is no usage"), ("3 1 1 abc", "no hexadecimal digits in pairs"),
            ("3 1 1 abcd", "2 bytes: expected 32"), ("3 1 2 \(sha256)", "32 bytes: expected 64"),
            ("3 1 1 zz", "no hexadecimal"), ("TLSA", "is no TLSA record"),
        ]
    )
    func refused(_ text: String, _ expected: String) {
        let failure = #expect(throws: PolicyFailure.self) { try TLSARecord(text) }
        #expect(failure?.description.contains(expected) == true, "\(failure?.description ?? "")")
    }

    @Test("matches by every selector and matching type")
    func matching() throws {
        let leaf = Self.leaf
        for (selector, matching, data) in [
            (TLSARecord.Selector.certificate, TLSARecord.Matching.full, leaf.der),
            (.certificate, .sha256, leaf.sha256), (.certificate, .sha512, leaf.sha512),
            (.spki, .full, leaf.spki), (.spki, .sha256, leaf.spkiSHA256), (.spki, .sha512, leaf.spkiSHA512),
        ] {
            let record = try #require(TLSARecord(.daneEE, selector, matching, data: data))
            #expect(record.matches(leaf))
            #expect(!record.matches(FakeFacts.certificate("other")))
            #expect(try TLSARecord(record.description) == record)
        }
        #expect(TLSARecord(.daneEE, .spki, .sha256, data: [1]) == nil)
        #expect(TLSARecord(.daneEE, .spki, .full, data: []) == nil)
    }
}
