import PinholeCrypto
import PinholeModel
import PinholeTestKit
import PinholeWire
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
        "sends the server the client's kind of key share, and records it",
        arguments: [
            ([4587, 29], 4587), ([513, 4587], 513), ([4588, 4587], 4588), ([29, 23], 4588), ([25497], 4588),
            ([], 4588),
        ] as [([UInt16], UInt16)]
    )
    func share(shares: [UInt16], sent: UInt16) throws {
        var hello = ClientHelloRecord()
        hello.keyShares = shares
        let expected: [UInt16] = TLSLibrary.isPostQuantum ? [sent, 29] : [29]
        #expect(TLSLibrary.shares(for: hello) == expected)
        #expect(TLSLibrary.shares(for: hello, upTo: .tls12) == nil)
        #expect(TLSLibrary.shares(for: nil) == TLSLibrary.offer?.keyShares)
        let environment = try OpeningWalk(.init(.tls13)).environment
        let authority = try Authority("www.example.com:443")
        let name = ServerName(authority: authority, host: authority.host, applicationProtocols: [])
        let opened = try environment.engine(
            for: name,
            policy: ServerPolicy(),
            client: hello,
            at: Timestamp(seconds: 1)
        )
        var nothing = ByteQueue()
        var output = ByteQueue()
        #expect(opened.engine.handshake(&nothing, &output) == .wantsInput)
        guard case .clientHello(let offer) = ClientHello.peek(output.slice()) else {
            Issue.record("no ClientHello was sent")
            return
        }
        #expect(offer.keyShares == expected)
        #expect(offer.groups == TLSLibrary.offeredGroups)
    }

    @Test("has post-quantum groups since OpenSSL 3.5")
    func postQuantum() throws {
        let number = try #require(TLSLibrary.version.firstMatch(of: /OpenSSL (\d+)\.(\d+)/))
        let (major, minor) = (try #require(Int(number.1)), try #require(Int(number.2)))
        #expect(TLSLibrary.isPostQuantum == (major > 3 || major == 3 && minor >= 5))
    }
}
