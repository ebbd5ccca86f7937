import PinholeCrypto
import PinholeModel
import PinholeProxy
import Testing

@Suite("TLSLibrary")
struct TLSLibraryTests {
    @Test("reads the groups that it offers to servers from its own ClientHello")
    func offer() throws {
        let offer = try #require(TLSLibrary.offer)
        #expect(offer.versions == [0x0304, 0x0303])
        #expect(offer.groups.contains(29) && offer.groups.contains(23))
        let shares = try #require(offer.keyShares)
        #expect(!shares.isEmpty && Set(shares).isSubset(of: offer.groups))
        #expect(TLSLibrary.offeredGroups == offer.groups)
    }

    @Test("has post-quantum groups since OpenSSL 3.5")
    func postQuantum() throws {
        let number = try #require(TLSLibrary.version.firstMatch(of: /OpenSSL (\d+)\.(\d+)/))
        let (major, minor) = (try #require(Int(number.1)), try #require(Int(number.2)))
        #expect(TLSLibrary.isPostQuantum == (major > 3 || major == 3 && minor >= 5))
    }
}
