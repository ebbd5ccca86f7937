import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeCrypto

@Suite("ParsedCache")
struct ParsedCacheTests {
    @Test("parses an encoding once")
    func once() {
        let cache = ParsedCache<Int>(limit: 4)
        var parsed = 0
        for _ in 0..<3 {
            let value = cache.value(of: [1, 2, 3]) {
                parsed += 1
                return parsed
            }
            #expect(value == 1)
        }
    }

    @Test("tells encodings with the same end apart")
    func sameEnd() {
        let cache = ParsedCache<UInt8>(limit: 4)
        let end = [UInt8](repeating: 9, count: 16)
        for first in [1, 2, 1] as [UInt8] {
            #expect(cache.value(of: [first] + end) { first } == first)
        }
        #expect(cache.value(of: end) { 0 } == 0)
    }

    @Test("keeps no failure")
    func failure() throws {
        let cache = ParsedCache<Int>(limit: 4)
        #expect(throws: CryptoFailure.self) {
            try cache.value(of: [1]) { () throws(CryptoFailure) in throw CryptoFailure("not yet") }
        }
        #expect(cache.value(of: [1]) { 5 } == 5)
    }

    @Test("certificates with the same bytes share one parsed object of OpenSSL")
    func certificates() throws {
        let now = Timestamp(seconds: 1_795_000_000)
        let template = CertificateTemplate(commonName: "a", notBefore: now, notAfter: now + .seconds(60))
        let made = try template.signed(by: nil, key: try PrivateKey.generateP256())
        let one = try Certificate(der: made.der)
        let other = try Certificate(der: made.der)
        #expect(one.handle.pointer == other.handle.pointer && one == made)
    }
}
