import PinholeModel
import Testing

@testable import PinholeCrypto

@Suite("LeafCache")
struct LeafCacheTests {
    private let identity: Identity

    init() throws {
        let key = try PrivateKey.generateP256()
        let template = CertificateTemplate(commonName: "x", notBefore: .noon, notAfter: .noon + .days(10))
        identity = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
    }

    private func request(_ index: Int) -> LeafRequest { LeafRequest(names: [.name("h\(index).example")]) }

    @Test("stays within its bytes, and drops the least recently used leaves")
    func eviction() {
        var cache = LeafCache(capacity: 200_000)
        for index in 0..<1000 {
            cache.insert(identity, for: request(index), now: .noon)
            #expect(cache.identity(for: request(0), now: .noon) != nil, "it is used all the time")
            #expect(cache.bytes <= 200_000)
        }
        #expect(cache.count > 10)
        #expect(cache.identity(for: request(999), now: .noon) != nil)
        #expect(cache.identity(for: request(1), now: .noon) == nil)
    }

    @Test("counts a replaced leaf once and an outdated one no more")
    func accounting() {
        var cache = LeafCache(capacity: 200_000)
        cache.insert(identity, for: request(1), now: .noon)
        let one = cache.bytes
        cache.insert(identity, for: request(1), now: .noon)
        #expect(cache.bytes == one)
        #expect(cache.identity(for: request(1), now: .noon + .days(6)) == nil)
        #expect(cache.bytes == 0)
        #expect(cache.count == 0)
    }

    @Test("keeps nothing that is larger than itself")
    func tooLarge() {
        var cache = LeafCache(capacity: 100)
        cache.insert(identity, for: request(1), now: .noon)
        #expect(cache.count == 0)
    }
}
