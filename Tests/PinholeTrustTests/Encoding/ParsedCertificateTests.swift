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

    @Test("bytes that are cut off are not a certificate")
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

    @Test("an extension whose elements have other tags is malformed", arguments: Self.malformed)
    func tags(_ number: UInt8, _ value: [UInt8]) throws {
        let list = [SyntheticCertificate.extension(number, value)]
        let certificate = SyntheticCertificate(issuer: "a", subject: "b", extensions: list)
        let parsed = try #require(certificate.parsed)
        #expect(parsed.malformed?.identifier == ObjectID(2, 5, 29, Int(number)))
    }

    @Test("the same extensions in DER are read", arguments: Self.sound)
    func soundTags(_ number: UInt8, _ value: [UInt8]) throws {
        let list = [SyntheticCertificate.extension(number, value)]
        let certificate = SyntheticCertificate(issuer: "a", subject: "b", extensions: list)
        #expect(try #require(certificate.parsed).malformed == nil)
    }

    private static let malformed: [(UInt8, [UInt8])] = [
        // subjectKeyIdentifier as a SEQUENCE
        (14, [0x30, 0x00]),
        // keyUsage: unused bits that are set, and more unused bits than a byte has
        (15, [0x03, 0x02, 0x02, 0x06]), (15, [0x03, 0x02, 0x08, 0x00]), (15, [0x03, 0x01, 0x01]),
        (17, [0x31, 0x03, 0x82, 0x01, 0x61]),
        // basicConstraints as a SET, and a path length that is no INTEGER
        (19, [0x31, 0x03, 0x01, 0x01, 0xff]), (19, [0x30, 0x06, 0x01, 0x01, 0xff, 0x0a, 0x01, 0x00]),
        // nameConstraints as a SET, with a subtree as a SET, and with an unknown field of a subtree
        (30, [0x31, 0x07, 0xa0, 0x05, 0x30, 0x03, 0x82, 0x01, 0x61]),
        (30, [0x30, 0x07, 0xa0, 0x05, 0x31, 0x03, 0x82, 0x01, 0x61]),
        (30, [0x30, 0x09, 0xa0, 0x07, 0x30, 0x05, 0x82, 0x01, 0x61, 0x85, 0x00]),
        (32, [0x30, 0x05, 0x31, 0x03, 0x06, 0x01, 0x2a]),
        (33, [0x30, 0x08, 0x31, 0x06, 0x06, 0x01, 0x2a, 0x06, 0x01, 0x2b]),
        (35, [0x31, 0x00]),
        (36, [0x31, 0x03, 0x80, 0x01, 0x00]),
        (37, [0x31, 0x03, 0x06, 0x01, 0x2a]), (37, [0x30, 0x03, 0x04, 0x01, 0x2a]),
        (37, [0x30, 0x04, 0x06, 0x02, 0x80, 0x01]),
        (54, [0x04, 0x01, 0x00]), (54, [0x02, 0x02, 0x00, 0x01]),
    ]

    private static let sound: [(UInt8, [UInt8])] = [
        (14, [0x04, 0x01, 0x01]),
        (15, [0x03, 0x02, 0x01, 0x06]),
        (17, [0x30, 0x03, 0x82, 0x01, 0x61]),
        (19, [0x30, 0x06, 0x01, 0x01, 0xff, 0x02, 0x01, 0x00]),
        (30, [0x30, 0x07, 0xa0, 0x05, 0x30, 0x03, 0x82, 0x01, 0x61]),
        (32, [0x30, 0x05, 0x30, 0x03, 0x06, 0x01, 0x2a]),
        (33, [0x30, 0x08, 0x30, 0x06, 0x06, 0x01, 0x2a, 0x06, 0x01, 0x2b]),
        (35, [0x30, 0x00]),
        (36, [0x30, 0x03, 0x80, 0x01, 0x00]),
        (37, [0x30, 0x03, 0x06, 0x01, 0x2a]),
        (54, [0x02, 0x01, 0x00]),
    ]

    @Test("the whole tag of a name counts, with its class and its form")
    func tagsOfNames() {
        let known: Set<UInt8> = [0xa0, 0x81, 0x82, 0xa3, 0xa4, 0xa5, 0x86, 0x87, 0x88]
        for tag in UInt8.min...UInt8.max {
            let content: [UInt8] = [0x30, 0x00]
            let element = DERElement(tag: tag, content: content[...], encoding: [tag, 2, 0x30, 0x00])
            let name = try? GeneralName(element)
            #expect((name != nil) == known.contains(tag), "tag \(tag)")
        }
    }

    @Test("extensions need version 3")
    func versions() throws {
        var certificate = SyntheticCertificate(issuer: "a", subject: "b")
        certificate.version = nil
        #expect(try #require(certificate.parsed).exceedsVersion == false)
        certificate.extensions = SyntheticCertificate.authority
        for version in [nil, 0, 1] as [UInt8?] {
            certificate.version = version
            #expect(try #require(certificate.parsed).exceedsVersion)
        }
        certificate.version = 2
        #expect(try #require(certificate.parsed).exceedsVersion == false)
        certificate.version = 8
        #expect(try #require(certificate.parsed).version == 9)
    }
}
