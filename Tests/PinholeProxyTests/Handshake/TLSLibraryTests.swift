import PinholeCrypto
import PinholeModel
import Testing

@testable import PinholeProxy

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

    @Test("offers all post-quantum groups, and one key share of them")
    func groups() throws {
        let offer = try #require(TLSLibrary.offer)
        let known = offer.groups.map(TLSGroup.init(rawValue:)).filter(\.isPostQuantum)
        #expect(known.isEmpty || Set([512, 513, 514, 4587, 4588, 4589]).isSubset(of: offer.groups))
        let shared = (offer.keyShares ?? []).filter { TLSGroup(rawValue: $0).isPostQuantum }
        #expect(shared == (known.isEmpty ? [] : [4588]))
        #expect(!TLSLibrary.isPostQuantum(TLSLibrary.offeredGroups(upTo: .tls12)))
        #expect(TLSLibrary.offeredGroups(upTo: .tls12).contains(23))
    }

    @Test(
        "sends the server the client's kind of key share",
        arguments: [
            ([4587, 29] as [UInt16], 4587 as UInt16?), ([4588, 4587], nil), ([29, 23], nil), ([25497], nil),
            ([], nil),
        ]
    )
    func share(shares: [UInt16], sent: UInt16?) {
        var hello = ClientHelloRecord()
        hello.keyShares = shares
        #expect(TLSLibrary.share(for: hello)?.rawValue == (TLSLibrary.isPostQuantum ? sent : nil))
        #expect(TLSLibrary.share(for: nil) == nil)
    }

    @Test("has post-quantum groups since OpenSSL 3.5")
    func postQuantum() throws {
        let number = try #require(TLSLibrary.version.firstMatch(of: /OpenSSL (\d+)\.(\d+)/))
        let (major, minor) = (try #require(Int(number.1)), try #require(Int(number.2)))
        #expect(TLSLibrary.isPostQuantum == (major > 3 || major == 3 && minor >= 5))
    }
}
