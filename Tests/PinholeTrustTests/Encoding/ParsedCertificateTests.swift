import PinholeCrypto
import PinholeModel
import Testing

@testable import PinholeTrust

/// The reader of certificates, with good and with damaged bytes.
@Suite("ParsedCertificate")
struct ParsedCertificateTests {
    private let der: [UInt8]

    init() throws { der = try TestPKI.selfSigned("parsed.test", key: PrivateKey.generateP256()).der }

    @Test("the fields of a certificate are read")
    func fields() throws {
        let parsed = try #require(ParsedCertificate(der: der))
        #expect(parsed.version == 3)
        #expect(parsed.subject == parsed.issuer)
        #expect(parsed.algorithmsAgree)
        #expect(parsed.malformed == nil)
        #expect(parsed.repeated == nil)
        #expect(parsed.alternativeNames == [.domain("parsed.test")])
    }

    @Test("bytes that are cut off are no certificate")
    func truncated() {
        for count in der.indices { #expect(ParsedCertificate(der: Array(der.prefix(count))) == nil) }
    }

    @Test("damaged bytes are read or refused, and never trap")
    func damaged() {
        for place in der.indices {
            for bit in 0..<8 {
                var copy = der
                copy[place] ^= 1 << UInt8(bit)
                _ = ParsedCertificate(der: copy)
            }
        }
    }
}
