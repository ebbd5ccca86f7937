import Glibc
import PinholeModel
import Testing

@testable import PinholeRuntime

@Suite("SourceAddresses")
struct SourceAddressesTests {
    private func sources(_ texts: String...) throws -> SourceAddresses {
        try SourceAddresses(texts.map { try SourceAddresses.address($0) })
    }

    @Test("gives each server the address of its family, and none where there is none")
    func families() throws {
        let (four, six) = (try #require(IPAddress("192.0.2.9")), try #require(IPAddress("2001:db8::9")))
        let both = try sources("127.0.0.2", "::1")
        #expect(
            both.source(for: four)?.description == "127.0.0.2" && both.source(for: six)?.description == "::1"
        )
        let one = try sources("127.0.0.2")
        #expect(one.reaches(four) && !one.reaches(six) && one.source(for: six) == nil)
        #expect(SourceAddresses().reaches(four) && SourceAddresses().source(for: four) == nil)
        #expect(both.description == "127.0.0.2, ::1")
        #expect(try sources("::ffff:127.0.0.2") == one)
    }

    @Test("takes no two of one family")
    func twice() {
        #expect(throws: AddressFailure.self) { try sources("127.0.0.1", "127.0.0.2") }
        #expect(throws: AddressFailure.self) { try sources("::1", "127.0.0.2", "::2") }
    }

    @Test(
        "refuses addresses that no socket can connect from",
        arguments: [
            "", "localhost", "0.0.0.0", "::", "127.0.0.1:0", "224.0.0.1", "255.255.255.255", "ff02::1",
        ]
    )
    func malformed(text: String) {
        #expect(throws: AddressFailure.self) { try SourceAddresses.address(text) }
    }

    @Test("recognises addresses of this machine")
    func check() throws {
        try sources("127.0.0.2").check()
        let failure = #expect(throws: SystemFailure.self) { try sources("192.0.2.1").check() }
        #expect(failure?.code == EADDRNOTAVAIL && failure?.attempt == "could not connect from 192.0.2.1")
    }
}
