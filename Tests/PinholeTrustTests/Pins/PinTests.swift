import PinholeTrust
import Testing

@Suite("Pin")
struct PinTests {
    @Test("has the length of its digest, and the notation of RFC 7469")
    func lengths() throws {
        #expect(Pin(digest: [1, 2]) == nil)
        #expect(Pin(.sha1, digest: [UInt8](repeating: 0, count: 32)) == nil)
        let pin = try #require(Pin(digest: [UInt8](repeating: 0, count: 32)))
        #expect(pin.description == "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
    }
}
