import PinholeModel
import Testing

@testable import PinholeCrypto

@Suite("DERShape")
struct DERShapeTests {
    private let key: PrivateKey
    private let certificate: Certificate

    init() throws {
        key = try PrivateKey.generateP256()
        let now = Timestamp(seconds: 1_795_219_200)
        certificate = try CertificateTemplate(
            commonName: "shape.test",
            notBefore: now,
            notAfter: now + .seconds(60)
        ).signed(by: nil, key: key)
    }

    @Test("tells certificates, public keys and PKCS#12 files apart, whole and cut")
    func kinds() throws {
        let identity = try Identity(chain: [certificate], key: key)
        for (bytes, kind) in [
            (certificate.der, DERShape.Kind.certificate), (key.spki, .publicKey),
            (try identity.pkcs12(passphrase: "x"), .pkcs12),
        ] {
            let whole = try #require(DERShape(bytes))
            #expect(whole.kind == kind && whole.announced == bytes.count && !whole.isTruncated)
            for count in [40, bytes.count - 1] {
                let cut = try #require(DERShape(Array(bytes.prefix(count))))
                #expect(cut.kind == kind && cut.announced == bytes.count && cut.isTruncated, "\(count)")
            }
        }
    }

    @Test(
        "says little of other bytes",
        arguments: [
            ([0x30, 0x00], DERShape.Kind.other, 2), ([0x30, 0x80, 0x02, 0x01, 0x03], .pkcs12, nil),
            ([0x30, 0x85, 1, 1, 1, 1, 1], .other, nil), ([0x30, 0x82, 1], .other, nil),
        ] as [([UInt8], DERShape.Kind, Int?)]
    )
    func others(bytes: [UInt8], kind: DERShape.Kind, announced: Int?) throws {
        let shape = try #require(DERShape(bytes))
        #expect(shape.kind == kind && shape.announced == announced)
        #expect(!shape.isTruncated)
    }

    @Test("is for sequences", arguments: [[], [0x30], Array("-----BEGIN".utf8), [0x31, 0x00]] as [[UInt8]])
    func none(bytes: [UInt8]) {
        #expect(DERShape(bytes) == nil)
    }

    @Test("a certificate that was cut is called one")
    func message() throws {
        do {
            _ = try Certificate.parse(Array(certificate.der.dropLast(5)))
            Issue.record("it was parsed")
        } catch {
            #expect(error.description.contains("looks like a truncated DER certificate"), "\(error)")
            #expect(error.description.contains("\(certificate.der.count) bytes"), "\(error)")
        }
    }
}
