import PinholeCrypto
import PinholeTrust
import Testing

@testable import PinholeLab

@Suite("Updates of pins")
struct PinUpdateTests {
    @Test("signed pins are accepted; unsigned pins only by a client that accepts everything")
    func signatures() throws {
        let key = try PrivateKey.generateP256()
        let digests = [UInt8(1), 2].map { [UInt8](repeating: $0, count: 32) }
        let plain = PinUpdate.document(digests, signature: [])
        let signed = PinUpdate.document(digests, signature: try key.signature(over: plain, digest: .sha256))
        let pins = digests.compactMap { Pin(digest: $0) }
        #expect(PinUpdate.signed.pins(in: signed, publisher: key) == pins)
        #expect(PinUpdate.asItComes.pins(in: plain, publisher: key) == pins)
        #expect(PinUpdate.signed.pins(in: plain, publisher: key) == nil)
        #expect(PinUpdate.signed.pins(in: signed, publisher: try PrivateKey.generateP256()) == nil)
        let other = PinUpdate.document(Array(digests.prefix(1)), signature: [])
        #expect(PinUpdate.signed.pins(in: other + signed.suffix(120), publisher: key) == nil)
        #expect(PinUpdate.asItComes.pins(in: Array("none".utf8), publisher: key) == nil)
    }
}
