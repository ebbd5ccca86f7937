import Testing

@testable import PinholeCrypto

@Suite("BoundedCache")
struct BoundedCacheTests {
    @Test("keeps used entries, and at most two generations")
    func bounded() {
        var cache = BoundedCache<Int, Int>(limit: 10)
        for key in 0..<1000 {
            cache.keep(key * 2, for: key)
            #expect(cache.value(for: 0) == 0)
            #expect(cache.count <= 20)
        }
        #expect(cache.value(for: 999) == 1998)
        #expect(cache.value(for: 500) == nil)
    }

    @Test("a limit of nothing keeps one")
    func zero() {
        var cache = BoundedCache<Int, Int>(limit: 0)
        cache.keep(1, for: 1)
        #expect(cache.value(for: 1) == 1)
    }
}
